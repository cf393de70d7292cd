// Several coders of one text: the whole text as a strip for each, and the places at which they differ,
// side by side. What is decided goes into the segmentation of the one who decides, as changes like
// others: the journal says who took what from whom, and undo takes it back.

import { ChangeRefused } from "./changes.js";
import { logged } from "./comparison.js";
import { Deciding, withCommon } from "./deciding.js";
import { directionOf, element, languageTag, many, number, visible } from "./elements.js";
import * as operations from "./segments.js";
import { Segmentation } from "./segments.js";

const SIGNS = { open: "○", decided: "✓", doubtful: "?" };
const AROUND = 12; // words shown before and after a place, where units are words
const LONGEST = 300; // characters shown before and after a place
const SVG = "http://www.w3.org/2000/svg";

const commandsFor = (names) => withCommon([
  ...names.map((name, k) => ({ name: `take:${k}`, keys: [String(k + 1)], label: `${k + 1} ${name}`, help: `take the boundary of ${name} here, or none where there is none, and go on` })),
  { name: "agreed", keys: ["a"], label: "✓ Agreed", help: "take what all agree on, everywhere" },
  { name: "doubt", keys: ["0", "q"], label: "? Doubtful", help: "leave the place as it is: its segment is doubtful, and what is not decided in it" },
]);

export class Coders extends Deciding {
  constructor(store, frame, states, keyOf) {
    super(store, frame, states, keyOf, commandsFor);
    this.mouse = "With the mouse: click a difference, or a bar in the strips, to choose it; buttons do what keys do.";
    this.coders = states.map((state) => new Segmentation(state));
    this.rows = operations.differences(this.coders);
    this.direction = directionOf(this.state.texts.source.language, this.state.units);
    this.strips = element("div", { class: "strips", tabindex: "0", role: "region", "aria-label": "Boundaries of the whole text" });
    this.showTable("Differences in", "place", () => 70, this.strips);
    this.listen();
    this.changed();
  }

  // The boundaries of each coder, and one's own, over the whole text.
  #drawStrips() {
    const count = this.state.units.length;
    const differing = new Map(this.rows.map((row, k) => [row.place, k]));
    const here = this.rows[this.at]?.place;
    const strip = (name, coder) => {
      const svg = document.createElementNS(SVG, "svg");
      const attributes = { viewBox: `0 0 ${count} 10`, preserveAspectRatio: "none", role: "img", "aria-label": `${name}: ${many(coder.segments.length, "segment")}` };
      for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
      for (const place of coder.starts.slice(1)) {
        const line = document.createElementNS(SVG, "line");
        const known = differing.get(place);
        const drawn = { x1: place, x2: place, y1: 0, y2: 10, "vector-effect": "non-scaling-stroke", "stroke-width": place === here ? 5 : 3, class: place === here ? "here" : known === undefined ? "same" : "other" };
        for (const [key, value] of Object.entries(drawn)) line.setAttribute(key, value);
        if (known !== undefined) line.addEventListener("click", () => this.choose(known));
        svg.append(line);
      }
      return [element("span", {}, element("bdi", {}, name)), svg];
    };
    const own = visible(`→ ${this.state.alignment.annotator}`);
    this.strips.replaceChildren(...this.coders.flatMap((coder, k) => strip(this.names[k], coder)), ...strip(own, this.state));
  }

  statusOf(row) {
    return operations.decidedAt(this.state, row.place);
  }

  shownBeside(row) {
    return this.state.typesAt(row.place).join("\n");
  }

  drawRow(k, status) {
    const { place, types } = this.rows[k];
    const own = this.state.typesAt(place);
    const all = this.state.types;
    const mark = (kinds) => (kinds.length
      ? kinds.flatMap((type) => [element("span", { class: `type kind-${Math.max(0, all.indexOf(type)) % 6}` }, element("bdi", {}, visible(type))), " "])
      : [element("span", { class: "none" }, "none")]);
    const same = (kinds) => kinds.length === own.length && kinds.every((each) => own.includes(each));
    const cells = types.map((kinds, n) => element("div", { role: "gridcell", class: same(kinds) ? "own" : null, "aria-label": `${this.names[n]}: ${kinds.join(", ") || "none"}` }, ...mark(kinds)));
    const words = { open: "not decided", decided: `decided: ${own.join(", ") || "none"}`, doubtful: "doubtful" };
    const made = element("div", { class: `line ${status}${k === this.at ? " chosen" : ""}`, role: "row", "aria-rowindex": k + 1, "aria-selected": k === this.at },
      this.#context(place), ...cells,
      element("div", { role: "gridcell", id: `difference-${this.serial++}`, class: "mark" }, element("span", { class: "decision", role: "img", "aria-label": words[status], title: words[status] }, SIGNS[status])));
    made.addEventListener("click", () => this.choose(k));
    return made;
  }

  // The text around a place: a unit of each side, or some words.
  #context(place) {
    const { units } = this.state;
    const text = (from, to) => units.slice(Math.max(0, from), to).map((unit) => unit.text).join(" ");
    const wide = (units[place - 1].text + units[place].text).includes(" ");
    const around = wide ? 1 : AROUND;
    const short = (words, end) => (words.length <= LONGEST ? words : end ? `…${words.slice(-LONGEST)}` : `${words.slice(0, LONGEST)}…`);
    const attributes = { lang: languageTag(this.state.texts.source.language), dir: this.direction };
    return element("div", { role: "gridcell", class: "context" },
      element("span", { class: "none" }, `${number.format(place)} | ${number.format(place + 1)}`), " ",
      element("span", { class: "before", ...attributes }, visible(short(text(place - around, place), true))),
      element("span", { class: "after", ...attributes }, visible(short(text(place, place + around), false))));
  }

  choose(k) {
    super.choose(k);
    this.#drawStrips();
  }

  changed() {
    this.list.render();
    this.activate();
    this.#drawStrips();
    const doubtful = this.rows.filter((row) => this.statusOf(row) === "doubtful").length;
    this.progress.textContent = this.rows.length
      ? `${many(this.rows.length, "difference")}, ${number.format(this.openRows)} not decided${doubtful ? `, ${number.format(doubtful)} doubtful` : ""}; decisions go into the segmentation of ${visible(this.state.alignment.annotator)}`
      : "There is no difference";
  }

  // Places that are decided, and not doubtful: segments with others are not confirmed.
  #known() {
    return new Set(this.rows.filter((row) => this.statusOf(row) === "decided").map((row) => row.place));
  }

  #take(k) {
    const row = this.rows[this.at];
    const name = logged(`take ${this.names[k]}`, `${row.place} | ${row.place + 1}`);
    this.store.change(operations.takeAt(this.state, this.coders, row.place, row.types[k], this.rows, this.#known(), name));
    this.next();
  }

  // Undo or redo, and choose the first difference whose state is another then.
  async #turn(kind) {
    const before = this.rows.map((row) => this.statusOf(row));
    await this.store[kind]();
    const at = this.rows.findIndex((row, k) => this.statusOf(row) !== before[k]);
    if (at >= 0) this.choose(at);
  }

  deeds = {
    take: (which) => this.#take(Number(which)),
    agreed: () => {
      if (!this.store.change(operations.takeAgreed(this.state, this.coders, this.rows, this.#known()))) throw new ChangeRefused("What all agree on is taken already");
    },
    doubt: () => {
      const { place } = this.rows[this.at];
      this.store.change(operations.doubtAt(this.state, place, logged("leave doubtful", `${place} | ${place + 1}`)));
      this.next();
    },
    undo: () => this.#turn("undo"),
    redo: () => this.#turn("redo"),
  };
}
