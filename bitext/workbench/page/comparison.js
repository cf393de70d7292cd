// Two annotators of one document side by side: their differences alone, and which of them is right.
// What is decided goes into the alignment of the one who decides, as changes like others: the journal
// says who took what from whom, and undo takes it back.

import { ChangeRefused, SIDES, isEmptyBead, typeOf } from "./changes.js";
import { directionOf, element, languageTag, many, number, pushButton, visible } from "./elements.js";
import { VirtualList } from "./list.js";
import * as operations from "./operations.js";
import { helpDialog } from "./panels.js";
import { RequestFailed } from "./stores.js";

const spelled = (bead) => `${bead.source.join(" ")}|${bead.target.join(" ")}`;

// Return the stretches in which two lists of beads differ, each `{source, target, left, right}`: the
// beads that only one of them has, joined where they share a sentence.
export const differences = (left, right, order) => {
  const known = [left, right].map((beads) => new Set(beads.map(spelled)));
  const own = [left, right].map((beads, n) => beads.filter((bead) => !isEmptyBead(bead) && !known[1 - n].has(spelled(bead))));
  const group = new Map(); // a sentence: the group it is in
  const groups = new Set();
  own.forEach((beads, n) => beads.forEach((bead) => {
    const names = SIDES.flatMap((side) => bead[side].map((id) => `${side} ${id}`));
    const joined = { names: new Set(names), beads: [[], []] };
    for (const other of new Set(names.map((name) => group.get(name)).filter(Boolean))) {
      groups.delete(other);
      for (const name of other.names) joined.names.add(name);
      other.beads.forEach((list, k) => joined.beads[k].push(...list));
    }
    joined.beads[n].push(bead);
    groups.add(joined);
    for (const name of joined.names) group.set(name, joined);
  }));
  const place = (side, id) => order[side].get(id);
  return [...groups].map(({ names, beads }) => {
    const sentences = Object.fromEntries(SIDES.map((side) => [side, [...names].filter((name) => name.startsWith(`${side} `))
      .map((name) => name.slice(side.length + 1)).sort((a, b) => place(side, a) - place(side, b))]));
    return { ...sentences, left: beads[0], right: beads[1] };
  }).sort((a, b) => {
    const side = a.source.length && b.source.length ? "source" : a.target.length && b.target.length ? "target" : null;
    return side ? place(side, a[side][0]) - place(side, b[side][0]) : 0;
  });
};

// What has been decided of a difference, by the alignment that is decided in.
export const decided = (state, difference) => {
  const beads = SIDES.flatMap((side) => difference[side].flatMap((id) => state.beadsOf(side, id)));
  const held = [...new Set(beads)].map((id) => state.beads[state.index("beads").get(id)]);
  if (held.some((bead) => bead.state === "doubtful")) return "neither";
  const confirmed = new Set(held.filter((bead) => bead.state === "confirmed").map(spelled));
  for (const which of ["left", "right"]) if (difference[which].length && difference[which].every((bead) => confirmed.has(spelled(bead)))) return which;
  return held.length && held.every((bead) => bead.state === "confirmed") ? "other" : "open";
};

const SIGNS = { open: "○", left: "←", right: "→", neither: "?", other: "✓" };

const COMMANDS = [
  { name: "left", keys: ["1", "ArrowLeft"], label: "← Take left", help: "take the beads of the left annotator, and go on" },
  { name: "right", keys: ["2", "ArrowRight"], label: "Take right →", help: "take the beads of the right annotator, and go on" },
  { name: "neither", keys: ["0"], label: "? Neither", help: "take neither: your beads are marked as doubtful" },
  { name: "next", keys: ["n"], label: "Next open", help: "next difference that is not decided" },
  { name: "undo", keys: ["z", "Ctrl+z"], label: "↶ Undo", help: "undo" },
  { name: "redo", keys: ["Z", "Ctrl+y", "Ctrl+Shift+z"], label: "↷ Redo", help: "redo" },
  { name: "down", keys: ["ArrowDown", "j"], help: "next difference" },
  { name: "up", keys: ["ArrowUp", "k"], help: "difference above" },
  { name: "help", keys: ["?"], label: "? Keys", help: "these keys" },
].map((command) => ({ group: "Compare", ...command }));

export class Comparison {
  // `left` and `right` are states of two alignments of the document that `store` has another of.
  constructor(store, frame, left, right, keyOf) {
    Object.assign(this, { store, frame, left, right, keyOf });
    this.order = Object.fromEntries(SIDES.map((side) => [side, store.alignment.index(side)]));
    this.rows = differences(left.beads, right.beads, this.order);
    this.at = 0;
    this.letters = true;
    this.drawn = new Map();
    this.serial = 0;
    this.keys = new Map(COMMANDS.flatMap(({ name, keys }) => keys.map((key) => [key, name])));
    this.#build();
    this.#listen();
    this.changed();
  }

  #build() {
    const { state } = this;
    this.progress = element("p", { class: "progress quiet" });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.said = element("div", { class: "said", role: "status", "aria-live": "polite" });
    this.directions = Object.fromEntries(SIDES.map((side) => [side, directionOf(state.texts[side].language, state.rows[side])]));
    const toolbar = element("div", { class: "toolbar", role: "group", "aria-label": "Commands" },
      ...COMMANDS.filter(({ label }) => label).map(({ name, label, help, keys }) =>
        pushButton(label, () => this.run(name), { title: `${help} (${keys[0]})`, "aria-keyshortcuts": keys[0] })), this.problem);
    toolbar.addEventListener("mousedown", (event) => event.preventDefault());
    this.names = [this.left, this.right].map(({ alignment }) => visible(alignment.annotator || "proposal"));
    const heads = element("div", { class: "heads compared", "aria-hidden": "true" }, element("div", {}, element("bdi", {}, this.names[0])), element("div"), element("div", {}, element("bdi", {}, this.names[1])));
    this.grid = element("div", { class: "grid", role: "grid", tabindex: "0", "aria-label": "Differences", "aria-colcount": "3" });
    this.frame.replaceChildren(
      element("header", {}, element("h1", {}, "Differences in ", element("bdi", {}, visible(state.alignment.name))),
        element("a", { href: "#/" }, "All documents"), this.progress),
      element("main", {}, toolbar, heads, this.grid), this.said);
    this.list = new VirtualList(this.grid, {
      estimate: (k) => 60 * Math.max(this.rows[k].left.length, this.rows[k].right.length, 1),
      draw: (k) => this.#row(k),
    });
    this.list.reset(this.rows.length);
  }

  get state() {
    return this.store.alignment;
  }

  #row(k) {
    const status = decided(this.state, this.rows[k]);
    const key = `${status} ${k === this.at}`;
    let held = this.drawn.get(k);
    if (held?.key !== key) this.drawn.set(k, held = { key, row: this.#draw(k, status) });
    return held.row;
  }

  #draw(k, status) {
    const row = this.rows[k];
    const words = { open: "not decided", left: `taken: ${this.names[0]}`, right: `taken: ${this.names[1]}`, neither: "neither", other: "decided otherwise" };
    const side = (which) => element("div", { class: "cell", role: "gridcell" }, ...row[which].map((bead) => this.#bead(bead)),
      row[which].length ? null : element("p", { class: "none" }, "no bead of its own"));
    const state = element("div", { class: "middle", role: "gridcell", id: `difference-${this.serial++}` },
      element("span", { class: "decision", role: "img", "aria-label": words[status], title: words[status] }, SIGNS[status]),
      element("span", { class: "about" }, number.format(k + 1)));
    const made = element("div", { class: `bead ${status === "open" ? "proposed" : status === "neither" ? "doubtful" : "confirmed"}${k === this.at ? " chosen" : ""}`, role: "row", "aria-rowindex": k + 1, "aria-selected": k === this.at },
      side("left"), state, side("right"));
    made.addEventListener("click", () => this.choose(k));
    return made;
  }

  #bead(bead) {
    const text = (side) => element("div", { lang: languageTag(this.state.texts[side].language), dir: this.directions[side] },
      ...bead[side].slice(0, 50).map((id) => element("div", { class: "sentence" }, element("span", { class: "id", dir: "ltr" }, visible(id)), " ",
        element("bdi", { class: "text", dir: this.directions[side] }, visible(this.state.sentence(side, id)?.text ?? "")))),
      bead[side].length ? null : element("span", { class: "none", dir: "ltr" }, "–"));
    return element("div", { class: "compared-bead", title: typeOf(bead) }, text("source"), text("target"));
  }

  choose(k) {
    if (!this.rows[k]) return;
    this.at = k;
    this.list.reveal(k);
    this.#activate();
    this.said.textContent = `Difference ${k + 1} of ${this.rows.length}, ${decided(this.state, this.rows[k])}`;
  }

  #activate() {
    const cell = this.drawn.get(this.at)?.row.querySelector(".middle");
    if (cell?.isConnected) this.grid.setAttribute("aria-activedescendant", cell.id);
  }

  // Sentences may be others than before: somebody has split or joined them. Then both sides are read
  // again when the page is; a difference whose sentences are gone is decided nowhere.
  changed() {
    this.list.render();
    this.#activate();
    const open = this.rows.filter((row) => decided(this.state, row) === "open").length;
    this.progress.textContent = this.rows.length
      ? `${many(this.rows.length, "difference")}, ${number.format(open)} not decided; decisions go into the alignment of ${visible(this.state.alignment.annotator)}`
      : "There is no difference";
  }

  #take(which) {
    const row = this.rows[this.at];
    const name = `take ${this.names[which === "left" ? 0 : 1]}`.slice(0, 100);
    const beads = row[which];
    if (!beads.length) throw new ChangeRefused("This annotator has no bead here that the other has not");
    this.store.change(operations.adopt(this.state, beads, name));
    this.#next();
  }

  #next() {
    for (let k = 1; k <= this.rows.length; k++) {
      const at = (this.at + k) % this.rows.length;
      if (decided(this.state, this.rows[at]) === "open") return this.choose(at);
    }
    this.said.textContent = "All differences are decided";
    return this.choose(this.at);
  }

  deeds = {
    left: () => this.#take("left"),
    right: () => this.#take("right"),
    neither: () => {
      this.store.change(operations.doubt(this.state, this.rows[this.at], "take neither"));
      this.#next();
    },
    next: () => this.#next(),
    undo: () => this.store.undo(),
    redo: () => this.store.redo(),
    down: () => this.choose(this.at + 1),
    up: () => this.choose(this.at - 1),
    help: () => helpDialog(this, COMMANDS),
  };

  run(name) {
    if (this.store.turning) {
      this.store.turning.then(() => this.run(name));
      return;
    }
    const failed = (error) => {
      if (!(error instanceof ChangeRefused || error instanceof RequestFailed)) throw error;
      this.problem.textContent = error.message;
    };
    this.problem.textContent = "";
    try {
      if (name !== "help" && !this.rows.length) throw new ChangeRefused("There is no difference");
      const found = this.deeds[name]();
      if (found instanceof Promise) found.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #listen() {
    const { signal } = (this.life = new AbortController());
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (event.target.matches?.("a, button") && ["Enter", " "].includes(event.key)) return;
      const name = this.keys.get(this.keyOf(event));
      if (!name || (!this.letters && event.key.length === 1 && !event.ctrlKey && event.key !== "?")) return;
      event.preventDefault();
      this.run(name);
    }, { signal });
    window.addEventListener("beforeunload", (event) => { if (!this.store.status.kept) event.preventDefault(); }, { signal });
    this.store.addEventListener("splices", () => this.changed(), { signal });
    this.store.addEventListener("reset", () => this.changed(), { signal });
    this.store.addEventListener("notice", ({ detail }) => { this.problem.textContent = detail; }, { signal });
    this.store.addEventListener("lock", () => { this.problem.textContent = this.store.readOnly; }, { signal });
    this.problem.textContent = this.store.readOnly;
  }

  close() {
    this.life.abort();
    this.store.close();
  }
}
