// The editor of one segmentation: a text in units, with boundaries between them.
//
// The cursor stands before a unit, or at the end of the text. Lines of the text are the rows of the
// list: a unit each, or some words.

import { ChangeRefused } from "./changes.js";
import { COMMON, Editing, SIGNS, VIEW, keyOf } from "./editing.js";
import { directionOf, element, keepPlace, keptPlace, languageTag, makeToolbar, many, number, openDialog, pushButton, visible } from "./elements.js";
import { VirtualList } from "./list.js";
import { attempt, closeButton, commentDialog, goToDialog, helpDialog, historyDialog, problemLine } from "./panels.js";
import { partsOf } from "./search.js";
import * as operations from "./segments.js";

const LINE = 40; // words of a row, where the file has longer lines; set by hand
const UNSPACED = /[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]/u;

// Kinds of segments to go to; the place is where they begin.
const KINDS = [
  { name: "unconfirmed", label: "not confirmed", test: (row) => row.state !== "confirmed" },
  { name: "doubtful", label: "doubtful", test: (row) => row.state === "doubtful" },
  { name: "boundary", label: "of any kind", test: (row) => row.types.length > 0 },
  { name: "several", label: "of several types", test: (row) => row.types.length > 1 },
  { name: "bookmarked", label: "bookmarked", test: (row) => row.bookmark },
  { name: "commented", label: "with a comment", test: (row) => row.comment !== "" },
];

const COMMANDS = [
  { group: "Boundaries", name: "toggle", keys: [" "], label: "| Boundary", help: "set a boundary before the chosen unit, of the type used last, or remove the one there" },
  { group: "Boundaries", name: "moveBack", keys: ["Shift+ArrowLeft", "Shift+ArrowUp"], label: "| Back", help: "move the boundary back by a unit" },
  { group: "Boundaries", name: "moveOn", keys: ["Shift+ArrowRight", "Shift+ArrowDown"], label: "| On", help: "move the boundary on by a unit" },
  { group: "Boundaries", name: "remove", keys: ["Delete", "Backspace"], label: "− Remove", help: "remove the boundary" },
  { group: "Boundaries", name: "otherType", keys: ["t"], label: "Type…", help: "types of the boundary, also new ones" },
  { group: "State", name: "confirm", keys: ["Enter"], label: "✓ Confirm above", help: "confirm the segment that ends here, and go on to the next boundary" },
  { group: "State", name: "confirmUpTo", keys: ["Shift+Enter"], label: "✓✓ Up to here", help: "confirm all proposed segments above, too" },
  { group: "State", name: "toggleConfirmed", keys: ["v"], label: "✓ Segment", help: "confirm the segment of the chosen unit, or take that back" },
  { group: "State", name: "toggleDoubtful", keys: ["q"], label: "? Doubtful", help: "mark the segment as doubtful, or take that back" },
  { group: "State", name: "bookmark", keys: ["b"], label: "★ Bookmark", help: "bookmark the segment, or take that back" },
  { group: "State", name: "comment", keys: ["c"], label: "✎ Comment", help: "comment on the segment" },
  ...COMMON,
  { group: "File", name: "exportSegments", keys: [], label: "Segments (JSON lines)", help: "download the boundaries, for `bitext compare`", store: "exportSegments" },
  ...VIEW,
  { group: "View", name: "goTo", keys: ["g"], label: "Go to", help: "go to a unit by its number or id" },
  { group: "View", name: "help", keys: ["?"], label: "? Keys", help: "these keys" },
];

const MOVES = [
  { name: "right", keys: ["ArrowRight", "l"], help: "next unit" },
  { name: "left", keys: ["ArrowLeft", "h"], help: "unit before" },
  { name: "down", keys: ["ArrowDown", "j"], help: "next line" },
  { name: "up", keys: ["ArrowUp", "k"], help: "line above" },
  { name: "nextBoundary", keys: ["Tab", "]"], help: "next boundary, then the end of the text" },
  { name: "previousBoundary", keys: ["Shift+Tab", "["], help: "boundary above" },
  { name: "pageDown", keys: ["PageDown"], help: "a screen down" },
  { name: "pageUp", keys: ["PageUp"], help: "a screen up" },
  { name: "first", keys: ["Home"], help: "beginning of the text" },
  { name: "last", keys: ["End"], help: "end of the text" },
  { name: "next", keys: ["n"], help: "next segment of the kind looked for, or next place with the text searched" },
  { name: "previous", keys: ["N"], help: "the one before" },
  { name: "find", keys: ["f", "/", "Ctrl+f"], help: "search the text" },
].map((command) => ({ group: "Moving and searching", ...command }));

const MOUSE = "With the mouse: click a unit to choose it; double click to set a boundary before it, or to remove it; drag the bar of a boundary to another unit; click the state of a segment to confirm it. Types are buttons.";

export class Segmenter extends Editing {
  constructor(store, frame, { leave = null } = {}) {
    super(store, frame, leave, COMMANDS, MOVES);
    this.mouse = MOUSE;
    this.place = 0;
    this.lastType = this.state.types[0] ?? "boundary";
    this.looked = { kind: KINDS[0], pattern: null };
    this.#layOut();
    this.#build();
    this.listen();
    this.redraw();
    this.#refresh();
    this.choose(Number(keptPlace(this.address).place) || 0, { quiet: true });
    this.grid.focus({ preventScroll: true });
  }

  goAway() {
    keepPlace(this.address, { place: this.place });
  }

  // The segment that the chosen unit is in.
  get at() {
    return this.state.segmentAt(Math.min(this.place, this.state.units.length - 1));
  }

  // The page

  // The first unit of each line.
  #layOut() {
    const { units } = this.state;
    this.lines = [];
    units.forEach((unit, k) => {
      if (unit.paragraph || k - this.lines.at(-1) >= LINE) this.lines.push(k);
    });
    this.wide = this.lines.length === units.length; // a unit a line
  }

  #lineOf(place) {
    if (place >= this.state.units.length) return this.lines.length;
    let low = 0;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lines[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #span(k) {
    return [this.lines[k], this.lines[k + 1] ?? this.state.units.length];
  }

  #build() {
    const { state } = this;
    const head = this.buildHead(state.alignment.name || "Segmentation");
    this.buildToolbar();
    this.types = makeToolbar(element("div", { class: "types group", "aria-label": "Types of the boundary" }), () => this.grid.focus({ preventScroll: true }));
    this.buildFinder("segment", [...KINDS, { name: "found", label: "with the text searched" }], [], [], []);
    this.direction = directionOf(state.texts.source.language, state.units);
    this.grid = element("div", { class: "grid segmented", role: "grid", tabindex: "0", "aria-label": "Text with boundaries" });
    this.said = element("div", { class: "said", role: "status", "aria-live": "polite" });
    this.frame.replaceChildren(head, element("main", {}, this.toolbar, this.types, this.finder, this.grid), this.said);
    this.list = new VirtualList(this.grid, { estimate: (k) => this.#estimate(k), draw: (k) => this.#row(k), rendered: () => this.#activate() });
    this.setSize(this.rememberedSize());
  }

  #estimate(k) {
    if (k === this.lines.length) return 40;
    const [start, end] = this.#span(k);
    const width = Math.max(120, this.grid.clientWidth - 90);
    const { units } = this.state;
    let wide = 0;
    let bars = 0;
    for (let unit = start; unit < end; unit++) {
      const { text } = units[unit];
      wide += (text.length * (UNSPACED.test(text[text.length >> 1] ?? "") ? 2 : 1) + 1) * 8 * this.size;
      bars += this.state.boundaryAt(unit) >= 0;
    }
    return Math.ceil(wide / width) * 1.45 * 16 * this.size + 9 + (this.wide ? bars * 26 : 0);
  }

  // A line is drawn again only when something that it shows is another.
  #row(k) {
    const { state } = this;
    const end = k === this.lines.length;
    const [start, stop] = end ? [state.units.length, state.units.length] : this.#span(k);
    const cursor = this.place >= start && (this.place < stop || end) ? this.place : -1;
    const from = state.segmentAt(Math.min(start, state.units.length - 1));
    const rows = state.segments.slice(from, state.segmentAt(Math.max(start, stop - 1)) + 1);
    const shows = [cursor, this.looked.pattern, from, state.starts[from], ...rows];
    let held = this.drawn.get(k);
    if (!held || held.shows.length !== shows.length || held.shows.some((each, n) => each !== shows[n])) {
      held = { shows, row: end ? this.#drawEnd(cursor >= 0) : this.#draw(k, start, stop, cursor) };
      this.drawn.set(k, held);
    }
    held.row.setAttribute("aria-rowindex", k + 1);
    return held.row;
  }

  #drawEnd(chosen) {
    const cell = element("span", { class: `unit${chosen ? " chosen" : ""}`, role: "gridcell", id: `unit-${this.serial++}` }, "end of the text");
    cell.place = this.state.units.length;
    return element("div", { class: "line last", role: "row", "aria-selected": chosen }, element("span", { class: "gutter", role: "gridcell" }), element("div", { class: "units", role: "presentation" }, cell));
  }

  #draw(k, start, stop, cursor) {
    const { state } = this;
    const first = state.segmentAt(start);
    const made = element("div", { class: `line ${state.segments[first].state}${this.wide ? " wide" : ""}`, role: "row", "aria-selected": cursor >= 0 });
    const units = element("div", { class: "units", role: "presentation", lang: languageTag(state.texts.source.language), dir: this.direction });
    let at = first;
    for (let place = start; place < stop; place++) {
      while (at + 1 < state.segments.length && state.starts[at + 1] <= place) at += 1;
      const begins = state.starts[at] === place;
      if (begins) units.append(this.#bar(at, place));
      units.append(this.#unit(place, at, begins, cursor === place));
      if (place + 1 < stop && !(UNSPACED.test(state.units[place].text.at(-1)) && UNSPACED.test(state.units[place + 1].text[0]))) units.append(" ");
    }
    made.append(element("span", { class: "gutter quiet", role: "gridcell" }, number.format(start + 1)), units);
    return made;
  }

  // The bar of a boundary, with the state of the segment below it; the first segment has one, too.
  #bar(at, place) {
    const row = this.state.segments[at];
    const flag = (sign, text) => element("span", { class: "flag", title: text, role: "img", "aria-label": text }, sign);
    const types = row.types.map((type) => element("span", { class: `type kind-${this.state.types.indexOf(type) % 6}` }, element("bdi", {}, visible(type))));
    const bar = element("span", { class: `bar ${row.state}${place ? "" : " opening"}`, role: "gridcell", title: place ? "drag to another unit to move the boundary" : "" },
      element("button", { type: "button", class: "state", tabindex: "-1", title: `${row.state}: click to confirm the segment below, or to take that back`, "aria-label": `${row.state}: segment ${at + 1}` }, SIGNS[row.state]),
      ...types, row.bookmark ? flag("★", "bookmarked") : null, row.comment ? flag("✎", `comment: ${visible(row.comment.slice(0, 500))}`) : null);
    bar.segment = at;
    bar.place = place;
    return bar;
  }

  #unit(place, at, begins, chosen) {
    const row = this.state.segments[at];
    const { text } = this.state.units[place];
    const made = element("span", { class: `unit ${row.state}${chosen ? " chosen" : ""}${begins && place ? " begins" : ""}`, role: "gridcell", id: `unit-${this.serial++}` });
    partsOf(this.looked.pattern, text).forEach((part, k) => made.append(k % 2 ? element("mark", {}, visible(part)) : visible(part)));
    made.place = place;
    return made;
  }

  redraw() {
    this.list.reset(this.lines.length + 1);
    this.list.render();
  }

  // What stands above the text: how far it is, and the types.
  #refresh() {
    const { state } = this;
    const { confirmed, doubtful } = state.counts;
    this.progress.textContent = `${number.format(confirmed)} of ${many(state.segments.length, "segment")} confirmed${doubtful ? `, ${number.format(doubtful)} doubtful` : ""}; ${many(state.units.length, "unit")}`;
    const names = state.types;
    if (!names.includes(this.lastType)) this.lastType = names[0] ?? this.lastType;
    const here = state.typesAt(this.place);
    const shows = JSON.stringify([names, here, this.lastType]);
    if (shows === this.shownTypes) return;
    this.shownTypes = shows;
    const focused = [...this.types.querySelectorAll("button")].indexOf(document.activeElement);
    this.types.replaceChildren(element("span", { class: "quiet" }, "Boundary here:"), ...names.map((name, k) => element("button", {
      type: "button", class: `type kind-${k % 6}${name === this.lastType ? " last" : ""}`, "data-type": name, "aria-pressed": here.includes(name) ? "true" : "false",
      title: `set a boundary of this type, or take it back${k < 9 ? ` (${k + 1})` : ""}${name === this.lastType ? "; Space sets this type" : ""}`,
    }, k < 9 ? `${k + 1} ` : "", element("bdi", {}, visible(name)))));
    if (focused >= 0) this.types.querySelectorAll("button")[focused]?.focus();
  }

  // The cursor

  choose(place, { quiet = false, reveal = true } = {}) {
    const last = this.place;
    this.place = Math.max(0, Math.min(place, this.state.units.length));
    if (reveal) this.list.reveal(this.#lineOf(this.place));
    else this.list.render();
    this.#refresh();
    if (!quiet && this.place !== last) this.say(this.#spoken());
  }

  // What a screen reader says of a place.
  #spoken() {
    const { state, place } = this;
    if (place >= state.units.length) return "End of the text";
    const at = state.segmentAt(place);
    const types = state.typesAt(place);
    return [
      types.length ? `boundary: ${types.join(", ")}` : "",
      visible(state.units[place].text.slice(0, 200)),
      `segment ${at + 1} of ${state.segments.length}, ${state.segments[at].state}`,
    ].filter(Boolean).join("; ");
  }

  // The focus stays on the grid, which tells what in it is active: lines come and go.
  #activate() {
    const unit = this.drawn.get(this.#lineOf(this.place))?.row.querySelector(".unit.chosen");
    if (unit?.isConnected) this.grid.setAttribute("aria-activedescendant", unit.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  // Changes

  // Make the change of an operation, and choose the place it leads to.
  make(change) {
    if (!this.store.change(change)) return false;
    this.choose(change.place ?? this.place, { quiet: true });
    this.say(`${change.name}: ${this.#spoken()}`);
    return true;
  }

  // Something has changed, here or elsewhere.
  changed({ splices, kind }) {
    const { state } = this;
    for (const { remove, insert } of splices) {
      for (const row of [...remove, ...insert]) {
        const line = this.#lineOf(state.index("source").get(row.start) ?? 0);
        this.list.forget(line);
      }
    }
    if (kind === "undo" || kind === "redo") {
      const row = splices.flatMap(({ insert }) => insert).at(-1);
      const place = row && state.index("source").get(row.start);
      if (place !== undefined) this.choose(place, { quiet: true });
    }
    this.list.render();
    this.#refresh();
    this.forgetRows();
  }

  // Commands

  #step(step) {
    const k = this.#lineOf(this.place);
    const to = Math.max(0, Math.min(this.lines.length, k + step));
    if (to === this.lines.length) return this.choose(this.state.units.length);
    const [start, stop] = this.#span(to);
    const column = k === this.lines.length ? 0 : this.place - this.lines[k];
    return this.choose(Math.min(start + column, stop - 1));
  }

  #nextBoundary() {
    const at = this.state.starts.findIndex((start) => start > this.place);
    return at < 0 ? this.state.units.length : this.state.starts[at];
  }

  #previousBoundary() {
    const before = this.state.starts.filter((start) => start < this.place);
    return before.at(-1) ?? 0;
  }

  // Confirm the segment that ends here and go on to the next boundary. Where none is left the cursor
  // stays, as somebody who begins without boundaries goes on reading from here.
  #confirm(all) {
    const { state, place } = this;
    const end = place >= state.units.length;
    const at = end ? state.segments.length - 1 : state.boundaryAt(place) - 1;
    let made = false;
    if (all) made = this.store.change(operations.confirmUpTo(state, place));
    if (at >= 0) made = this.store.change(operations.setState(state, at, "confirmed")) || made;
    const next = this.#nextBoundary();
    if (!end && (next < state.units.length || !made)) this.choose(next);
    const left = state.segments.length - state.counts.confirmed;
    if (end && left) this.refuse(`${many(left, "segment")} above not confirmed`);
    else if (!left) this.say("All segments are confirmed");
    if (!left) this.problem.textContent = "All segments are confirmed";
  }

  #toggleState(value) {
    const { state, at } = this;
    this.make(operations.setState(state, at, state.segments[at].state === value ? "proposed" : value, this.place));
  }

  toggleType(type) {
    this.lastType = type;
    this.make(operations.toggleType(this.state, this.place, type));
    this.#refresh();
  }

  goTo(place) {
    this.choose(place);
    this.grid.focus({ preventScroll: true });
  }

  #look(step) {
    const { kind } = this.looked;
    if (!kind) return this.#search(step);
    const { segments, starts } = this.state;
    const from = step > 0 ? starts.findIndex((start) => start > this.place) : starts.findLastIndex((start) => start < this.place);
    const first = from >= 0 ? from : step > 0 ? 0 : starts.length - 1;
    for (let k = 0; k < segments.length; k++) {
      const at = (((first + step * k) % segments.length) + segments.length) % segments.length;
      if (kind.test(segments[at])) return this.choose(starts[at]);
    }
    return this.refuse(`No segment ${kind.label}`);
  }

  // Go to the next unit with the text searched, which may go over several words of a line.
  #search(step) {
    if (!this.take()) return this.problem.textContent || this.refuse("Type what to search for");
    const { units } = this.state;
    const { pattern } = this.looked;
    const found = [];
    for (let k = 0; k < this.lines.length; k++) {
      const [start, stop] = this.#span(k);
      const ends = [];
      let text = "";
      for (let unit = start; unit < stop; unit++) {
        text += `${unit > start ? " " : ""}${units[unit].text}`;
        ends.push(text.length);
      }
      for (const match of text.matchAll(pattern)) if (match[0]) found.push(start + ends.findIndex((end) => end > match.index));
    }
    if (!found.length) return this.refuse("Not found");
    const next = step > 0 ? found.find((place) => place > this.place) ?? found[0] : found.findLast((place) => place < this.place) ?? found.at(-1);
    return this.choose(next);
  }

  // Take what is in the search field; return whether there is something to search for.
  take() {
    this.takePattern({ text: this.find.value, regular: this.regular.checked, exact: this.exact.checked });
    this.list.render();
    return this.looked.pattern !== null;
  }

  deeds = {
    ...this.common,
    toggle: () => this.make(operations.setBoundary(this.state, this.place, this.state.typesAt(this.place).length ? [] : [this.lastType])),
    remove: () => {
      if (this.state.boundaryAt(this.place) < 0) throw new ChangeRefused("There is no boundary here to remove");
      this.make(operations.setBoundary(this.state, this.place, []));
    },
    moveBack: () => this.make(operations.moveBoundary(this.state, this.place, this.place - 1)),
    moveOn: () => this.make(operations.moveBoundary(this.state, this.place, this.place + 1)),
    otherType: () => typeDialog(this),
    confirm: () => this.#confirm(false),
    confirmUpTo: () => this.#confirm(true),
    toggleConfirmed: () => this.#toggleState("confirmed"),
    toggleDoubtful: () => this.#toggleState("doubtful"),
    bookmark: () => this.make(operations.setBookmark(this.state, this.at, !this.state.segments[this.at].bookmark, this.place)),
    comment: () => {
      const { at, place } = this;
      const { id, comment } = this.state.segments[at];
      commentDialog(this, `Comment on segment ${at + 1}`, comment, (text) => {
        const now = this.state.index("segments").get(id);
        if (now === undefined) throw new ChangeRefused("The segment is no longer there");
        return operations.setComment(this.state, now, text, place);
      });
    },
    history: () => historyDialog(this),
    exportSegments: () => this.store.exportSegments(),
    goTo: () => goToDialog(this, "unit", "The number of a unit, or its id", this.state.units.length,
      (typed) => this.state.index("source").get(typed) ?? (/^\d+$/u.test(typed) ? Number(typed) - 1 : -1)),
    help: () => helpDialog(this, [...this.commands, ...this.typeKeys(), ...this.moves]),
    right: () => this.choose(this.place + 1),
    left: () => this.choose(this.place - 1),
    down: () => this.#step(1),
    up: () => this.#step(-1),
    nextBoundary: () => this.choose(this.#nextBoundary()),
    previousBoundary: () => this.choose(this.#previousBoundary()),
    pageDown: () => this.list.scrollWithin(this.#lineOf(this.place), 1) || this.#step(this.list.page),
    pageUp: () => this.list.scrollWithin(this.#lineOf(this.place), -1) || this.#step(-this.list.page),
    first: () => this.choose(0),
    last: () => this.choose(this.state.units.length),
    next: () => this.#look(1),
    previous: () => this.#look(-1),
  };

  // The digits, as the help lists them.
  typeKeys() {
    return this.state.types.slice(0, 9).map((name, k) => ({ group: "Boundaries", keys: [String(k + 1)], help: `a boundary of the type ${visible(name)}, or take that back` }));
  }

  perform(name) {
    if (name !== "next" && name !== "previous") this.problem.textContent = "";
    const [first, type] = name.split(":");
    return first === "type" ? this.toggleType(type) : this.deeds[first]();
  }

  // All types of boundaries, also those that the document began without.
  get typesNamed() {
    return [...new Set([...this.state.types, ...this.state.segments.flatMap((row) => row.types)])];
  }

  // Keys and mouse

  listen() {
    const on = super.listen();
    on(this.types, "mousedown", (event) => event.preventDefault()); // the focus stays on the text
    on(this.grid, "dblclick", (event) => {
      const unit = event.target.closest(".unit");
      if (unit && unit.place < this.state.units.length) this.run("toggle");
    });
  }

  reset() {
    this.choose(this.place, { quiet: true });
  }

  lookFor(name) {
    this.kind.value = name;
    this.looked.kind = KINDS.find((kind) => kind.name === name) ?? null;
  }

  nameOf(event) {
    const key = this.#logical(keyOf(event));
    // Tab goes from boundary to boundary within the text; else it leaves it, as everywhere.
    if (event.key === "Tab" && (event.target !== this.grid || this.#tabLeaves(event.shiftKey))) return undefined;
    const type = /^[1-9]$/u.test(key) ? this.state.types[Number(key) - 1] : undefined;
    return type === undefined ? this.keys.get(key) : `type:${type}`;
  }

  // Words of a text from right to left go on to the left, and so does the key.
  #logical(key) {
    if (this.direction !== "rtl" || this.wide) return key;
    return key.replace(/Arrow(Left|Right)$/u, (_, side) => `Arrow${side === "Left" ? "Right" : "Left"}`);
  }

  #tabLeaves(back) {
    return back ? this.place === 0 : this.place >= this.state.units.length;
  }

  // The unit under the mouse.
  #under(event) {
    const target = document.elementFromPoint(event.clientX, event.clientY);
    if (!target || !this.grid.contains(target)) return null;
    const part = target.closest(".unit, .bar") ?? target.closest(".line")?.querySelector(".unit");
    return part?.place ?? null;
  }

  // Choose with the mouse, or drag a boundary to another unit.
  press(event) {
    const place = this.#under(event);
    if (event.button !== 0 || place === null) return;
    const bar = event.target.closest(".bar");
    if (event.target.closest(".state")) {
      event.preventDefault();
      this.choose(place, { quiet: true, reveal: false });
      this.run("toggleConfirmed");
      return;
    }
    if (event.pointerType !== "touch") event.preventDefault();
    this.grid.focus({ preventScroll: true });
    this.choose(place, { reveal: false });
    if (!bar || !place || event.pointerType === "touch") return;
    this.drag(event, (move) => document.elementFromPoint(move.clientX, move.clientY)?.closest(".unit"),
      ({ place: to }) => operations.moveBoundary(this.state, place, to));
  }
}

// Choose the types of a boundary, and name new ones.
const typeDialog = (editor) => {
  const { place } = editor;
  const here = editor.state.typesAt(place);
  const boxes = editor.state.types.map((name) => element("input", { type: "checkbox", value: name, checked: here.includes(name) }));
  const field = element("input", { type: "text", "aria-label": "Another type", autocomplete: "off" });
  const problem = problemLine();
  const save = () => attempt(editor, dialog, problem, () => {
    const types = boxes.filter((box) => box.checked).map((box) => box.value);
    const other = field.value.trim();
    if (other) editor.lastType = other;
    return operations.setBoundary(editor.state, place, other ? [...types, other] : types);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    save();
  });
  const dialog = openDialog("Types of the boundary", "go-to",
    ...boxes.map((box) => element("p", {}, element("label", {}, box, " ", element("bdi", {}, visible(box.value))))),
    element("p", {}, element("label", {}, "Another type ", field)), problem,
    element("div", { class: "actions" }, pushButton("Save (Enter)", save), closeButton()));
  field.focus();
};
