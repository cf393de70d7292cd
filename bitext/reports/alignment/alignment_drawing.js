// The two columns with the ribbons between them: only what is in view is in the page.
const OVERSCAN = 400;
const HUB = 7; // half the height at which the arms of a discontinuous bisegment meet

const round = (x) => Math.round(x * 10) / 10;

// A ribbon from a span at x0 to a span at x1; its middle line goes from level to level.
const ribbon = (x0, [a0, b0], x1, [a1, b1]) => {
  const third = (x1 - x0) / 3;
  const [p, q] = [round(x0 + third), round(x1 - third)];
  [a0, b0, a1, b1, x0, x1] = [a0, b0, a1, b1, x0, x1].map(round);
  return `M${x0} ${a0}C${p} ${a0} ${q} ${a1} ${x1} ${a1}V${b1}C${q} ${b1} ${p} ${b0} ${x0} ${b0}Z`;
};
const middle = ([a, b]) => (a + b) / 2;
const along = (from, to, t) => from + (to - from) * t * t * (3 - 2 * t);

class Drawing {
  constructor(layout, onChoose) {
    this.layout = layout;
    this.beads = [];
    this.chosen = null;
    this.rows = new Map();
    this.marks = new Map();
    this.canvas = element("div", { class: "canvas" });
    this.view = element(
      "div",
      { class: "view", tabindex: "0", role: "region", "aria-label": "The two texts side by side" },
      this.canvas,
    );
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("class", "ribbons");
    this.svg.setAttribute("aria-hidden", "true");
    this.canvas.append(this.svg);
    this.view.addEventListener("scroll", () => this.soon());
    this.canvas.addEventListener("click", (event) => {
      const bead = this.beadAt(event.target);
      if (bead) onChoose(bead);
    });
    this.onScroll = () => {};
  }
  beadAt(target) {
    const key = target.closest("[data-key]")?.dataset.key;
    if (key !== undefined) return this.beads.find((bead) => bead.key === key);
    const row = target.closest(".row");
    if (!row) return null;
    const [side, k] = [Number(row.dataset.side), Number(row.dataset.k)];
    const those = this.beads.filter((bead) => bead.sides[side].includes(k));
    return those[(those.indexOf(this.chosen) + 1) % those.length]; // again: the next one there
  }
  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }
  // The width has changed, so all heights are estimated anew.
  fit() {
    const width = this.canvas.clientWidth;
    if (!width || width === this.width) return;
    const anchor = this.anchor();
    this.width = width;
    this.gutter = Math.round(Math.min(190, Math.max(76, width * 0.17)));
    this.column = (width - this.gutter) / 2;
    this.canvas.style.setProperty("--column", `${this.column}px`);
    const size = Number.parseFloat(getComputedStyle(this.canvas).fontSize);
    this.layout.estimate(this.column - 14, size * 0.48, size * 1.4, 8);
    this.measured = [0, 1].map((side) => new Uint8Array(held.sides[side].size));
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.keep(anchor);
    this.draw();
  }
  // The first row in view, and how far it is from the top: it stays there when heights change.
  anchor() {
    const top = this.view.scrollTop;
    if (!top) return null;
    const side = held.sides[0].size ? 0 : 1;
    const k = Math.min(this.layout.at(side, top), held.sides[side].size - 1);
    return { side, k, off: top - this.layout.tops[side][k] };
  }
  keep(anchor) {
    this.canvas.style.height = `${Math.ceil(this.layout.total)}px`;
    if (anchor) this.view.scrollTop = this.layout.tops[anchor.side][anchor.k] + anchor.off;
  }
  draw() {
    if (!this.width) return;
    for (let round = 0; round < 4; round++) {
      const anchor = this.anchor();
      if (!this.drawRows()) break;
      this.layout.renew();
      this.keep(anchor);
    }
    this.place();
    this.drawBeads();
    this.onScroll();
  }
  range() {
    const top = this.view.scrollTop - OVERSCAN;
    return [top, top + this.view.clientHeight + 2 * OVERSCAN];
  }
  // Puts the rows in view into the page; tells whether one is of another height than thought.
  drawRows() {
    const [top, bottom] = this.range();
    const wanted = new Set();
    const fresh = [];
    [0, 1].forEach((side) => {
      const tops = this.layout.tops[side];
      for (let k = this.layout.at(side, top); k < tops.length && tops[k] < bottom; k++) {
        const key = `${side} ${k}`;
        wanted.add(key);
        if (this.rows.has(key)) continue;
        const row = this.row(side, k);
        this.rows.set(key, row);
        if (!this.measured[side][k]) fresh.push([side, k, row]);
      }
    });
    for (const [key, row] of this.rows) {
      if (wanted.has(key)) continue;
      row.remove();
      this.rows.delete(key);
    }
    let moved = false;
    for (const [side, k, row] of fresh) {
      const height = row.offsetHeight;
      this.measured[side][k] = 1;
      if (Math.abs(height - this.layout.heights[side][k]) < 0.5) continue;
      this.layout.heights[side][k] = height;
      moved = true;
    }
    return moved;
  }
  row(side, k) {
    const text = held.sides[side].texts?.[k];
    const name = element("bdi", { class: "id" }, idOf(side, k));
    const made = element("div", { class: `row s${side}`, "data-side": side, "data-k": k });
    const inner = element("div", { class: "clamp" }, name);
    if (text !== undefined) inner.append(" ", element("bdi", {}, text));
    made.append(inner);
    if (gaps[side].has(k)) made.classList.add("gap");
    if (this.members?.[side].has(k)) made.classList.add("on");
    this.canvas.append(made);
    return made;
  }
  place() {
    for (const row of this.rows.values()) {
      row.style.top = `${this.layout.tops[Number(row.dataset.side)][Number(row.dataset.k)]}px`;
    }
  }
  drawBeads() {
    const [top, bottom] = this.range();
    const found = [];
    for (const bead of this.beads) {
      const [from, to] = this.layout.span(bead);
      if (from < bottom && to > top) found.push(bead);
    }
    this.svg.style.top = `${top}px`;
    this.svg.setAttribute("width", this.gutter);
    this.svg.setAttribute("height", bottom - top);
    this.svg.setAttribute("viewBox", `0 ${top} ${this.gutter} ${bottom - top}`);
    const marks = [];
    const taken = [];
    const paths = found.map((bead) => {
      const { d, at } = this.shape(bead, top, bottom, taken);
      if (at[1] > top && at[1] < bottom) {
        marks.push([bead, at]);
        taken.push(at);
      }
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", `ribbon ${bead.look}${bead === this.chosen ? " on" : ""}`);
      path.setAttribute("d", d);
      path.dataset.key = bead.key;
      return path;
    });
    // The chosen one lies above all others.
    paths.sort((a, b) => a.classList.contains("on") - b.classList.contains("on"));
    this.svg.replaceChildren(...paths);
    this.drawMarks(marks);
  }
  // The outline of a bisegment, and where its sign stands: upon it, and clear of those taken.
  // What is far out of view is left out.
  shape(bead, top, bottom, taken = []) {
    const { gutter, layout } = this;
    const runs = bead.sides.map((members, side) =>
      runsOf(members).map(([a, b]) => [layout.tops[side][a] + 2, layout.bottom(side, b - 1) - 2]),
    );
    const empty = runs.findIndex((side) => !side.length);
    const centres = runs.map((side) => side.reduce((sum, run) => sum + middle(run), 0) / (side.length || 1));
    const plain = runs[0].length === 1 && runs[1].length === 1;
    const level = empty < 0 ? middle(centres) : centres[1 - empty];
    const clear = ([x, y]) => taken.every((other) => Math.abs(other[0] - x) >= 25 || Math.abs(other[1] - y) >= 25);
    // Signs of gold keep to the left, those of the hypothesis to the right, stubs to their side.
    const lane = "ao".includes(bead.letter) ? 0.5 : bead.look.endsWith("gold") ? 0.3 : 0.7;
    const lanes = empty < 0 ? [lane, 0.5, 0.3, 0.7, 0.14, 0.86] : [0.32, 0.14, 0.5, 0.68].map((t) => (empty ? t : 1 - t));
    const spots = lanes.map((t) => [t * gutter, plain ? along(centres[0], centres[1], t) : level]);
    const at = spots.find(clear) ?? spots[0];
    if (plain) return { d: ribbon(0, runs[0][0], gutter, runs[1][0]), at };
    const [x, y] = at;
    const hub = [y - HUB, y + HUB];
    const near = ([a, b]) => Math.min(a, y) < bottom && Math.max(b, y) > top;
    const arms = [0, 1].flatMap((side) => runs[side].filter(near).map((run) => ribbon(side * gutter, run, x, hub)));
    return { d: arms.join(""), at };
  }
  drawMarks(marks) {
    const wanted = new Set();
    for (const [bead, [x, y]] of marks) {
      wanted.add(bead.key);
      let mark = this.marks.get(bead.key);
      if (!mark) {
        mark = element(
          "button",
          { type: "button", class: `mark ${bead.look}`, "data-key": bead.key, tabindex: "-1", "aria-label": bead.label },
          element("span", { "aria-hidden": "true" }, bead.sign),
        );
        this.marks.set(bead.key, mark);
        this.canvas.append(mark);
      }
      mark.style.left = `${this.column + x - 12}px`;
      mark.style.top = `${y - 12}px`;
      mark.setAttribute("aria-pressed", String(bead === this.chosen));
    }
    for (const [key, mark] of this.marks) {
      if (wanted.has(key) || mark === document.activeElement) continue;
      mark.remove();
      this.marks.delete(key);
    }
    this.rove();
  }
  // One of the signs is in the order of Tab: the chosen one, else the first in view.
  rove() {
    const inside = [...this.marks.values()];
    const y = this.view.scrollTop;
    const first =
      this.marks.get(this.chosen?.key) ??
      inside.filter((mark) => Number.parseFloat(mark.style.top) >= y).sort((a, b) => Number.parseFloat(a.style.top) - Number.parseFloat(b.style.top))[0] ??
      inside[0];
    for (const mark of inside) mark.tabIndex = mark === first ? 0 : -1;
  }
  show(beads) {
    for (const mark of this.marks.values()) mark.remove();
    this.marks.clear();
    this.beads = beads;
    this.draw();
  }
  choose(bead) {
    this.chosen = bead;
    this.members = bead?.sides.map((members) => new Set(members));
    for (const row of this.rows.values()) {
      row.classList.toggle("on", Boolean(this.members?.[Number(row.dataset.side)].has(Number(row.dataset.k))));
    }
    this.soon();
  }
  // Brings a bisegment into view; heights that are measured on the way may move it once more.
  reveal(bead) {
    for (let round = 0; round < 3; round++) {
      const [from, to] = this.layout.span(bead);
      const { scrollTop, clientHeight } = this.view;
      if (from >= scrollTop && to <= scrollTop + clientHeight) break;
      const at = to - from < clientHeight * 0.7 ? (from + to - clientHeight) / 2 : this.shape(bead, -Infinity, Infinity).at[1] - clientHeight / 2;
      this.view.scrollTop = at;
      this.draw();
    }
    this.draw();
  }
}
