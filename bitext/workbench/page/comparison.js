// Annotators of one document side by side: their differences alone, and which of them is right.
// What is decided goes into the alignment of the one who decides, as changes like others: the journal
// says who took what from whom, and undo takes it back.

import { ChangeRefused, SIDES, isEmptyBead, typeOf } from "./changes.js";
import { Deciding } from "./deciding.js";
import { addressNow, directionOf, element, keepPlace, keptPlace, languageTag, many, number, pushButton, visible } from "./elements.js";
import { VirtualList } from "./list.js";
import * as operations from "./operations.js";
import { helpDialog, historyDialog } from "./panels.js";
import { lostWords } from "./words.js";

const spelled = (bead) => `${bead.source.join(" ")}|${bead.target.join(" ")}`;

// Return the stretches in which lists of beads differ, each `{source, target, beads}`: of each list the
// beads that not all of them have, joined where they share a sentence.
export const differences = (lists, order) => {
  const counts = new Map();
  for (const beads of lists) for (const each of new Set(beads.map(spelled))) counts.set(each, (counts.get(each) ?? 0) + 1);
  const own = lists.map((beads) => beads.filter((bead) => !isEmptyBead(bead) && counts.get(spelled(bead)) < lists.length));
  const group = new Map(); // a sentence: the group it is in
  const groups = new Set();
  own.forEach((beads, n) => beads.forEach((bead) => {
    const names = SIDES.flatMap((side) => bead[side].map((id) => `${side} ${id}`));
    const joined = { names: new Set(names), beads: lists.map(() => []) };
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
    return { ...sentences, beads };
  }).sort((a, b) => {
    const side = a.source.length && b.source.length ? "source" : a.target.length && b.target.length ? "target" : null;
    return side ? place(side, a[side][0]) - place(side, b[side][0]) : 0;
  });
};

// The places of the lists that have the same beads in a difference, as the first of them: `[0, 1, 0]`.
export const variants = ({ beads }) => {
  const names = beads.map((each) => each.map(spelled).sort().join("\n"));
  return names.map((name) => names.indexOf(name));
};

// What has been decided of a difference, by the alignment that is decided in: the place of the first
// list whose beads it has, or a word.
export const decided = (state, difference) => {
  const beads = SIDES.flatMap((side) => difference[side].flatMap((id) => state.beadsOf(side, id)));
  const held = [...new Set(beads)].map((id) => state.beads[state.index("beads").get(id)]);
  if (held.some((bead) => bead.state === "doubtful")) return "neither";
  const confirmed = new Set(held.filter((bead) => bead.state === "confirmed").map(spelled));
  const which = difference.beads.findIndex((beads) => beads.length && beads.every((bead) => confirmed.has(spelled(bead))));
  if (which >= 0) return which;
  return held.length && held.every((bead) => bead.state === "confirmed") ? "other" : "open";
};

// The beads that all lists have, and all have confirmed.
export const agreed = ([first, ...others]) => {
  const confirmed = (beads) => beads.filter((bead) => bead.state === "confirmed");
  const known = others.map((beads) => new Set(confirmed(beads).map(spelled)));
  return confirmed(first).filter((bead) => known.every((each) => each.has(spelled(bead))));
};

const SIGNS = { open: "○", neither: "?", other: "✓" };
export const MOST = 9; // annotators that are compared at once: each has a digit
const NARROW = 14; // rem of a column: more of them than fit are scrolled to

// The commands for annotators of these names; two have the arrows, too.
const commandsFor = (names) => [
  ...names.map((name, k) => ({
    name: `take:${k}`, keys: [`${k + 1}`, ...(names.length === 2 ? [["ArrowLeft", "ArrowRight"][k]] : [])],
    label: names.length === 2 ? ["← Take left", "Take right →"][k] : `${k + 1} Take ${name}`, help: `take the beads of ${name}, and go on`,
  })),
  ...(names.length > 2 ? [{ name: "majority", keys: ["m"], label: "Take most", help: "take the beads that most annotators have, and go on" }] : []),
  { name: "neither", keys: ["0"], label: names.length > 2 ? "? None" : "? Neither", help: "take the beads of nobody: yours are marked as doubtful" },
  { name: "agreed", keys: ["a"], label: "✓ Agreed", help: "take the beads that all have confirmed alike" },
  { name: "next", keys: ["n"], label: "Next open", help: "next difference that is not decided" },
  { name: "undo", keys: ["z", "Ctrl+z"], label: "↶ Undo", help: "undo" },
  { name: "redo", keys: ["Z", "Ctrl+y", "Ctrl+Shift+z"], label: "↷ Redo", help: "redo" },
  { name: "history", keys: ["H"], label: "Log", help: "who has decided what, and when" },
  { name: "down", keys: ["ArrowDown", "j"], help: "next difference" },
  { name: "up", keys: ["ArrowUp", "k"], help: "difference above" },
  { name: "help", keys: ["?"], label: "? Keys", help: "these keys" },
].map((command) => ({ group: "Compare", ...command }));

export class Comparison extends Deciding {
  constructor(store, frame, states, keyOf) {
    super(store, frame, states, keyOf, commandsFor);
    this.order = Object.fromEntries(SIDES.map((side) => [side, store.alignment.index(side)]));
    this.rows = differences(states.map(({ beads }) => beads), this.order);
    this.agreed = agreed(states.map(({ beads }) => beads));
    this.address = addressNow();
    this.at = Math.max(0, this.rows.findIndex((row) => spelled(row) === keptPlace(this.address).row));
    this.#build();
    this.listen();
    this.changed();
    this.list.reveal(this.at);
  }

  #build() {
    const { state } = this;
    this.progress = element("p", { class: "progress quiet" });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.said = element("div", { class: "said", role: "status", "aria-live": "polite" });
    this.directions = Object.fromEntries(SIDES.map((side) => [side, directionOf(state.texts[side].language, state.rows[side])]));
    const toolbar = element("div", { class: "toolbar", role: "group", "aria-label": "Commands" },
      ...this.commands.filter(({ label }) => label).map(({ name, label, help, keys }) =>
        pushButton(label, () => this.run(name), { title: `${help} (${keys[0]})`, "aria-keyshortcuts": keys[0] })), this.problem);
    toolbar.addEventListener("mousedown", (event) => event.preventDefault());
    const head = (name) => element("div", {}, element("bdi", {}, name));
    const heads = element("div", { class: "heads compared", "aria-hidden": "true" }, ...this.#arranged(this.names.map(head), element("div")));
    this.grid = element("div", { class: "grid", role: "grid", tabindex: "0", "aria-label": "Differences", "aria-colcount": this.names.length + 1 });
    const columns = element("div", { class: `columns${this.names.length > 2 ? " several" : ""}` }, heads, this.grid);
    columns.style.setProperty("--annotators", this.names.length);
    columns.style.setProperty("--widest", `${NARROW * this.names.length + 4}rem`);
    this.frame.replaceChildren(
      element("header", {}, element("h1", {}, "Differences in ", element("bdi", {}, visible(state.alignment.name))),
        element("a", { href: "#/" }, "All documents"), this.progress),
      element("main", {}, toolbar, columns.classList.contains("several") ? element("div", { class: "sideways", tabindex: "-1" }, columns) : columns), this.said);
    this.list = new VirtualList(this.grid, {
      estimate: (k) => 60 * Math.max(1, ...this.rows[k].beads.map((beads) => beads.length)),
      draw: (k) => this.#row(k),
    });
    this.list.reset(this.rows.length);
  }

  // What has been decided stands between two annotators, and before more of them.
  #arranged(cells, state) {
    return cells.length === 2 ? [cells[0], state, cells[1]] : [state, ...cells];
  }

  #words(status) {
    if (typeof status === "number") return `taken: ${this.names[status]}`;
    return { open: "not decided", neither: this.names.length > 2 ? "none" : "neither", other: "decided otherwise" }[status];
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
    const words = this.#words(status);
    const like = variants(row);
    const taken = (n) => typeof status === "number" && like[n] === like[status];
    // Beads that stand in a column before are not shown again: what differs is seen at once.
    const side = (beads, n) => element("div", { class: `cell${taken(n) ? " taken" : ""}`, role: "gridcell" },
      ...(like[n] === n ? beads.map((bead) => this.#bead(bead)) : [element("p", { class: "none" }, "as ", element("bdi", {}, this.names[like[n]]))]),
      beads.length ? null : element("p", { class: "none" }, "no bead of its own"));
    const sign = typeof status === "number" ? (this.names.length === 2 ? "←→"[status] : status + 1) : SIGNS[status];
    const state = element("div", { class: "middle", role: "gridcell", id: `difference-${this.serial++}` },
      element("span", { class: "decision", role: "img", "aria-label": words, title: words }, sign),
      element("span", { class: "about" }, number.format(k + 1)));
    const made = element("div", { class: `bead ${status === "open" ? "proposed" : status === "neither" ? "doubtful" : "confirmed"}${k === this.at ? " chosen" : ""}`, role: "row", "aria-rowindex": k + 1, "aria-selected": k === this.at },
      ...this.#arranged(row.beads.map(side), state));
    made.addEventListener("click", () => this.choose(k));
    return made;
  }

  #bead(bead) {
    const text = (side) => element("div", { lang: languageTag(this.state.texts[side].language), dir: this.directions[side] },
      ...bead[side].slice(0, 50).map((id) => element("div", { class: "sentence" }, element("span", { class: "id", dir: "ltr" }, visible(id)), " ",
        element("bdi", { class: "text", dir: this.directions[side] }, visible(this.state.sentence(side, id)?.text ?? "")))),
      bead[side].length ? null : element("span", { class: "none", dir: "ltr" }, "–"));
    const open = bead.state === "confirmed" ? null : element("span", { class: "none", dir: "ltr" }, bead.state === "doubtful" ? "? doubtful" : "○ not confirmed");
    return element("div", { class: "compared-bead", title: typeOf(bead) }, text("source"), text("target"), open);
  }

  choose(k) {
    if (!this.rows[k]) return;
    this.at = k;
    this.list.reveal(k);
    this.#activate();
    this.said.textContent = `Difference ${k + 1} of ${this.rows.length}, ${this.#words(decided(this.state, this.rows[k]))}`;
  }

  #activate() {
    const cell = this.drawn.get(this.at)?.row.querySelector(".middle");
    if (cell?.isConnected) this.grid.setAttribute("aria-activedescendant", cell.id);
  }

  // Sentences may be others than before: somebody has split or joined them. Then both sides are read
  // again when the page is; a difference whose sentences are gone is decided nowhere.
  changed(told) {
    this.list.render();
    this.#activate();
    const open = this.rows.filter((row) => decided(this.state, row) === "open").length;
    const own = new Set(this.state.beads.filter((bead) => bead.state === "confirmed").map(spelled));
    const left = this.agreed.filter((bead) => !own.has(spelled(bead))).length;
    this.progress.textContent = [
      this.rows.length ? `${many(this.rows.length, "difference")}, ${number.format(open)} not decided` : "There is no difference",
      `${many(this.agreed.length, "bead")} confirmed alike, ${number.format(left)} not taken`,
      `decisions go into the alignment of ${visible(this.state.alignment.annotator)}`,
    ].join("; ");
    const lost = told?.kind === "change" ? lostWords(told.splices) : 0;
    if (lost) this.problem.textContent = `${many(lost, "word link")} removed: the words are no longer in one bead`;
  }

  #take(which) {
    const name = `take ${this.names[which]}`.slice(0, 100);
    const beads = this.rows[this.at].beads[which];
    if (!beads.length) throw new ChangeRefused("This annotator has no bead here that the other has not");
    this.store.change(operations.adopt(this.state, beads, name));
    this.#next();
  }

  // Take what more annotators have than anything else.
  #takeMost() {
    const like = variants(this.rows[this.at]);
    const counts = like.map((place) => like.filter((each) => each === place).length);
    const most = Math.max(...counts);
    const best = [...new Set(like.filter((_, n) => counts[n] === most))];
    if (best.length > 1 || most === 1) throw new ChangeRefused("No beads are those of most annotators: take those of one");
    this.#take(best[0]);
  }

  #next() {
    for (let k = 1; k <= this.rows.length; k++) {
      const at = (this.at + k) % this.rows.length;
      if (decided(this.state, this.rows[at]) === "open") return this.choose(at);
    }
    this.said.textContent = "All differences are decided";
    return this.choose(this.at);
  }

  always = ["help", "history", "agreed", "undo", "redo"]; // also where nothing differs

  deeds = {
    take: (which) => this.#take(Number(which)),
    majority: () => this.#takeMost(),
    neither: () => {
      this.store.change(operations.doubt(this.state, this.rows[this.at], this.names.length > 2 ? "take none" : "take neither"));
      this.#next();
    },
    agreed: () => {
      if (!this.store.change(operations.adoptAll(this.state, this.agreed, "take what all agree on"))) throw new ChangeRefused("What all have confirmed alike is taken already");
    },
    next: () => this.#next(),
    undo: () => this.store.undo(),
    redo: () => this.store.redo(),
    down: () => this.choose(this.at + 1),
    up: () => this.choose(this.at - 1),
    history: () => historyDialog(this),
    help: () => helpDialog(this, this.commands),
  };

  close() {
    if (this.rows.length) keepPlace(this.address, { row: spelled(this.rows[this.at]) });
    super.close();
  }
}
