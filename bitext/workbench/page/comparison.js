// Annotators of one document side by side: their differences alone, and which of them is right.
// What is decided goes into the alignment of the one who decides, as changes like others: the journal
// says who took what from whom, and undo takes it back.

import { ChangeRefused, SIDES, isEmptyBead, sameWords, typeOf } from "./changes.js";
import { Deciding, withCommon } from "./deciding.js";
import { directionOf, element, languageTag, many, number, visible } from "./elements.js";
import * as operations from "./operations.js";
import { isLinkedByHand, lostWords } from "./words.js";

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

// What stands more often in a list than anything else, and more than once; else null.
export const mostOf = (values) => {
  const counts = values.map((value) => values.filter((each) => each === value).length);
  const most = Math.max(...counts);
  const best = [...new Set(values.filter((_, n) => counts[n] === most))];
  return best.length > 1 || most === 1 ? null : best[0];
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

// A bead that all annotators have, with the word links of those who have linked its words; with none
// where these differ.
const withCommonLinks = (beads) => {
  const [first, ...others] = beads.filter(isLinkedByHand);
  if (!first) return beads[0];
  const alike = others.every((each) => each.linked === first.linked && sameWords(each, first));
  return { ...beads[0], words: alike ? first.words : [], linked: alike && first.linked };
};

// The beads that all lists have; with `confirmed` those that all have confirmed.
export const agreed = (lists, { confirmed = true } = {}) => {
  const [first, ...others] = lists.map((beads) => new Map(beads.filter((bead) => !isEmptyBead(bead) && (!confirmed || bead.state === "confirmed")).map((bead) => [spelled(bead), bead])));
  return [...first].filter(([name]) => others.every((each) => each.has(name)))
    .map(([name, bead]) => withCommonLinks([bead, ...others.map((each) => each.get(name))]));
};

// What a decision is about, as the log has it: ids of sentences, of long lists the first.
const aboutOf = (difference) => SIDES.map((side) => [...difference[side].slice(0, 3), ...(difference[side].length > 3 ? ["…"] : [])].join(" ") || "–").join(" | ");

// The name of a decision in the log, which has 100 printable characters at most; words may have others.
export const logged = (deed, about) => [...`${deed}: ${about}`.replace(/[\p{C}\p{Z}]+/gu, " ")].slice(0, 100).join("");

const SIGNS = { open: "○", neither: "?", other: "✓" };
export const MOST = 9; // annotators that are compared at once: each has a digit
const NARROW = 14; // rem of a column: more of them than fit are scrolled to

// The commands that take what one of some annotators has, or most of them; two have the arrows, too.
export const takes = (names, what) => [
  ...names.map((name, k) => ({
    name: `take:${k}`, keys: [`${k + 1}`, ...(names.length === 2 ? [["ArrowLeft", "ArrowRight"][k]] : [])],
    label: names.length === 2 ? [`← Take left`, `Take right →`][k] : `${k + 1} Take ${name}`, help: `take the ${what} of ${name}, and go on`,
  })),
  ...(names.length > 2 ? [{ name: "majority", keys: ["m"], label: "Take most", help: `take the ${what} that most annotators have, and go on` }] : []),
];

const commandsFor = (names) => withCommon([
  ...takes(names, "beads"),
  { name: "neither", keys: ["0"], label: names.length > 2 ? "? None" : "? Neither", help: "take the beads of nobody: yours are marked as doubtful" },
  { name: "agreed", keys: ["a"], label: "✓ Agreed", help: "take the beads that all have confirmed alike" },
]);

export class Comparison extends Deciding {
  constructor(store, frame, states, keyOf) {
    super(store, frame, states, keyOf, commandsFor);
    this.order = Object.fromEntries(SIDES.map((side) => [side, store.alignment.index(side)]));
    this.rows = differences(states.map(({ beads }) => beads), this.order);
    const lists = states.map(({ beads }) => beads);
    this.agreed = agreed(lists);
    this.agreedNames = this.agreed.map(spelled);
    this.unconfirmed = agreed(lists, { confirmed: false }).length - this.agreed.length;
    this.restore(spelled);
    this.#build();
    this.listen();
    this.changed();
    this.list.reveal(this.at);
  }

  #build() {
    const { state } = this;
    this.directions = Object.fromEntries(SIDES.map((side) => [side, directionOf(state.texts[side].language, state.rows[side])]));
    const head = (name) => element("div", {}, element("bdi", {}, name));
    const heads = element("div", { class: "heads compared", "aria-hidden": "true" }, ...this.#arranged(this.names.map(head), element("div")));
    this.grid = element("div", { class: "grid", role: "grid", tabindex: "0", "aria-label": "Differences", "aria-colcount": this.names.length + 1 });
    const columns = element("div", { class: `columns${this.names.length > 2 ? " several" : ""}` }, heads, this.grid);
    columns.style.setProperty("--annotators", this.names.length);
    columns.style.setProperty("--widest", `${NARROW * this.names.length + 4}rem`);
    this.show("Differences in", columns.classList.contains("several") ? element("div", { class: "sideways", tabindex: "-1" }, columns) : columns);
    this.listRows((k) => 60 * Math.max(1, ...this.rows[k].beads.map((beads) => beads.length)));
  }

  // What has been decided stands between two annotators, and before more of them.
  #arranged(cells, state) {
    return cells.length === 2 ? [cells[0], state, cells[1]] : [state, ...cells];
  }

  mark = ".middle";
  doubtful = "neither";

  statusOf(row) {
    return decided(this.state, row);
  }

  wordsFor(status) {
    if (typeof status === "number") return `taken: ${this.names[status]}`;
    return { open: "not decided", neither: this.names.length > 2 ? "none" : "neither", other: "decided otherwise" }[status];
  }

  drawRow(k, status) {
    const row = this.rows[k];
    const words = this.wordsFor(status);
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

  // Sentences may be others than before: somebody has split or joined them. Then both sides are read
  // again when the page is; a difference whose sentences are gone is decided nowhere.
  changed(told) {
    this.list.render();
    this.activate();
    this.#follow(told);
    const left = this.agreedNames.filter((name) => !this.confirmed.has(name)).length;
    this.progress.textContent = [
      this.rows.length ? `${many(this.rows.length, "difference")}, ${number.format(this.openRows)} not decided` : "There is no difference",
      `${many(this.agreed.length, "bead")} confirmed alike, ${number.format(left)} not taken`,
      ...(this.unconfirmed ? [`${many(this.unconfirmed, "bead")} alike that not all have confirmed`] : []),
      `decisions go into the alignment of ${visible(this.state.alignment.annotator)}`,
    ].join("; ");
    const lost = told?.kind === "change" ? lostWords(told.splices) : 0;
    if (lost) this.problem.textContent = `${many(lost, "word link")} removed: the words are no longer in one bead`;
  }

  // Keep the names of one's own confirmed beads: of thousands, only those that a change touches are
  // spelled anew.
  #follow(told) {
    const names = (rows) => rows.filter((bead) => bead.state === "confirmed").map(spelled);
    if (!told?.splices || !this.confirmed) {
      this.confirmed = new Set(names(this.state.beads));
      return;
    }
    for (const { list, remove, insert } of told.splices) {
      if (list !== "beads") continue;
      for (const name of names(remove)) this.confirmed.delete(name);
      for (const name of names(insert)) this.confirmed.add(name);
    }
  }

  #take(which) {
    const name = logged(`take ${this.names[which]}`, aboutOf(this.rows[this.at]));
    const beads = this.rows[this.at].beads[which];
    if (!beads.length) throw new ChangeRefused("This annotator has no bead here that the other has not");
    this.store.change(operations.adopt(this.state, beads, name));
    this.next();
  }

  #takeMost() {
    const best = mostOf(variants(this.rows[this.at]));
    if (best === null) throw new ChangeRefused("No beads are those of most annotators: take those of one");
    this.#take(best);
  }

  deeds = {
    take: (which) => this.#take(Number(which)),
    majority: () => this.#takeMost(),
    neither: () => {
      this.store.change(operations.doubt(this.state, this.rows[this.at], logged(this.names.length > 2 ? "take none" : "take neither", aboutOf(this.rows[this.at]))));
      this.next();
    },
    agreed: () => {
      if (!this.store.change(operations.adoptAll(this.state, this.agreed, "take what all agree on"))) throw new ChangeRefused("What all have confirmed alike is taken already");
    },
  };
}
