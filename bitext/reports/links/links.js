// One sentence pair at a time: its words in two columns, and its links as lines between them.
(() => {
  const held = JSON.parse(document.getElementById("data").textContent);
  const said = document.querySelector(".said");
  const bench = document.getElementById("bench");
  const controls = document.getElementById("controls");
  document.documentElement.classList.add("js");
  const compared = held.systems.length > 0;
  const CLASSES = { a: "agreed", l: "allowed", m: "missed", o: "open", w: "wrong" };
  const scored = Boolean(held.scored); // links alone, with probabilities
  const marked = compared || !scored || held.pairs.some((pair) => pair.links.some((link) => link[2] === 1));
  const NAMES = compared ? CLASSES : { a: marked ? "sure" : "", o: "possible" };
  const DOUBTFUL = 0.5; // probability of a link below which a pair has a doubtful one
  const SIGNS = { a: "●", l: "◆", m: "○", o: "◌", w: "✕" };
  const FAULTS = "mw";
  const STEP = 26; // pixels of a word
  const KNOB = 0.28; // where on a line its sign is, from the source: there few lines share a point
  const number = new Intl.NumberFormat("en");

  const svg = (tag, attributes) => {
    const made = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const state = { system: 0, shown: [], pair: null, stops: [], stop: -1 };
  const filter = { pairs: "all", hidden: new Set(), text: "" };

  const kindOf = (link, system) => {
    const [, , gold, systems] = link;
    if (!compared) return gold === 2 ? "a" : "o";
    const has = systems.includes(system);
    if (!gold) return has ? "w" : "";
    return gold === 2 ? (has ? "a" : "m") : has ? "l" : "o";
  };
  // The links of a pair for the chosen system, each with its kind.
  const linksOf = (pair) =>
    pair.links.map((link, k) => ({ k, src: link[0], tgt: link[1], kind: kindOf(link, state.system), chance: pair.chances?.[k] })).filter((link) => link.kind);
  const tally = (pair) => {
    const counts = {};
    for (const { kind } of linksOf(pair)) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  };
  const wordAt = (pair, side, at) => (at < 0 ? "(none)" : pair[side ? "tgt" : "src"]?.[at] ?? "");
  const spelled = (pair, link) => [0, 1].map((side) => {
    const at = side ? link.tgt : link.src;
    return at < 0 ? "(none)" : `${at} ${wordAt(pair, side, at)}`.trim();
  });
  const nameOf = (pair) => `Pair ${number.format(pair.number)}${pair.text ? `, ${pair.text}` : ""}`;
  held.pairs.forEach((pair, k) => {
    pair.k = k;
    pair.searched = [pair.src, pair.tgt].map((words) => (words ?? []).join(" ")).join("\n").toLocaleLowerCase();
  });

  const finder = element("nav", { class: "finder", "aria-label": "Sentence pairs", tabindex: "0" });
  const list = element("ul");
  const none = element("p", { class: "quiet" }, "No sentence pair is found.");
  finder.append(list, none);
  const panel = element("section", { class: "pair", "aria-label": "Chosen sentence pair", tabindex: "0" });
  bench.append(finder, panel);
  if (!held.pairs.length) bench.hidden = true;

  const rounded = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
  const chanceOf = (pair) => [
    element("span", { class: "sure", title: "mean probability of the best link of each word" }, rounded(pair.probability)),
    element("span", {}, `${number.format(pair.links.length + pair.leftOut)} link${pair.links.length + pair.leftOut === 1 ? "" : "s"}`),
  ];
  const marks = (counts) =>
    [..."wmlao"].filter((kind) => counts[kind] && (compared ? FAULTS.includes(kind) : true)).map((kind) =>
      element("span", { class: CLASSES[kind] }, `${compared ? SIGNS[kind] : ""} ${counts[kind]} ${NAMES[kind]}`.trim()));
  const entries = new Map();
  const enter = () => {
    entries.clear();
    list.replaceChildren(...state.shown.map((pair) => {
      const snippet = (pair.src ?? pair.tgt ?? []).slice(0, 14).join(" ");
      const button = element("button", { type: "button" },
        element("span", {}, element("bdi", {}, nameOf(pair)), " "), element("span", { class: "tally" }, ...(scored ? chanceOf(pair) : []), ...(marked ? marks(tally(pair)) : [])),
        element("bdi", { class: "snippet" }, snippet));
      button.addEventListener("click", () => choose(pair));
      entries.set(pair, button);
      return element("li", {}, button);
    }));
    none.hidden = state.shown.length > 0;
  };

  // The drawing of the chosen pair.
  let parts = [];
  const wordsOf = (pair, side, links) => {
    const words = pair[side ? "tgt" : "src"];
    const size = Math.min(pair.sizes[side], 500);
    const nowhere = links.some((link) => (side ? link.tgt : link.src) < 0);
    const linked = new Set(links.filter((link) => !compared || !"mo".includes(link.kind)).map((link) => (side ? link.tgt : link.src)));
    const column = element("ol", { class: `s${side}`, "aria-label": side ? "Target words" : "Source words" });
    for (let at = nowhere ? -1 : 0; at < size; at++) {
      const text = at < 0 ? "(none)" : words?.[at] ?? "";
      const item = element("li", { title: text, class: linked.has(at) ? "" : "bare" },
        ...(at < 0 ? [] : [element("span", { class: "at" }, String(at))]), element("bdi", {}, text));
      item.addEventListener("pointerenter", () => light((link) => (side ? link.tgt : link.src) === at));
      item.addEventListener("pointerleave", () => light(null));
      column.append(item);
    }
    return { column, first: nowhere ? -1 : 0 };
  };
  const light = (wanted) => {
    const chosen = state.stops[state.stop];
    const drawn = panel.querySelector(".drawing");
    if (!drawn) return;
    const test = wanted ?? ((link) => chosen?.pair === state.pair && chosen.link.k === link.k);
    const lit = parts.filter((part) => test(part.link));
    drawn.classList.toggle("dim", lit.length > 0);
    for (const part of parts) part.shapes.forEach((shape) => shape.classList.toggle("on", lit.includes(part)));
    for (const item of drawn.querySelectorAll("li.on")) item.classList.remove("on");
    for (const part of lit) part.words.forEach((word) => word?.classList.add("on"));
    for (const button of panel.querySelectorAll(".linked button"))
      button.setAttribute("aria-pressed", chosen?.pair === state.pair && Number(button.dataset.link) === chosen.link.k);
  };
  const knob = (kind, x, y) => {
    const d = {
      w: `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x - 5} ${y + 5}L${x + 5} ${y - 5}`,
      m: `M${x - 4.5} ${y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z`,
      l: `M${x} ${y - 4.5}L${x + 4.5} ${y}L${x} ${y + 4.5}L${x - 4.5} ${y}Z`,
    }[kind];
    return d ? [svg("path", { class: `knob ${CLASSES[kind]}`, d })] : [];
  };
  const draw = () => {
    const pair = state.pair;
    const lines = panel.querySelector(".drawing svg");
    if (!lines) return;
    const links = linksOf(pair).filter((link) => !filter.hidden.has(link.kind));
    const [source, target] = panel.querySelectorAll(".drawing ol");
    const offset = [source, target].map((column) => Number(column.dataset.first));
    const width = Math.max(lines.clientWidth, 40);
    const height = STEP * Math.max(source.children.length, target.children.length, 1);
    lines.setAttribute("viewBox", `0 0 ${width} ${height}`);
    lines.setAttribute("height", height);
    // What is wrong lies on top.
    const order = [...links].sort((a, b) => "oalmw".indexOf(a.kind) - "oalmw".indexOf(b.kind));
    parts = order.map((link) => {
      const [y1, y2] = [link.src - offset[0], link.tgt - offset[1]].map((row) => (row + 0.5) * STEP);
      const x = 4 + KNOB * (width - 8);
      const shapes = [svg("path", { class: `link ${CLASSES[link.kind]}`, d: `M4 ${y1}L${width - 4} ${y2}` }),
        ...(compared ? knob(link.kind, x, y1 + KNOB * (y2 - y1)) : [])];
      if (link.chance) shapes[0].style.setProperty("--chance", String(link.chance[0] ?? 0));
      return { link, shapes, words: [source.children[link.src - offset[0]], target.children[link.tgt - offset[1]]] };
    });
    lines.replaceChildren(...parts.flatMap((part) => part.shapes));
    light(null);
  };

  const cell = (value) => (value === null ? "-" : value.toFixed(4));
  const figures = (pair) => {
    const heads = ["system", "precision", "recall", "F", "AER"].map((name) => element("th", { scope: "col" }, name));
    const rows = held.systems.map((name, k) => element("tr", { "aria-current": k === state.system ? "true" : undefined },
      element("th", { scope: "row" }, element("bdi", {}, name)), ...pair.figures[k].map((value) => element("td", {}, cell(value)))));
    return element("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": "Figures of this pair" },
      element("table", { class: "counts" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
  };
  const linkButton = (pair, link) => {
    const [source, target] = spelled(pair, link);
    const button = element("button", { type: "button", class: CLASSES[link.kind], "data-link": link.k, "aria-pressed": "false" },
      element("span", { "aria-hidden": "true" }, compared ? SIGNS[link.kind] : ""), ` ${NAMES[link.kind]} `,
      element("span", { class: "words" }, element("bdi", {}, source), " – ", element("bdi", {}, target)),
      ...(link.chance ? [" ", element("span", { class: "chance" }, link.chance.map((value, way) => `${["", "→ ", "← "][way]}${rounded(value)}`).join(" "))] : []));
    button.addEventListener("click", () => {
      state.stop = state.stops.findIndex((stop) => stop.pair === pair && stop.link.k === link.k);
      if (state.stop >= 0) toStop(state.stop, { quiet: true });
      else light((other) => other.k === link.k);
    });
    button.addEventListener("pointerenter", () => light((other) => other.k === link.k));
    button.addEventListener("pointerleave", () => light(null));
    return button;
  };
  const show = () => {
    const pair = state.pair;
    if (!pair) {
      panel.replaceChildren(element("p", { class: "quiet" }, "No sentence pair is chosen."));
      return;
    }
    const links = linksOf(pair);
    const drawing = element("div", { class: scored ? "drawing scored" : "drawing" });
    drawing.style.setProperty("--step", `${STEP}px`);
    const columns = [0, 1].map((side) => wordsOf(pair, side, links));
    columns.forEach(({ column, first }) => { column.dataset.first = first; });
    const lines = svg("svg", { "aria-hidden": "true" });
    drawing.append(columns[0].column, lines, columns[1].column);
    const faults = links.filter((link) => (compared ? FAULTS.includes(link.kind) : true));
    const both = links.some((link) => link.chance?.length > 1) ? ", forward (→) and backward (←)" : "";
    const title = compared ? `Differences of ${held.systems[state.system]}` : scored ? `Links, with their probability${both}` : "Links";
    const left = Math.max(0, ...pair.sizes) > 500 || pair.leftOut
      ? [element("p", { class: "quiet" }, `Words from the 501st on, and ${number.format(pair.leftOut)} links of them, are left out.`)] : [];
    panel.replaceChildren(
      element("h3", {}, element("bdi", {}, nameOf(pair))),
      ...(compared ? [figures(pair)] : []),
      drawing, ...left,
      element("h4", {}, title),
      faults.length ? element("ul", { class: "linked" }, ...faults.map((link) => element("li", {}, linkButton(pair, link))))
        : element("p", { class: "quiet" }, "None."),
    );
    panel.scrollTop = 0;
    draw();
  };

  const choose = (pair, { lead = "" } = {}) => {
    if (state.stops[state.stop]?.pair !== pair) state.stop = -1;
    entries.get(state.pair)?.removeAttribute("aria-current");
    state.pair = pair;
    const entry = entries.get(pair);
    entry?.setAttribute("aria-current", "true");
    entry?.scrollIntoView({ block: "nearest" });
    show();
    place();
    if (pair) said.textContent = `${lead}${nameOf(pair)}`;
  };
  const place = () => {
    const total = state.stops.length;
    where.textContent = total ? `${state.stop < 0 ? "–" : number.format(state.stop + 1)} of ${number.format(total)}` : "none";
  };
  const toStop = (at, { quiet = false } = {}) => {
    state.stop = at;
    const { pair, link } = state.stops[at];
    if (state.pair !== pair) choose(pair);
    else light(null);
    place();
    panel.querySelector(`.linked button[data-link="${link.k}"]`)?.setAttribute("aria-pressed", "true");
    if (!quiet) parts.find((part) => part.link.k === link.k)?.words[0]?.scrollIntoView({ block: "nearest" });
    const [source, target] = spelled(pair, link);
    said.textContent = `${at + 1} of ${state.stops.length}: ${NAMES[link.kind]}, ${source} to ${target}, ${nameOf(pair)}`;
  };
  const stepLink = (by) => {
    const total = state.stops.length;
    if (!total) {
      said.textContent = "There is no difference";
      return;
    }
    let at = state.stop + by;
    if (state.stop < 0) {
      const after = state.stops.findIndex((stop) => stop.pair.k >= (state.pair?.k ?? 0));
      at = by > 0 ? (after < 0 ? 0 : after) : (after < 0 ? total : after) - 1;
    }
    toStop((at + total) % total);
  };
  const stepPair = (by) => {
    const total = state.shown.length;
    if (!total) return;
    const at = state.shown.indexOf(state.pair);
    choose(state.shown[(at + by + total) % total]);
  };

  const help = element("dialog", { class: "help", "aria-labelledby": "help-head" });
  const button = (label, sign, deed, key) => {
    const made = element("button", { type: "button", "aria-label": label, title: key ? `${label} (${key})` : label, "data-do": deed }, sign);
    made.addEventListener("click", () => deeds[deed]());
    return made;
  };
  const deeds = {
    next: () => stepLink(1),
    previous: () => stepLink(-1),
    "next-pair": () => stepPair(1),
    "previous-pair": () => stepPair(-1),
    help: () => (help.open ? help.close() : help.showModal()),
    system: () => {
      if (held.systems.length < 2) return;
      state.system = (state.system + 1) % held.systems.length;
      pick.value = String(state.system);
      take(`${held.systems[state.system]}: `);
    },
    clear: () => {
      state.stop = -1;
      light(null);
      place();
    },
  };
  const keys = { j: "next-pair", k: "previous-pair", "?": "help", ...(compared ? { n: "next", p: "previous", h: "system" } : {}) };
  const told = [
    ...(compared ? [["n, p", "next, previous difference"]] : []),
    ["j, k", "next, previous sentence pair"],
    ...(held.systems.length > 1 ? [["h", "next system"]] : []),
    ["Escape", "no link chosen"],
    ["?", "these keys"],
  ];
  bench.after(help);
  listenToKeys(help, {
    rows: told,
    close: button("Close", "Close", "help"),
    keys,
    deeds,
  });

  // Controls.
  const where = element("span", { class: "place" });
  const pick = element("select", { id: "system" });
  held.systems.forEach((name, k) => pick.append(element("option", { value: k }, name)));
  pick.addEventListener("change", () => {
    state.system = Number(pick.value);
    take();
  });
  const which = element("select", { id: "pairs" });
  const choices = [["all", "all"], ["differences", "with differences"], ["w", "with wrong links"], ["m", "with missed links"], ["o", "with open links"]];
  const alone = [
    choices[0],
    ...(scored ? [["doubtful", `with a link below ${DOUBTFUL}`], ["bare", "with words without a link"]] : []),
    ...(marked ? [["o", "with possible links"]] : []),
  ];
  for (const [value, text] of compared ? choices : alone) which.append(element("option", { value }, text));
  which.addEventListener("change", () => {
    filter.pairs = which.value;
    take();
  });
  const order = element("select", { id: "order" }, element("option", { value: "worst" }, compared ? "the worst first" : "the least probable first"), element("option", { value: "text" }, "as in the text"));
  order.addEventListener("change", () => {
    state.pair = null; // and its first pair is shown
    take();
  });
  const find = element("input", { type: "search", id: "find", placeholder: "words", "aria-label": "Sentence pairs with these words" });
  find.addEventListener("input", () => {
    filter.text = find.value.trim().toLocaleLowerCase();
    take();
  });
  const found = element("span", { class: "quiet" });
  const kinds = element("fieldset", { class: "kinds" }, element("legend", {}, "Lines"));
  for (const kind of compared ? "almwo" : "ao") {
    const input = element("input", { type: "checkbox", checked: true });
    input.addEventListener("change", () => {
      if (input.checked) filter.hidden.delete(kind);
      else filter.hidden.add(kind);
      take();
    });
    kinds.append(element("label", { class: "box" }, input, element("span", {}, element("span", { class: CLASSES[kind], "aria-hidden": "true" }, compared ? SIGNS[kind] : ""), ` ${NAMES[kind]}`)));
  }
  controls.append(
    ...(held.systems.length > 1 ? [element("label", {}, "System ", pick)] : []),
    ...(compared ? [element("span", { class: "steps" }, button("Previous difference", "← Previous", "previous", "p"), where, button("Next difference", "Next →", "next", "n"))] : []),
    element("label", {}, "Pairs ", which), ...(compared || scored ? [element("label", {}, "Order ", order)] : []), find, found, ...(marked ? [kinds] : []), button("Keys", "?", "help", "?"),
  );

  const wanted = (pair) => {
    if (filter.text && !pair.searched.includes(filter.text)) return false;
    if (filter.pairs === "all") return true;
    if (filter.pairs === "doubtful") return pair.chances.some(([chance]) => chance < DOUBTFUL);
    if (filter.pairs === "bare") return [0, 1].some((side) => new Set(pair.links.map((link) => link[side]).filter((at) => at >= 0)).size < pair.sizes[side]);
    const counts = tally(pair);
    return filter.pairs === "differences" ? counts.m || counts.w : counts[filter.pairs];
  };
  // What is shown changes: the pairs of the list, the differences to step through, the drawing.
  const take = (lead = "") => {
    state.shown = held.pairs.filter(wanted);
    if (compared && order.value === "worst") {
      const faults = new Map(state.shown.map((pair) => [pair, [...FAULTS].reduce((sum, kind) => sum + (tally(pair)[kind] ?? 0), 0)]));
      state.shown.sort((a, b) => faults.get(b) - faults.get(a)); // equal ones as in the text
    }
    if (scored && order.value === "worst") state.shown.sort((a, b) => (a.probability ?? 2) - (b.probability ?? 2));
    state.stops = state.shown.flatMap((pair) =>
      linksOf(pair).filter((link) => FAULTS.includes(link.kind) && !filter.hidden.has(link.kind)).map((link) => ({ pair, link })));
    state.stop = -1;
    enter();
    choose(state.shown.includes(state.pair) ? state.pair : state.shown[0] ?? null);
    found.textContent = `${number.format(state.shown.length)} of ${number.format(held.size)} pairs`;
    said.textContent = `${lead}${found.textContent}`;
  };
  take();

  // The lexicon: rows with words that are looked for.
  const lexicon = document.querySelector("#lexicon table, section[aria-labelledby=lexicon-head] table");
  if (lexicon) {
    const rows = [...lexicon.tBodies[0].rows];
    const wordsOfRow = rows.map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent).join("\n").toLocaleLowerCase());
    const seek = element("input", { type: "search", placeholder: "words", "aria-label": "Linked words with these letters" });
    const count = element("span", { class: "quiet", role: "status" });
    seek.addEventListener("input", () => {
      const text = seek.value.trim().toLocaleLowerCase();
      rows.forEach((row, k) => { row.hidden = !wordsOfRow[k].includes(text); });
      count.textContent = `${number.format(rows.filter((row) => !row.hidden).length)} of ${number.format(rows.length)} rows`;
    });
    lexicon.parentElement.before(element("div", { class: "tools" }, seek, count));
  }
  new ResizeObserver(draw).observe(panel);
  said.textContent = "";
})();
