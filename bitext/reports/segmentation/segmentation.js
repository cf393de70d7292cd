// Errors one by one, what is chosen, keys, and paper.
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
  const read = text.units ? ", to read it here." : text.unread ? ". What the units say is left out, for a page that stays small." : ".";
  tellUnits(`Point at a segment, or move to it with the arrow keys${read}`, 0, 0);
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
