// The links between the words of a bead: two columns of words with lines between them, in a dialog over
// the beads. Columns, since lines between them are short and do not cross other words, whatever the
// length of the sentences, their script and its direction.

import { ChangeRefused, SIDES, otherSide, typeOf } from "./changes.js";
import { attempt } from "./editing.js";
import { element, languageTag, makeToolbar, many, openDialog, pushButton, visible } from "./elements.js";
import { KINDS, confirmWords, linkWords, unlinkWord, wordsOfSide } from "./words.js";

const MOST = 2000; // words of a side that are drawn, set by hand: a bead of thousands is to be split first
const DRAG = 8; // pixels the mouse moves before a click is a drag
const SVG = "http://www.w3.org/2000/svg";

// Every command: its keys, what its button says, what it does.
const COMMANDS = [
  { name: "sure", keys: ["s", " "], label: "Sure", help: "link the two chosen words, or unlink them" },
  { name: "possible", keys: ["p"], label: "Possible", help: "link the two chosen words by a possible link, or unlink them" },
  { name: "unlink", keys: ["Delete", "Backspace", "o"], label: "Unlink word", help: "remove all links of the word" },
  { name: "confirm", keys: ["Enter"], label: "✓ Confirm, next", help: "confirm the word links of the bead; go on to the next bead where they are not confirmed" },
  { name: "toggle", keys: ["v"], label: "✓", help: "confirm the word links of the bead, or take that back, and stay" },
  { name: "previous", keys: ["N", "PageUp"], label: "↑ Bead", help: "the bead above" },
  { name: "next", keys: ["n", "PageDown"], label: "↓ Bead", help: "the next bead" },
  { name: "undo", keys: ["z", "Ctrl+z"], label: "↶ Undo", help: "undo" },
  { name: "redo", keys: ["Z", "Ctrl+y", "Ctrl+Shift+z"], label: "↷ Redo", help: "redo" },
  { name: "propose", keys: ["X"], label: "Propose", help: "have the aligner propose links in all beads where nobody has confirmed them", store: "linkWords" },
];
const MOVES = {
  ArrowDown: "down", ArrowUp: "up", j: "down", k: "up", ArrowLeft: "left", ArrowRight: "right", Home: "first", End: "last",
  "Shift+ArrowDown": "otherDown", "Shift+ArrowUp": "otherUp",
};
const HELP = "↑ ↓ choose a word, Shift ↑ ↓ the word of the other side, ← → the side; s sure, p possible (again: none), Delete no link, Enter confirm and go on. "
  + "Mouse: click a word, then words of the other side (again: possible, none), or drag from one to the other; click a line to change it.";

const bothSides = (bead) => bead && bead.source.length > 0 && bead.target.length > 0;

class Linker {
  constructor(editor, keyOf) {
    Object.assign(this, { editor, keyOf, cursor: { source: 0, target: 0 }, side: "source", picked: null });
    this.id = editor.bead.id;
    this.commands = COMMANDS.filter(({ store }) => !store || typeof editor.store[store] === "function");
    this.keys = new Map(this.commands.flatMap(({ name, keys }) => keys.map((key) => [key, name])));
    this.#build();
    this.#listen();
    this.#draw();
    this.#follow();
    this.#mark();
    this.lists.source.focus({ preventScroll: true });
  }

  get state() {
    return this.editor.state;
  }

  get at() {
    return this.state.index("beads").get(this.id) ?? -1;
  }

  get bead() {
    return this.state.beads[this.at];
  }

  #build() {
    const { state, directions } = this.editor;
    this.about = element("p", { class: "quiet" });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.said = element("p", { class: "said", role: "status" });
    this.lists = Object.fromEntries(SIDES.map((side) => [side, element("div", {
      class: `words ${side}`, role: "listbox", tabindex: "0", "data-side": side, lang: languageTag(state.texts[side].language),
      dir: directions[side], "aria-label": `${side === "source" ? "Source" : "Target"} words`,
    })]));
    this.lines = document.createElementNS(SVG, "svg");
    this.lines.setAttribute("class", "word-lines");
    this.lines.setAttribute("aria-hidden", "true"); // each word says what it is linked with
    this.pair = element("div", { class: "word-pair" }, this.lists.source, this.lines, this.lists.target);
    const frame = element("div", { class: "word-frame" }, this.pair);
    frame.style.fontSize = `${this.editor.size}rem`;
    const actions = element("div", { class: "actions", "aria-label": "Commands" },
      ...this.commands.map(({ name, label, help, keys }) => pushButton(label, () => this.run(name), {
        "data-link": name, title: `${help} (${keys[0] === " " ? "Space" : keys[0]})`,
        "aria-keyshortcuts": keys[0] === " " ? "Space" : keys[0], "aria-label": /\p{L}/u.test(label) ? null : help,
      })),
      pushButton("Close", () => this.close(), { title: "close (Escape)" }));
    makeToolbar(actions); // Escape closes the dialog
    actions.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays on the words
    const line = (kind) => {
      const picture = document.createElementNS(SVG, "svg");
      picture.setAttribute("viewBox", "0 0 28 8");
      picture.setAttribute("aria-hidden", "true");
      picture.append(this.#path(kind, "M0 4H28"));
      return element("span", {}, picture, ` ${kind}`);
    };
    this.legend = element("p", { class: "legend quiet" }, ...KINDS.map(line));
    this.dialog = openDialog("Words", "word-links", this.about, actions, this.legend, this.problem, frame,
      element("p", { class: "quiet keys-line" }, HELP), this.said);
    this.heading = this.dialog.querySelector("h2");
  }

  // What is drawn anew for each change: a bead has some dozens of words.
  #draw() {
    const { bead, state } = this;
    this.words = Object.fromEntries(SIDES.map((side) => [side, wordsOfSide(state, bead, side)]));
    this.places = Object.fromEntries(SIDES.map((side) => [side, new Map(this.words[side].map(({ id, k }, n) => [JSON.stringify([id, k]), n]))]));
    this.links = (bead.words ?? []).map(([one, i, other, j, kind, confidence]) => ({
      source: this.places.source.get(JSON.stringify([one, i])), target: this.places.target.get(JSON.stringify([other, j])), kind, confidence,
    })).filter((link) => link.source !== undefined && link.target !== undefined);
    const proposed = this.links.filter(({ kind }) => kind === "proposed").length;
    this.heading.replaceChildren(`Words of bead ${this.at + 1} `, element("span", { class: "quiet" }, typeOf(bead)));
    this.about.textContent = `${many(this.links.length, "link")}${proposed ? `, ${proposed} proposed` : ""}; ${bead.linked ? "✓ confirmed" : "○ not confirmed"}`;
    this.pair.classList.toggle("linked", Boolean(bead.linked));
    for (const side of SIDES) {
      const other = otherSide(side);
      let before = null;
      this.cursor[side] = Math.min(this.cursor[side], Math.max(0, this.words[side].length - 1));
      this.lists[side].replaceChildren(...this.words[side].map(({ id, text }, n) => {
        const partners = this.links.filter((link) => link[side] === n);
        const said = partners.map((link) => `${link.kind} ${visible(this.words[other][link[other]].text)}`).join(", ");
        const first = before !== null && before !== id;
        before = id;
        return element("div", {
          class: `word${partners.length ? "" : " alone"}${first ? " first" : ""}`, role: "option", id: `word-${side}-${n}`, "data-n": n,
          "aria-selected": "false", "aria-label": `${visible(text)}: ${said || "no link"}`, dir: this.editor.directions[side],
        }, element("bdi", {}, visible(text)));
      }));
    }
    this.#mark();
  }

  // Mark the chosen words, draw the lines.
  #mark() {
    for (const side of SIDES) {
      const list = this.lists[side];
      [...list.children].forEach((word, n) => {
        const chosen = n === this.cursor[side];
        word.classList.toggle("chosen", chosen);
        word.classList.toggle("active", chosen && side === this.side);
        word.classList.toggle("picked", this.picked === side && chosen);
        word.classList.toggle("partner", this.links.some((link) => link[side] === n && link[this.side] === this.cursor[this.side] && side !== this.side));
        word.setAttribute("aria-selected", String(chosen));
      });
      const word = list.children[this.cursor[side]];
      if (word) list.setAttribute("aria-activedescendant", word.id);
      else list.removeAttribute("aria-activedescendant");
    }
    this.#drawLines();
  }

  #path(kind, d) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("class", `word-line ${kind}`);
    return path;
  }

  #drawLines() {
    const frame = this.lines.getBoundingClientRect();
    const middle = (side, n) => {
      const box = this.lists[side].children[n].getBoundingClientRect();
      return box.top + box.height / 2 - frame.top;
    };
    this.lines.replaceChildren(...this.links.flatMap((link, n) => {
      const [y1, y2] = [middle("source", link.source), middle("target", link.target)];
      const d = `M0 ${y1}L${frame.width} ${y2}`;
      const path = this.#path(link.kind, d);
      if (link[this.side] === this.cursor[this.side]) path.classList.add("of-chosen");
      const wide = this.#path("touch", d); // a line is thin to hit
      wide.dataset.link = n;
      return [path, wide];
    }));
  }

  // The word of the target that the chosen source word most likely belongs to: one that it is linked
  // with, else the one behind the last that words before it are linked with.
  #follow() {
    const n = this.cursor.source;
    const own = this.links.filter((link) => link.source === n).map((link) => link.target);
    const before = this.links.filter((link) => link.source < n);
    const nearest = Math.max(-1, ...before.map((link) => link.source));
    const last = Math.max(-1, ...before.filter((link) => link.source === nearest).map((link) => link.target));
    const guess = own.length ? Math.min(...own) : last + n - nearest;
    this.cursor.target = Math.max(0, Math.min(guess, this.words.target.length - 1));
  }

  choose(side, n, { follow = side === "source", focus = true } = {}) {
    if (this.words[side][n] === undefined) return;
    this.cursor[side] = n;
    if (follow) this.#follow();
    if (focus && this.side !== side) this.side = side;
    this.#mark();
    for (const each of [otherSide(side), side]) this.lists[each].children[this.cursor[each]]?.scrollIntoView({ block: "nearest" });
    if (focus && document.activeElement !== this.lists[this.side]) this.lists[this.side].focus({ preventScroll: true });
  }

  say(text) {
    this.problem.textContent = "";
    this.said.textContent = this.said.textContent === text ? `${text}\u00a0` : text;
  }

  refuse(text) {
    this.problem.textContent = text;
  }

  // The kind of the link between two words, or null.
  #kind(source, target) {
    return this.links.find((link) => link.source === source && link.target === target)?.kind ?? null;
  }

  make(change) {
    if (this.editor.store.change(change)) this.say(`${change.name}`);
  }

  // Link two words by a kind; those that are linked so already are unlinked.
  #link(kind, source = this.cursor.source, target = this.cursor.target) {
    const [a, b] = [this.words.source[source], this.words.target[target]];
    if (!a || !b) throw new ChangeRefused("There are no two words to link");
    const wanted = this.#kind(source, target) === kind ? null : kind;
    this.make(linkWords(this.state, this.at, a, b, wanted));
    this.say(`${visible(a.text)} – ${visible(b.text)}: ${wanted ?? "no link"}`);
  }

  // None, sure, possible, and none again.
  #cycle(source, target) {
    const next = { sure: "possible", possible: "possible", proposed: "sure" }[this.#kind(source, target)] ?? "sure";
    this.#link(next, source, target);
  }

  // Show another bead with words on both sides; from a place on, in steps.
  #show(from, step, fits = bothSides) {
    for (let at = from; this.state.beads[at]; at += step) {
      if (!fits(this.state.beads[at])) continue;
      this.id = this.state.beads[at].id;
      this.editor.choose(at, { quiet: true });
      Object.assign(this, { cursor: { source: 0, target: 0 }, side: "source", picked: null });
      if (!this.#few()) return true;
      this.#draw();
      this.choose("source", 0);
      return true;
    }
    return false;
  }

  // Whether the bead has few enough words; else the dialog closes.
  #few() {
    if (isFew(this.state, this.bead)) return true;
    this.close();
    this.editor.refuse(`The bead has more than ${MOST} words: split it first`);
    return false;
  }

  deeds = {
    sure: () => this.#link("sure"),
    possible: () => this.#link("possible"),
    unlink: () => this.make(unlinkWord(this.state, this.at, this.side, this.words[this.side][this.cursor[this.side]] ?? {})),
    confirm: () => {
      this.make(confirmWords(this.state, this.at));
      if (!this.#show(this.at + 1, 1, (bead) => bothSides(bead) && !bead.linked)) this.say("confirmed; no bead below is left to confirm");
      else if (this.dialog.open) this.say(`confirmed; bead ${this.at + 1}`);
    },
    toggle: () => this.make(confirmWords(this.state, this.at, !this.bead.linked)),
    next: () => this.#show(this.at + 1, 1) || this.refuse("This is the last bead"),
    previous: () => this.#show(this.at - 1, -1) || this.refuse("This is the first bead"),
    undo: () => this.editor.store.undo().then((name) => this.say(`undone: ${name}`)),
    redo: () => this.editor.store.redo().then((name) => this.say(`redone: ${name}`)),
    propose: () => this.editor.store.linkWords().then(() => this.say("The aligner is at work")),
    down: () => this.choose(this.side, this.cursor[this.side] + 1),
    up: () => this.choose(this.side, this.cursor[this.side] - 1),
    first: () => this.choose(this.side, 0),
    last: () => this.choose(this.side, this.words[this.side].length - 1),
    left: () => this.choose("source", this.cursor.source, { follow: false }),
    right: () => this.choose("target", this.cursor.target),
    otherDown: () => this.choose(otherSide(this.side), this.cursor[otherSide(this.side)] + 1, { follow: false, focus: false }),
    otherUp: () => this.choose(otherSide(this.side), this.cursor[otherSide(this.side)] - 1, { follow: false, focus: false }),
  };

  run(name) {
    this.#attempt(() => {
      this.problem.textContent = "";
      return this.deeds[name]();
    });
  }

  #attempt(deed) {
    attempt(this.editor.store, () => this.dialog.open && deed(), (message) => this.refuse(message));
  }

  #listen() {
    const { signal } = (this.life = new AbortController());
    const on = (target, type, act) => target.addEventListener(type, act, { signal });
    on(this.dialog, "keydown", (event) => {
      if (event.altKey || event.isComposing) return;
      if (event.target.matches("button") && ["Enter", " "].includes(event.key)) return;
      const key = this.keyOf(event);
      if (key === "Escape") {
        event.preventDefault();
        this.close();
        return;
      }
      const name = this.keys.get(key) ?? MOVES[key];
      if (!name || (!this.editor.letters && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey)) return;
      event.preventDefault();
      this.run(name);
    });
    for (const side of SIDES) {
      on(this.lists[side], "focus", () => { if (this.side !== side) { this.side = side; this.#mark(); } });
      on(this.lists[side], "pointerdown", (event) => this.#press(event, side));
    }
    on(this.lines, "click", (event) => {
      const link = this.links[event.target.dataset?.link];
      if (link) this.#attempt(() => this.#cycle(link.source, link.target));
    });
    on(this.editor.store, "splices", ({ detail }) => this.#changed(detail));
    on(this.editor.store, "reset", () => this.#changed({ splices: [] }));
    on(this.editor.store, "notice", ({ detail }) => this.refuse(detail));
    on(this.editor.store, "job", ({ detail: { state, error } }) => {
      if (state === "failed") this.refuse(`The aligner has failed: ${error ?? "no reason given"}`);
      else if (state !== "running") this.say(state === "done" ? "The aligner is done" : "The aligner was stopped");
    });
    on(this.dialog, "close", () => this.close()); // which the browser may do
    this.sizes = new ResizeObserver(() => this.#drawLines());
    this.sizes.observe(this.pair);
  }

  // At once, and not when the browser tells of it: the next key is for the beads.
  close() {
    this.life.abort();
    this.sizes.disconnect();
    this.dialog.close();
    this.dialog.remove();
    this.editor.grid.focus({ preventScroll: true });
  }

  #wordAt(event) {
    const word = document.elementFromPoint(event.clientX, event.clientY)?.closest(".word");
    const side = word?.parentElement.dataset.side;
    return side && this.dialog.contains(word) ? { side, n: Number(word.dataset.n) } : null;
  }

  // A click picks a word, or links it with the one that is picked; a drag links the words at its ends.
  #press(event, side) {
    const from = this.#wordAt(event);
    if (event.button !== 0 || !from) return;
    if (event.pointerType !== "touch") event.preventDefault(); // no selection of text while dragging
    const { signal } = (this.drag = new AbortController());
    let far = false;
    window.addEventListener("pointermove", (move) => {
      far ||= Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY) >= DRAG;
      if (!far || event.pointerType === "touch") return;
      const frame = this.lines.getBoundingClientRect();
      const box = this.lists[side].children[from.n].getBoundingClientRect();
      const start = [side === "source" ? 0 : frame.width, box.top + box.height / 2 - frame.top];
      this.lines.querySelector(".dragged")?.remove();
      const path = this.#path("proposed dragged", `M${start}L${move.clientX - frame.left} ${move.clientY - frame.top}`);
      this.lines.append(path);
    }, { signal });
    window.addEventListener("pointercancel", () => { this.drag.abort(); this.#drawLines(); }, { signal });
    window.addEventListener("pointerup", (up) => {
      this.drag.abort();
      this.#drawLines();
      const to = this.#wordAt(up);
      this.problem.textContent = "";
      if (far) {
        if (to && to.side !== side) this.#attempt(() => this.#dragged(from, to));
        return;
      }
      this.#click(from);
    }, { signal });
  }

  #dragged(from, to) {
    const ends = { [from.side]: from.n, [to.side]: to.n };
    this.choose(from.side, from.n, { follow: false });
    this.choose(to.side, to.n, { follow: false, focus: false });
    if (this.#kind(ends.source, ends.target) !== "sure") this.#link("sure", ends.source, ends.target);
  }

  #click({ side, n }) {
    const other = otherSide(side);
    if (this.picked === other) {
      this.cursor[side] = n;
      const ends = { [side]: n, [other]: this.cursor[other] };
      this.#attempt(() => this.#cycle(ends.source, ends.target));
      this.#mark();
      return;
    }
    const again = this.picked === side && this.cursor[side] === n;
    this.picked = again ? null : side;
    this.choose(side, n);
  }

  #changed({ splices, kind }) {
    const other = splices.find(({ list, insert }) => list === "beads" && !insert.some(({ id }) => id === this.id) && bothSides(insert[0]));
    if ((kind === "undo" || kind === "redo") && other && !splices.some(({ insert }) => insert.some(({ id }) => id === this.id))) {
      this.id = other.insert[0].id;
    }
    if (!bothSides(this.bead)) {
      this.close();
      this.editor.refuse("The bead has changed: it has no words on both sides now");
    } else if (this.#few()) this.#draw();
  }
}

const isFew = (state, bead) => SIDES.every((side) => wordsOfSide(state, bead, side).length <= MOST);

export const openLinker = (editor, keyOf) => {
  if (!bothSides(editor.bead)) throw new ChangeRefused("Words are linked where a bead has sentences on both sides");
  if (!isFew(editor.state, editor.bead)) throw new ChangeRefused(`The bead has more than ${MOST} words: split it first`);
  return new Linker(editor, keyOf);
};
