// Lanes drawn: the axis, votes, strips, the edges between them, and errors.
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
