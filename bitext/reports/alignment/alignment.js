// Controls, keys, the map and the panel.
(() => {
  const root = document.documentElement;
  const said = document.querySelector(".said");
  const bench = document.getElementById("bench");
  const controls = document.getElementById("controls");
  root.classList.add("js");
  root.classList.toggle("compared", compared);

  const state = { hyp: compared ? 1 : 0, all: [], shown: [], stops: [], chosen: null };
  const filter = { kinds: null, types: null, from: null, to: null };
  const layout = new Layout();
  const drawing = new Drawing(layout, (bead) => choose(bead, { focus: true }));
  const what = compared ? "difference" : "bisegment other than 1-1";
  const button = (label, sign, deed, key) => {
    const made = element("button", { type: "button", "aria-label": label, title: key ? `${label} (${key})` : label, "data-do": deed }, sign);
    made.addEventListener("click", () => deeds[deed]());
    return made;
  };

  // The map: the whole text, what differs in lanes of its own, and a window where the frame is.
  const map = document.createElementNS(SVG, "svg");
  map.setAttribute("class", "map");
  map.setAttribute("aria-hidden", "true");
  const lanes = compared ? ["m", "p", "w"] : ["o"];
  const paths = new Map();
  const make = (tag, name) => {
    const made = document.createElementNS(SVG, tag);
    made.setAttribute("class", name);
    return map.appendChild(made);
  };
  for (const lane of lanes) paths.set(lane, make("path", `lane ${CLASSES[lane]}`));
  const glass = make("rect", "glass");
  const drawMap = () => {
    const { clientWidth: width, clientHeight: height } = map;
    if (!height) return;
    map.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const scale = height / Math.max(layout.total, 1);
    const room = width / lanes.length;
    const seen = new Map(lanes.map((lane) => [lane, new Set()]));
    const parts = new Map(lanes.map((lane) => [lane, []]));
    for (const bead of state.stops) {
      const [from, to] = layout.span(bead);
      const y = Math.round(from * scale);
      // One that spans much of the text is told by its begin: its length would hide all others.
      const size = Math.min(12, Math.max(2, Math.round((to - from) * scale)));
      const done = seen.get(bead.letter);
      if (done.has(y)) continue;
      done.add(y);
      parts.get(bead.letter).push(`M${lanes.indexOf(bead.letter) * room + 1} ${y}h${room - 2}v${size}h${2 - room}z`);
    }
    for (const lane of lanes) paths.get(lane).setAttribute("d", parts.get(lane).join(""));
    follow();
  };
  const follow = () => {
    const scale = map.clientHeight / Math.max(layout.total, 1);
    glass.setAttribute("x", 0.5);
    glass.setAttribute("width", Math.max(map.clientWidth - 1, 0));
    glass.setAttribute("y", drawing.view.scrollTop * scale);
    glass.setAttribute("height", Math.max(drawing.view.clientHeight * scale, 4));
  };
  const jump = (event) => {
    const frame = map.getBoundingClientRect();
    const share = (event.clientY - frame.top) / frame.height;
    drawing.view.scrollTop = share * layout.total - drawing.view.clientHeight / 2;
  };
  map.addEventListener("pointerdown", (event) => {
    map.setPointerCapture(event.pointerId);
    jump(event);
  });
  map.addEventListener("pointermove", (event) => event.buttons && jump(event));
  drawing.onScroll = () => {
    if (drawing.mapped !== layout.total) {
      drawing.mapped = layout.total;
      drawMap();
    } else follow();
  };

  const panel = element("section", { class: "panel", tabindex: "0", "aria-label": "Chosen bisegment" });
  const signs = element("div", { class: "lanes", "aria-hidden": "true" });
  if (compared) signs.append(...lanes.map((lane) => element("span", { class: CLASSES[lane] }, SIGNS[lane])));
  bench.append(drawing.view, element("div", { class: "aside" }, signs, map), panel);
  const number = (value) => (value === null || value === undefined ? "none" : String(value));
  const cell = (tag, ...inside) => element(tag, tag === "th" ? { scope: "row" } : {}, ...inside);
  const side = (name, bead, k) => {
    const members = bead.sides[k];
    const list = element("ol", { class: "whole" });
    for (const m of members.slice(0, 50)) {
      const text = held.sides[k].texts?.[m];
      list.append(element("li", {}, element("bdi", { class: "id" }, idOf(k, m)), ...(text === undefined ? [] : [" ", element("bdi", {}, text)])));
    }
    const rest = members.length > 50 ? [element("p", { class: "quiet" }, `... ${members.length - 50} more`)] : [];
    return [element("h4", {}, name), members.length ? list : element("p", { class: "quiet" }, "nothing"), ...rest];
  };
  const tell = (bead) => {
    if (!bead) {
      panel.replaceChildren(
        element("h3", {}, "No bisegment is chosen"),
        element("p", { class: "quiet" }, "Press a ribbon, a sign or a sentence to see it here with its scores. The key ? tells all keys."),
      );
      return;
    }
    const rows = held.systems.map((system, n) => {
      const k = findIn(n, keyOf(bead.system, bead.k));
      const score = k === undefined ? "" : number(system.scores?.[k]);
      return element("tr", {}, cell("th", element("bdi", {}, system.name)), cell("td", k === undefined ? "no" : `yes, number ${k}`), cell("td", score));
    });
    const head = ["in", "has it", "score"].map((text) => element("th", { scope: "col" }, text));
    panel.replaceChildren(
      element("h3", { class: CLASSES[bead.letter] }, element("span", { "aria-hidden": "true" }, bead.sign), ` ${bead.kind} `, element("span", { class: "type" }, bead.type)),
      element("table", { class: "who" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
      ...side("Source", bead, 0),
      ...side("Target", bead, 1),
    );
    panel.scrollTop = 0;
  };

  const choose = (bead, { focus = false, lead = "" } = {}) => {
    state.chosen = bead;
    drawing.choose(bead);
    tell(bead);
    if (bead) drawing.reveal(bead);
    else drawing.draw();
    if (bead && focus) drawing.marks.get(bead.key)?.focus({ preventScroll: true });
    said.textContent = bead ? `${lead}${bead.label}` : "No bisegment is chosen";
    const at = state.stops.indexOf(bead);
    place.textContent = state.stops.length ? `${at < 0 ? "–" : at + 1} of ${state.stops.length.toLocaleString("en")}` : "none";
  };
  // From the chosen one, else from what is in view, to the next of a list; round at its end.
  const step = (list, by, name) => {
    if (!list.length) {
      said.textContent = `There is no ${name}`;
      return;
    }
    let at = list.indexOf(state.chosen);
    if (at >= 0) at += by;
    else {
      const y = drawing.view.scrollTop;
      const found = state.chosen
        ? list.findIndex((bead) => bead.order > state.chosen.order)
        : list.findIndex((bead) => layout.span(bead)[0] >= y);
      at = found < 0 ? (by > 0 ? 0 : list.length - 1) : by > 0 ? found : found - 1;
    }
    at = (at + list.length) % list.length;
    const focus = !controls.contains(document.activeElement) && !panel.contains(document.activeElement);
    choose(list[at], { focus, lead: `${at + 1} of ${list.length}: ` });
  };
  const help = element("dialog", { class: "help", "aria-labelledby": "help-head" });
  const deeds = {
    next: () => step(state.stops, 1, what),
    previous: () => step(state.stops, -1, what),
    "next-bead": () => step(state.shown, 1, "bisegment"),
    "previous-bead": () => step(state.shown, -1, "bisegment"),
    help: () => (help.open ? help.close() : help.showModal()),
    system: () => {
      if (held.systems.length < 3) return;
      pick.value = String((state.hyp % (held.systems.length - 1)) + 1);
      take(Number(pick.value));
    },
    clear: () => {
      if (!state.chosen) return;
      choose(null);
      drawing.view.focus({ preventScroll: true });
    },
  };
  const keys = { n: "next", p: "previous", j: "next-bead", k: "previous-bead", h: "system", "?": "help" };
  const told = [
    ["n, p", `next, previous ${what}`],
    ["j, k", "next, previous bisegment; on a sign: arrows down, up"],
    ["Enter", "on a sign: its scores, ids and texts"],
    ...(held.systems.length > 2 ? [["h", "next hypothesis"]] : []),
    ["Escape", "nothing chosen"],
    ["arrows, Page Up, Page Down, Home, End", "in the texts: move"],
    ["?", "these keys"],
  ];
  bench.after(help);
  listenToKeys(help, {
    rows: told,
    close: button("Close", "Close", "help"),
    keys,
    deeds,
    deedAt: (event) => event.target.matches?.(".mark") && { ArrowDown: "next-bead", ArrowUp: "previous-bead" }[event.key],
  });

  // Controls.
  const pick = element("select", { id: "hypothesis" });
  held.systems.slice(1).forEach((system, n) => pick.append(element("option", { value: n + 1 }, system.name)));
  pick.addEventListener("change", () => take(Number(pick.value)));
  const place = element("span", { class: "place" });
  const name = (text) => `${text} ${what}`;
  controls.append(
    ...(held.systems.length > 2 ? [element("label", {}, "Hypothesis ", pick)] : []),
    element("span", { class: "steps" }, button(name("Previous"), "← Previous", "previous", "p"), place, button(name("Next"), "Next →", "next", "n")),
  );
  const box = (label, counted, onChange, sign, kind) => {
    const input = element("input", { type: "checkbox", checked: true });
    input.addEventListener("change", () => onChange(input.checked));
    const shown = sign ? [element("span", { class: kind, "aria-hidden": "true" }, sign), " "] : [];
    return element("label", { class: "box" }, input, element("span", {}, ...shown, label, " ", element("span", { class: "quiet" }, counted.toLocaleString("en"))));
  };
  const kinds = element("fieldset", { class: "kinds" });
  const types = element("details", { class: "types" });
  const scores = element("fieldset", { class: "scores" });
  controls.append(...(compared ? [kinds] : []), types, scores, button("Keys", "?", "help", "?"));
  const byCount = (list, of) => {
    const counts = new Map();
    for (const bead of list) counts.set(of(bead), (counts.get(of(bead)) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  };
  const switchOf = (chosen, value) => (on) => {
    if (on) chosen.delete(value);
    else chosen.add(value);
    sift();
  };
  const offer = () => {
    filter.kinds = new Set();
    filter.types = new Set();
    filter.from = filter.to = null;
    const counted = new Map(byCount(state.all, (bead) => bead.kind));
    const first = new Map(state.all.map((bead) => [bead.kind, bead]));
    kinds.replaceChildren(element("legend", {}, "Kind"));
    for (const kind of ["a", "p", "P", "m", "w"].map((letter) => WORDS[letter])) {
      const bead = first.get(kind);
      if (bead) kinds.append(box(kind, counted.get(kind), switchOf(filter.kinds, kind), bead.sign, CLASSES[bead.letter]));
    }
    const found = byCount(state.all, (bead) => bead.type);
    state.known = new Set(found.slice(0, found.length > 12 ? 11 : 12).map(([type]) => type));
    const rest = found.slice(state.known.size).reduce((sum, [, count]) => sum + count, 0);
    const group = element("fieldset", {}, element("legend", {}, "Bead type"));
    for (const [type, count] of found.slice(0, state.known.size)) group.append(box(type, count, switchOf(filter.types, type)));
    if (rest) group.append(box("others", rest, switchOf(filter.types, null)));
    types.replaceChildren(element("summary", {}, "Bead types"), group);
    const values = state.all.map((bead) => bead.score(state.hyp)).filter((value) => value !== null);
    scores.hidden = !values.length;
    if (!values.length) return;
    const low = values.reduce((a, b) => Math.min(a, b));
    const high = values.reduce((a, b) => Math.max(a, b));
    const field = (label, end, hint) => {
      const input = element("input", { type: "number", step: "any", placeholder: hint, "aria-label": `Score ${label}` });
      input.addEventListener("input", () => {
        filter[end] = input.value === "" ? null : Number(input.value);
        sift();
      });
      return element("span", {}, `${label} `, input);
    };
    scores.replaceChildren(element("legend", {}, "Score"), field("from", "from", low), " ", field("to", "to", high));
  };
  const passes = (bead) => {
    if (filter.kinds.has(bead.kind) || filter.types.has(state.known.has(bead.type) ? bead.type : null)) return false;
    if (filter.from === null && filter.to === null) return true;
    const score = bead.score(state.hyp);
    return score !== null && score >= (filter.from ?? -Infinity) && score <= (filter.to ?? Infinity);
  };
  const sift = () => {
    state.shown = state.all.filter(passes);
    state.stops = state.shown.filter((bead) => bead.differs);
    drawing.show(state.shown);
    drawMap();
    if (state.chosen && !state.shown.includes(state.chosen)) choose(null);
    else choose(state.chosen);
    said.textContent = `${state.shown.length} bisegments are shown, ${state.stops.length} ${compared ? "differ" : "are not 1-1"}`;
  };
  const take = (hyp) => {
    state.hyp = hyp;
    const key = state.chosen?.key;
    state.all = inOrder(beadsFor(hyp));
    state.chosen = state.all.find((bead) => bead.key === key) ?? null;
    offer();
    sift();
    for (const part of document.querySelectorAll("[data-of]")) part.classList.toggle("other", Number(part.dataset.of) !== hyp);
    if (compared) said.textContent = `Held against ${held.systems[hyp].name}: ${state.stops.length} differences`;
  };

  // The list of differences: the worst first, or in the order of the text.
  for (const list of document.querySelectorAll("#differences ol.beads")) {
    if (list.children.length < 2) continue;
    const ranked = [...list.children];
    const inText = [...ranked].sort((a, b) => a.dataset.at - b.dataset.at);
    const names = ["In the order of the text", "The worst first"];
    const turn = element("button", { type: "button" }, names[0]);
    let order = 0;
    turn.addEventListener("click", () => {
      order = 1 - order;
      list.append(...(order ? inText : ranked));
      turn.textContent = names[order];
      said.textContent = `The differences stand ${order ? "in the order of the text" : "the worst first"}`;
    });
    list.before(element("p", { class: "tools", "data-of": list.dataset.of }, turn));
  }

  // From the list of differences to their place.
  for (const item of document.querySelectorAll("#differences li[data-bead]")) {
    const jumpTo = element("button", { type: "button", "aria-label": `Show ${item.querySelector(".what").textContent.trim()}, ${item.dataset.bead}` }, "Show");
    jumpTo.addEventListener("click", () => {
      let bead = state.shown.find((one) => one.key === item.dataset.bead);
      if (!bead) {
        take(state.hyp); // without filters
        bead = state.shown.find((one) => one.key === item.dataset.bead);
      }
      bench.scrollIntoView({ block: "nearest" });
      choose(bead, { focus: true });
    });
    item.querySelector(".what").append(" ", jumpTo);
  }

  take(state.hyp);
  new ResizeObserver(() => {
    drawing.fit();
    drawMap();
  }).observe(drawing.view);
  drawing.fit();
  drawMap();
  tell(null);
  said.textContent = "";
})();
