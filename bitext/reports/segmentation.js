"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { sizes, shapes, kinds, kindNames, references, systems } = data;
  const find = (selector) => document.querySelector(selector);
  const view = find(".view");
  const said = find(".said");
  const detail = find(".detail");
  const list = find(".errors");
  document.documentElement.classList.add("js");

  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return parent.appendChild(element);
  };
  const html = (name, className, text, parent) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    if (parent) parent.appendChild(element);
    return element;
  };
  // The first of ascending numbers that is not below a value.
  const search = (numbers, value) => {
    let low = 0;
    let high = numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const cut = (name) => ([...name].length > 28 ? `${[...name].slice(0, 27).join("")}…` : name);
  const room = (text, size) => text.length * size * 0.56;

  // What is chosen: text, reference, hypothesis; the error and the segment that the cursor is at.
  const state = { text: 0, reference: 0, hyp: 0, scale: 20, error: -1, strip: "hyp", segment: -1 };
  const off = new Set();
  let text = null;
  let pair = null;
  let lanes = [];

  const bounds = (masses) => {
    const found = [0];
    for (const mass of masses) found.push(found[found.length - 1] + mass);
    return found;
  };
  const prepare = (raw) => {
    if (raw.ready) return raw;
    raw.refBounds = raw.references.map(bounds);
    raw.hypBounds = raw.hyps.map(bounds);
    raw.n = raw.refBounds[0][raw.refBounds[0].length - 1];
    for (const one of raw.pairs.flat()) {
      one.count = one.edges.length / 5;
      one.inHyp = new Map();
      for (let k = 0; k < one.count; k += 1) {
        const hyp = one.edges[5 * k + 1];
        one.inHyp.set(hyp, (one.inHyp.get(hyp) || 0) + 1);
      }
      one.errors = one.errors.map(([kind, gold, hyp, type], number) => ({ kind, gold, hyp, type, number }));
      for (const error of one.errors) error.place = error.gold ?? error.hyp;
    }
    raw.ready = true;
    return raw;
  };
  const nameOf = (error) => {
    const by = kinds[error.kind] === "shifted" ? ` by ${error.hyp > error.gold ? "+" : ""}${error.hyp - error.gold}` : "";
    return kindNames[error.kind] + by + (error.type ? ` (type ${error.type})` : "");
  };
  const counted = (one) => {
    const told = kinds.map((_, k) => [one.errors.filter((error) => error.kind === k).length, k])
      .filter(([count]) => count).map(([count, k]) => `${count.toLocaleString("en")} ${kindNames[k]}`);
    return [...told, `${one.right.length.toLocaleString("en")} right`].join(", ");
  };
  const shownErrors = () => pair.errors.filter((error) => !off.has(error.kind));

  // The lanes from above, as in the drawing without scripts.
  const layLanes = () => {
    const found = [];
    let y = sizes.axis;
    const lane = (kind, high, more) => {
      found.push({ kind, y, high, ...more });
      y += high;
    };
    if (text.votes) {
      lane("head", sizes.head, { name: `votes of ${references.length} references`, more: "windows of WiSeBE" });
      lane("votes", sizes.votes);
    }
    references.forEach((name, k) => {
      if (k === state.reference) return;
      lane("head", sizes.head, { name });
      lane("strip", sizes.thin, { bounds: text.refBounds[k], id: `ref${k}`, name });
    });
    const reference = references[state.reference];
    lane("head", sizes.head, { name: reference, more: references.length > 1 ? "reference" : "" });
    lane("strip", sizes.strip, { bounds: text.refBounds[state.reference], id: "gold", name: reference, full: true, pair, gold: true });
    lane("edges", sizes.edges);
    const hyp = systems[state.hyp];
    lane("strip", sizes.strip, { bounds: text.hypBounds[state.hyp], id: "hyp", name: hyp, full: true, pair });
    lane("head", sizes.head + sizes.gap, { name: hyp, more: counted(pair) });
    lane("errors", sizes.errors);
    systems.forEach((name, k) => {
      if (k === state.hyp) return;
      const other = text.pairs[state.reference][k];
      lane("head", sizes.head, { name, more: counted(other) });
      lane("strip", sizes.thin, { bounds: text.hypBounds[k], id: `hyp${k}`, name, pair: other });
    });
    lanes = found;
    return y + sizes.gap;
  };
  let height = 0;

  // Draw the units from `first` to `last`; `at` gives the place of one in pixels.
  const draw = (svg, first, last, at, width) => {
    svg.replaceChildren();
    make("rect", { class: "ground", width, height }, svg);
    const scale = at(1) - at(0);
    svg.classList.toggle("dense", dense(scale));
    drawAxis(svg, first, last, at, scale);
    for (const lane of lanes) drawers[lane.kind](svg, lane, first, last, at, scale);
  };
  const STEPS = [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4, 5, 6].map((power) => step * 10 ** power)).sort((a, b) => a - b);
  const drawAxis = (svg, first, last, at, scale) => {
    const step = STEPS.find((one) => one * scale >= Math.max(28, room(String(text.n), 11) + 8)) || 10 ** 7;
    const y = sizes.axis - 4;
    let path = `M${at(Math.max(0, first)).toFixed(1)} ${y}H${at(Math.min(text.n, last)).toFixed(1)}`;
    for (let place = Math.max(0, Math.ceil(first / step) * step); place <= Math.min(text.n, last); place += step) {
      path += `M${at(place).toFixed(1)} ${y}v-4`;
      make("text", { class: "number", x: at(place).toFixed(1), y: 10 }, svg, place);
    }
    make("path", { class: "tick", d: path }, svg);
  };
  const visibleErrors = (one, first, last) => one.errors.filter(
    (error) => !off.has(error.kind) && Math.max(error.place, error.hyp ?? 0) >= first && Math.min(error.place, error.hyp ?? error.place) <= last,
  );
  const dense = (scale) => (text.n / (text.refBounds[state.reference].length - 1)) * scale < 9;
  const drawers = {
    head(svg, lane, first, last, at) {
      const head = make("text", { class: "head", x: at.left, y: lane.y + 13 }, svg, lane.more ? cut(lane.name) : lane.name);
      if (lane.more) make("tspan", { class: "more", dx: 5 }, head, lane.more);
    },
    votes(svg, lane, first, last, at, scale) {
      const high = lane.high - 8;
      const hits = text.hits[state.hyp];
      if (dense(scale)) {
        // Of very many only how high they are.
        let bars = "";
        for (const [place, votes] of text.votes) {
          if (place >= first && place <= last) bars += `M${at(place).toFixed(1)} ${lane.y + high + 2}v${(-(high * votes) / references.length).toFixed(1)}`;
        }
        make("path", { class: "tick", d: bars }, svg);
        return;
      }
      text.windows.forEach(([from, to, votes], k) => {
        if (to < first || from > last) return;
        const box = make("rect", {
          class: hits[k] ? "window hit" : "window", x: (at(from) - 6).toFixed(1), y: lane.y,
          width: (at(to) - at(from) + 12).toFixed(1), height: high + 4, rx: 5,
        }, svg);
        make("title", {}, box, `window of ${votes} votes, ${hits[k] ? "hit" : "not hit"}`);
      });
      for (const [place, votes] of text.votes) {
        if (place < first || place > last) continue;
        const size = ((high - 12) * votes) / references.length;
        make("rect", { class: "vote", x: (at(place) - 3).toFixed(1), y: (lane.y + high + 2 - size).toFixed(1), width: 6, height: size.toFixed(1) }, svg);
        make("text", { class: "count", x: at(place).toFixed(1), y: (lane.y + high - size - 1).toFixed(1) }, svg, votes);
      }
    },
    strip(svg, lane, first, last, at) {
      const edges = lane.bounds;
      const fills = ["", ""];
      const begin = Math.max(0, search(edges, first) - 1);
      for (let k = begin; k < edges.length - 1 && edges[k] < last; k += 1) {
        fills[k % 2] += `M${at(Math.max(edges[k], first)).toFixed(1)} ${lane.y}H${at(Math.min(edges[k + 1], last)).toFixed(1)}v${lane.high}H${at(Math.max(edges[k], first)).toFixed(1)}Z`;
      }
      fills.forEach((d, odd) => d && make("path", { class: `seg${odd ? " odd" : ""}${lane.full ? "" : " thin"}`, d }, svg));
      if (state.strip === lane.id && state.segment >= 0) {
        const [from, to] = [edges[state.segment], edges[state.segment + 1]];
        if (to > first && from < last) {
          const x = at(Math.max(from, first));
          make("rect", { class: "seg on", x: x.toFixed(1), y: lane.y, width: (at(Math.min(to, last)) - x).toFixed(1), height: lane.high }, svg);
        }
      }
      if (lane.pair) {
        const paths = Object.fromEntries([...kinds, "right"].map((kind) => [kind, ""]));
        const draw = (kind, place) => {
          if (place !== null && place >= first && place <= last) paths[kind] += `M${at(place).toFixed(1)} ${lane.y}v${lane.high}`;
        };
        for (let k = search(lane.pair.right, first); k < lane.pair.right.length && lane.pair.right[k] <= last; k += 1) draw("right", lane.pair.right[k]);
        for (const error of visibleErrors(lane.pair, first, last)) draw(kinds[error.kind], lane.gold ? error.gold : error.hyp);
        for (const [kind, d] of Object.entries(paths)) if (d) make("path", { class: `cut ${kind}`, d }, svg);
      }
      if (!lane.full) return;
      for (let k = begin; k < edges.length - 1 && edges[k] < last; k += 1) {
        const [x, far] = [at(Math.max(edges[k], first)), at(Math.min(edges[k + 1], last))];
        const told = String(edges[k + 1] - edges[k]);
        if (far - x > 10 * told.length) make("text", { class: "mass", x: ((x + far) / 2).toFixed(1), y: lane.y + 18 }, svg, told);
      }
    },
    edges(svg, lane, first, last, at) {
      const [gold, hyp] = [text.refBounds[state.reference], text.hypBounds[state.hyp]];
      const middle = (edges, k) => {
        const [from, to] = [Math.max(edges[k], first), Math.min(edges[k + 1], last)];
        return to > from ? at((from + to) / 2) : null;
      };
      const found = pair.edges;
      const paths = new Map();
      const numbers = [];
      const taken = [-Infinity, -Infinity];
      // Edges go from left to right on both sides.
      let [low, high] = [0, pair.count];
      while (low < high) {
        const half = (low + high) >> 1;
        if (Math.max(gold[found[5 * half] + 1], hyp[found[5 * half + 1] + 1]) < first) low = half + 1;
        else high = half;
      }
      for (let k = low; k < pair.count; k += 1) {
        const [g, h, shared, union, by] = found.slice(5 * k, 5 * k + 5);
        if (gold[g] > last && hyp[h] > last) break;
        const [x, far] = [middle(gold, g), middle(hyp, h)];
        if (x === null || far === null) continue;
        const share = shared / union;
        const key = `${Math.round(share * 10)} ${by === 2 ? "" : "one"}`;
        paths.set(key, (paths.get(key) || "") + `M${x.toFixed(1)} ${lane.y}L${far.toFixed(1)} ${lane.y + lane.high}`);
        const upper = pair.inHyp.get(h) > 1 ? 1 : 0;
        const down = upper ? 0.3 : 0.72;
        const told = `${shared}/${union}`;
        const where = x + down * (far - x);
        if (where - 4 * told.length > taken[upper]) {
          taken[upper] = where + 4 * told.length;
          numbers.push([where, lane.y + down * lane.high + 4, told]);
        }
      }
      for (const [key, d] of paths) {
        const [tenths, one] = key.split(" ");
        make("path", { class: `edge ${one}`, "stroke-opacity": 0.2 + 0.08 * tenths, "stroke-width": 1 + 0.3 * tenths, d }, svg);
      }
      // Where edges lie close all numbers would be noise.
      if (numbers.length * 34 > (at(last) - at(first)) * 2) return;
      for (const [x, y, told] of numbers) make("text", { class: "weight", x: x.toFixed(1), y: y.toFixed(1) }, svg, told);
    },
    errors(svg, lane, first, last, at, scale) {
      const y = lane.y + 8;
      let dots = "";
      for (let k = search(pair.right, first); k < pair.right.length && pair.right[k] <= last; k += 1) {
        dots += `M${(at(pair.right[k]) - 3).toFixed(1)} ${y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z`;
      }
      if (dots) make("path", { class: "mark right", d: dots }, svg);
      const mine = visibleErrors(pair, first, last);
      const few = mine.length <= 400;
      const lumps = new Map();
      let before = -Infinity;
      mine.forEach((error, k) => {
        const kind = kinds[error.kind];
        const [x, far] = [at(error.place), at(error.hyp ?? error.place)];
        const way = far > x ? 1 : -1;
        const arrow = kind === "shifted" ? `M${(x + 3 * way).toFixed(1)} ${y}H${far.toFixed(1)}m${-4 * way} -4L${far.toFixed(1)} ${y}l${-4 * way} 4` : "";
        if (few) {
          const group = make("g", { class: `mark ${kind}`, "data-error": error.number }, svg);
          make("title", {}, group, `${nameOf(error)}, after unit ${error.place}`);
          make("path", { transform: `translate(${x.toFixed(1)} ${y})`, d: shapes[kind] }, group);
          if (arrow) make("path", { d: arrow }, group);
          const next = k + 1 < mine.length ? at(mine[k + 1].place) : Infinity;
          const middle = (x + far) / 2;
          const free = 2 * Math.min(middle - before, next - middle) - 8;
          const names = [nameOf(error), kind === "shifted" ? nameOf(error).split(" by ")[1] : kindNames[error.kind]];
          const told = names.find((name) => room(name, 11) < free);
          if (told) {
            before = middle + room(told, 11) / 2;
            make("text", { class: `named ${kind}`, x: middle.toFixed(1), y: y + 20 }, svg, told);
          }
        } else {
          // Of very many a stroke each: hollow, whole, or half as high.
          const stroke = { missing: `v-7`, extra: `v14`, shifted: `h4`, retyped: `v7` }[kind];
          lumps.set(kind, (lumps.get(kind) || "") + `M${x.toFixed(1)} ${y - (kind === "extra" ? 7 : 0)}${stroke}`);
        }
        if (error.number === state.error) {
          make("rect", { class: "mark chosen", x: Math.min(x, far) - 10, y: y - 11, width: Math.abs(far - x) + 20, height: 22, rx: 6 }, svg);
        }
      });
      for (const [kind, d] of lumps) make("path", { class: `mark ${kind}`, d }, svg);
    },
  };

  // On the screen: a frame as wide as the whole text, of which what is in view is drawn.
  view.replaceChildren();
  const spacer = html("div", "spacer", undefined, view);
  const svg = make("svg", { class: "strips", role: "img" }, view);
  const overview = document.createElementNS(SVG, "svg");
  overview.setAttribute("class", "strips overview");
  overview.setAttribute("aria-hidden", "true");
  view.before(overview);
  const most = 8e6;
  const fitting = () => (view.clientWidth - 2 * sizes.pad) / text.n;
  const ends = () => {
    const first = (view.scrollLeft - sizes.pad) / state.scale;
    return [Math.max(0, first), Math.min(text.n, first + view.clientWidth / state.scale)];
  };
  let asked = 0;
  const refresh = () => {
    asked = asked || requestAnimationFrame(paint);
  };
  const paint = () => {
    if (asked) cancelAnimationFrame(asked);
    asked = 0;
    const [first, last] = ends();
    const left = view.scrollLeft;
    const at = (place) => sizes.pad + place * state.scale - left;
    at.left = sizes.pad;
    svg.setAttribute("width", view.clientWidth);
    svg.setAttribute("height", height);
    draw(svg, first, last, at, view.clientWidth);
    const box = overview.querySelector(".here");
    const width = overview.clientWidth || 1;
    if (box) {
      box.setAttribute("x", (first / text.n) * width);
      box.setAttribute("width", Math.max(3, ((last - first) / text.n) * width));
    }
  };
  const resize = () => {
    height = layLanes();
    spacer.style.width = `${text.n * state.scale + 2 * sizes.pad}px`;
    view.style.height = `${height + view.offsetHeight - view.clientHeight}px`;
    const width = overview.clientWidth || view.clientWidth;
    overview.replaceChildren();
    overview.setAttribute("viewBox", `0 0 ${width} 24`);
    const rows = Object.fromEntries(kinds.map((kind) => [kind, ""]));
    for (const error of shownErrors()) {
      const kind = kinds[error.kind];
      rows[kind] += `M${((error.place / text.n) * width).toFixed(1)} ${4 + 5 * error.kind}v5`;
    }
    make("rect", { class: "whole", x: 0.5, y: 0.5, width: Math.max(width - 1, 0), height: 23 }, overview);
    for (const [kind, d] of Object.entries(rows)) if (d) make("path", { class: `cut ${kind}`, d }, overview);
    make("rect", { class: "here", y: 1, height: 22 }, overview);
    overview.classList.toggle("spare", text.n * state.scale + 2 * sizes.pad <= view.clientWidth + 2);
    paint();
  };
  const zoom = (wanted, x = view.clientWidth / 2) => {
    const unit = (view.scrollLeft + x - sizes.pad) / state.scale;
    state.scale = Math.max(Math.min(fitting(), 40), Math.min(wanted, 80, most / text.n));
    resize();
    view.scrollLeft = unit * state.scale + sizes.pad - x;
    paint();
  };
  const show = (place) => {
    const x = sizes.pad + place * state.scale - view.scrollLeft;
    if (x < 60 || x > view.clientWidth - 60) view.scrollLeft = sizes.pad + place * state.scale - view.clientWidth / 2;
    paint();
  };

  // The panel below tells of what is under the pointer or the cursor.
  const MOST_UNITS = 60;
  const tellUnits = (title, first, last, mark) => {
    detail.replaceChildren();
    html("p", "what", title, detail);
    if (!text.units) return;
    const units = html("ol", "units", undefined, detail);
    units.start = first + 1;
    for (let k = first; k < Math.min(last, first + MOST_UNITS); k += 1) {
      const item = html("li", k === mark ? "after" : "", undefined, units);
      html("bdi", "", text.units[k], html("div", "", undefined, item));
    }
    if (last - first > MOST_UNITS) html("p", "quiet", `and ${last - first - MOST_UNITS} units more`, detail);
  };
  const laneOf = (id) => lanes.find((lane) => lane.id === id);
  const segmentTold = (lane, k) => {
    const [first, last] = [lane.bounds[k], lane.bounds[k + 1]];
    const where = last === first + 1 ? `unit ${last}` : `units ${first + 1} to ${last}`;
    let told = `${lane.name}: segment ${k + 1} of ${lane.bounds.length - 1}, ${where}`;
    if (lane.full) {
      const side = lane.gold ? 0 : 1;
      const others = [];
      for (let e = 0; e < pair.count; e += 1) {
        if (pair.edges[5 * e + side] === k) others.push(`${pair.edges[5 * e + 1 - side] + 1} (${pair.edges[5 * e + 2]}/${pair.edges[5 * e + 3]})`);
      }
      told += `; belongs to segment${others.length > 1 ? "s" : ""} ${others.join(", ")} of ${lane.gold ? systems[state.hyp] : references[state.reference]}`;
    }
    return told;
  };
  const choose = (id, segment, aloud) => {
    const lane = laneOf(id);
    state.strip = id;
    state.segment = segment;
    const told = segmentTold(lane, segment);
    tellUnits(told, lane.bounds[segment], lane.bounds[segment + 1]);
    if (aloud) said.textContent = told;
    refresh();
  };
  const under = (event) => {
    const frame = view.getBoundingClientRect();
    const y = event.clientY - frame.top;
    const lane = lanes.find((one) => one.kind === "strip" && y >= one.y && y < one.y + one.high);
    const unit = (event.clientX - frame.left + view.scrollLeft - sizes.pad) / state.scale;
    if (!lane || unit < 0 || unit >= text.n) return null;
    return [lane.id, search(lane.bounds, Math.floor(unit) + 1) - 1];
  };
  view.addEventListener("pointermove", (event) => {
    const found = under(event);
    if (found && (found[0] !== state.strip || found[1] !== state.segment)) choose(...found, false);
  });
  view.addEventListener("click", (event) => {
    const mark = event.target.closest?.("[data-error]");
    if (mark) return goTo(Number(mark.dataset.error));
    const found = under(event);
    if (found && /^hyp\d/.test(found[0])) pick("hyp", Number(found[0].slice(3)));
    if (found && /^ref\d/.test(found[0])) pick("reference", Number(found[0].slice(3)));
    return undefined;
  });

  // Errors one by one.
  const goTo = (number) => {
    state.error = number;
    const error = pair.errors[number];
    const mine = shownErrors();
    const told = `error ${mine.indexOf(error) + 1} of ${mine.length}: ${nameOf(error)}, after unit ${error.place}`;
    tellUnits(told, Math.max(0, error.place - 2), Math.min(text.n, Math.max(error.place, error.hyp ?? 0) + 2), error.place);
    said.textContent = told;
    show(error.place);
    listErrors();
  };
  const step = (way) => {
    const mine = shownErrors();
    if (!mine.length) {
      said.textContent = "no error is shown";
      return;
    }
    const now = mine.findIndex((error) => error.number === state.error);
    const to = now < 0 ? (way > 0 ? 0 : mine.length - 1) : (now + way + mine.length) % mine.length;
    goTo(mine[to].number);
  };
  const LISTED = 100;
  const listErrors = () => {
    const mine = shownErrors();
    const now = Math.max(0, mine.findIndex((error) => error.number === state.error));
    const first = Math.floor(now / LISTED) * LISTED;
    const focused = list.contains(document.activeElement);
    list.replaceChildren();
    list.start = first + 1;
    for (const error of mine.slice(first, first + LISTED)) {
      const item = html("li", "", undefined, list);
      const button = html("button", `error ${kinds[error.kind]}`, undefined, item);
      button.type = "button";
      html("b", "", nameOf(error), button);
      button.append(` after unit ${error.place}`);
      button.setAttribute("aria-pressed", String(error.number === state.error));
      button.addEventListener("click", () => goTo(error.number));
      if (focused && error.number === state.error) button.focus({ preventScroll: true });
    }
    find(".listed").textContent = mine.length
      ? `${first + 1} to ${Math.min(first + LISTED, mine.length)} of ${mine.length.toLocaleString("en")}`
      : "none";
  };

  // The values beside.
  const values = find(".values tbody");
  const listValues = () => {
    if (!values) return;
    values.replaceChildren();
    data.metrics.forEach((metric, k) => {
      const row = html("tr", "", undefined, values);
      html("th", "", metric, row).scope = "row";
      systems.forEach((_, s) => {
        html("td", s === state.hyp ? "chosen" : "", text.values[s]?.[k] ?? "-", row);
      });
    });
    find(".values .whose").textContent = text.name;
  };

  const pickers = Object.fromEntries([...document.querySelectorAll("select[data-pick]")].map((one) => [one.dataset.pick, one]));
  const pick = (what, value, aloud = true) => {
    state[what] = value;
    if (pickers[what]) pickers[what].value = String(value);
    text = prepare(data.texts[state.text]);
    pair = text.pairs[state.reference][state.hyp];
    state.error = -1;
    state.segment = -1;
    state.strip = "hyp";
    if (what === "text") {
      state.scale = Math.max(12, Math.min(64, fitting()));
      view.scrollLeft = 0;
    }
    resize();
    svg.setAttribute("aria-label", `${text.name}: ${systems[state.hyp]} against ${references[state.reference]}; ${counted(pair)}`);
    find(".whole-name").textContent = text.name;
    tellUnits(text.units ? "Point at a segment, or move to it with the arrow keys, to read it here." : "Point at a segment, or move to it with the arrow keys.", 0, 0);
    listErrors();
    listValues();
    onPaper();
    if (aloud) said.textContent = svg.getAttribute("aria-label");
  };
  for (const [what, picker] of Object.entries(pickers)) {
    picker.addEventListener("change", () => pick(what, Number(picker.value)));
  }
  for (const box of document.querySelectorAll("input[data-kind]")) {
    box.addEventListener("change", () => {
      if (box.checked) off.delete(Number(box.dataset.kind));
      else off.add(Number(box.dataset.kind));
      if (off.has(pair.errors[state.error]?.kind)) state.error = -1;
      resize();
      listErrors();
    });
  }
  for (const button of document.querySelectorAll("button[data-text]")) {
    button.addEventListener("click", () => {
      if (button.dataset.hyp !== undefined) pick("hyp", Number(button.dataset.hyp), false);
      pick("text", Number(button.dataset.text));
      find("#strips-head").scrollIntoView();
      view.focus({ preventScroll: true });
    });
  }
  const deeds = {
    "zoom-in": () => zoom(state.scale * 1.5),
    "zoom-out": () => zoom(state.scale / 1.5),
    "zoom-fit": () => zoom(fitting()),
    next: () => step(1),
    previous: () => step(-1),
  };
  for (const button of document.querySelectorAll("button[data-do]")) {
    button.addEventListener("click", () => deeds[button.dataset.do]());
  }
  const keys = { "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", f: "zoom-fit", n: "next", p: "previous" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
    if (!Object.hasOwn(keys, event.key)) return;
    deeds[keys[event.key]]();
    event.preventDefault();
  });
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const strips = lanes.filter((lane) => lane.kind === "strip");
    let row = Math.max(0, strips.findIndex((lane) => lane.id === state.strip));
    const now = state.segment;
    const edges = strips[row].bounds;
    let to = now;
    if (event.key === "ArrowRight") to = now < 0 ? search(edges, ends()[0]) : Math.min(now + 1, edges.length - 2);
    else if (event.key === "ArrowLeft") to = Math.max(0, now - 1);
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = edges.length - 2;
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      row = Math.min(strips.length - 1, Math.max(0, row + (event.key === "ArrowDown" ? 1 : -1)));
      const middle = now < 0 ? ends()[0] : (edges[now] + edges[now + 1]) / 2;
      to = Math.max(0, search(strips[row].bounds, middle + 0.25) - 1);
    } else if (event.key === "Enter" && /^hyp\d/.test(state.strip)) return pick("hyp", Number(state.strip.slice(3)));
    else if (event.key === "Enter" && /^ref\d/.test(state.strip)) return pick("reference", Number(state.strip.slice(3)));
    else return undefined;
    event.preventDefault();
    to = Math.min(to, strips[row].bounds.length - 2);
    choose(strips[row].id, to, true);
    show((strips[row].bounds[to] + strips[row].bounds[to + 1]) / 2);
    return undefined;
  });
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(state.scale * Math.exp(-event.deltaY / 400), event.clientX - view.getBoundingClientRect().left);
  }, { passive: false });
  view.addEventListener("scroll", refresh);
  window.addEventListener("resize", () => zoom(state.scale));
  const jump = (event) => {
    const frame = overview.getBoundingClientRect();
    const unit = ((event.clientX - frame.left) / frame.width) * text.n;
    view.scrollLeft = sizes.pad + unit * state.scale - view.clientWidth / 2;
  };
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    jump(event);
  });
  overview.addEventListener("pointermove", (event) => event.buttons && jump(event));

  // On paper the chosen text goes on from row to row.
  const paper = html("div", "paper", undefined, view.parentElement);
  const print = matchMedia("print");
  const ROW = 80;
  const MOST_ROWS = 50;
  const onPaper = () => {
    paper.replaceChildren();
    if (!print.matches) return;
    const length = Math.min(text.n, ROW);
    const scale = Math.min(64, 960 / length);
    for (let row = 0; row * ROW < text.n && row < MOST_ROWS; row += 1) {
      const [first, last] = [row * ROW, Math.min(text.n, (row + 1) * ROW)];
      const width = (last - first) * scale + 2 * sizes.pad;
      const sheet = make("svg", { class: "strips", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, paper);
      const at = (place) => sizes.pad + (place - first) * scale;
      at.left = sizes.pad;
      draw(sheet, first, last, at, width);
    }
    if (text.n > ROW * MOST_ROWS) html("p", "quiet", `The first ${ROW * MOST_ROWS} of ${text.n} units.`, paper);
  };
  print.addEventListener("change", () => onPaper());
  window.addEventListener("beforeprint", () => onPaper());

  pick("text", 0, false);
})();
