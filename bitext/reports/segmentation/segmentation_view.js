// What is in view, and what is read of it.
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
