// The editor of one alignment: rows of beads, a chosen bead, and commands by key, button and mouse.

import { ChangeRefused, SIDES, isEmptyBead, otherSide, typeOf } from "./changes.js";
import { COMMON, Editing, SIGNS, VIEW, keyOf } from "./editing.js";
import { directionOf, element, keepPlace, keptPlace, languageTag, many, number, visible } from "./elements.js";
import { openLinker } from "./linker.js";
import { VirtualList } from "./list.js";
import * as operations from "./operations.js";
import { commentDialog, goToDialog, helpDialog, historyDialog, replaceDialog, sentenceDialog } from "./panels.js";
import { KINDS, matcher, nextOf, partsOf, placeNamed, spokenBead } from "./search.js";
import { lostWords } from "./words.js";

// Of a side of a bead with more sentences only the first, the last and those around the chosen one are
// shown, set by hand: a bead of thousands, as bad imports have them, would take seconds to lay out.
const SHOWN = 120;
const AROUND = 20;
const LIMIT = 0.5; // probability below which a bead is gone to, at first
const SURE = 0.9; // probability from which on a run confirms beads, at first (scripts/bench/workbench_keys.md)

// Every command: its keys, what its button says, and what the help says. A key of one letter is
// small, and its capital does the same the other way round.
const COMMANDS = [
  { group: "State", name: "confirm", keys: ["Enter"], label: "✓ Confirm", help: "confirm the bead and go on to the next unconfirmed one" },
  { group: "State", name: "toggleConfirmed", keys: ["v"], label: "✓", help: "confirm the bead, or take that back, and stay" },
  { group: "State", name: "confirmUpTo", keys: ["Shift+Enter"], label: "✓✓ Up to here", help: "confirm all proposed beads above, down to this one, and go on" },
  { group: "State", name: "confirmRun", keys: ["y"], label: "✓↓ In view", help: "confirm the bead, and those below it in view down to the next improbable one, after a look at all of them" },
  { group: "State", name: "toggleDoubtful", keys: ["q"], label: "? Doubtful", help: "mark the bead as doubtful, or take that back" },
  { group: "State", name: "bookmark", keys: ["b"], label: "★ Bookmark", help: "bookmark the bead, or take that back" },
  { group: "State", name: "comment", keys: ["c"], label: "✎ Comment", help: "comment on the bead" },
  { group: "Beads", name: "mergeDown", keys: ["m"], label: "Merge ↓", help: "merge the bead with the next one" },
  { group: "Beads", name: "mergeUp", keys: ["M"], label: "Merge ↑", help: "merge the bead with the one above" },
  { group: "Beads", name: "split", keys: ["s"], label: "Split", help: "split the bead before the chosen sentence; without one, where lengths fit best" },
  { group: "Beads", name: "giveDown", keys: ["d"], label: "Last ↓", help: "move the last sentence of the side down to the next bead" },
  { group: "Beads", name: "takeDown", keys: ["D"], label: "Next ↰", help: "take the first sentence of the bead below" },
  { group: "Beads", name: "giveUp", keys: ["u"], label: "First ↑", help: "move the first sentence of the side up to the bead above" },
  { group: "Beads", name: "takeUp", keys: ["U"], label: "Above ↲", help: "take the last sentence of the bead above" },
  { group: "Beads", name: "shiftDown", keys: ["w"], label: "Side ⇊", help: "shift the side down from here on, to the next bead that is empty there or confirmed" },
  { group: "Beads", name: "shiftUp", keys: ["W"], label: "Side ⇈", help: "shift the side up from here on" },
  { group: "Beads", name: "insertAfter", keys: ["e"], label: "+ Empty", help: "insert an empty bead below" },
  { group: "Beads", name: "insertBefore", keys: ["E"], label: "+ Above", help: "insert an empty bead above" },
  { group: "Beads", name: "removeEmpty", keys: ["Delete"], label: "− Empty", help: "remove the empty bead" },
  { group: "Links across", name: "mark", keys: [" "], label: "☑ Mark", help: "mark the chosen sentence, or all of the side; Ctrl and click does so, too" },
  { group: "Links across", name: "link", keys: ["l"], label: "Link marked", help: "link the marked sentences as one bead, wherever they are" },
  { group: "Links across", name: "unlink", keys: ["o"], label: "Unlink", help: "unlink the marked sentences; without any, all of the bead" },
  { group: "Links across", name: "clear", keys: ["Escape"], label: "☐ Clear", help: "clear the marks" },
  { group: "Sentences", name: "edit", keys: ["t", "F2"], label: "Edit text", help: "correct the text of the sentence, or split it at the cursor" },
  { group: "Sentences", name: "join", keys: ["J"], label: "Join next", help: "join the sentence with the next one of the text" },
  { group: "Sentences", name: "paragraph", keys: ["p"], label: "¶", help: "begin a paragraph at the sentence, or take that back" },
  { group: "Words", name: "words", keys: ["x"], label: "⇄ Words", help: "link the words of the bead" },
  { group: "Words", name: "linkWords", keys: ["X"], label: "Propose words", help: "have the aligner propose word links in all beads where nobody has confirmed them", store: "linkWords" },
  ...COMMON,
  { group: "File", name: "exportBeads", keys: [], label: "Beads (JSON lines)", help: "download the beads, for `bitext convert`", store: "exportBeads" },
  { group: "Aligner", name: "realign", keys: ["a"], label: "Realign here", help: "align again between the confirmed beads around", store: "realign" },
  { group: "Aligner", name: "realignRest", keys: ["A"], label: "Realign the rest", help: "align again from here on; confirmed beads stay", store: "realign" },
  ...VIEW,
  { group: "View", name: "goTo", keys: ["g"], label: "Go to", help: "go to a bead by its number or id, or by the id of a sentence" },
  { group: "View", name: "help", keys: ["?"], label: "? Keys", help: "these keys" },
];

// Commands without a button of their own in the toolbar: the mouse has other ways.
const MOVES = [
  { name: "down", keys: ["ArrowDown", "j"], help: "next bead" },
  { name: "up", keys: ["ArrowUp", "k"], help: "bead above" },
  { name: "left", keys: ["ArrowLeft"], help: "source side" },
  { name: "right", keys: ["ArrowRight"], help: "target side" },
  { name: "nextSentence", keys: ["Shift+ArrowDown"], help: "next sentence of the side" },
  { name: "previousSentence", keys: ["Shift+ArrowUp"], help: "sentence above" },
  { name: "pageDown", keys: ["PageDown"], help: "a screen down, also within a bead" },
  { name: "pageUp", keys: ["PageUp"], help: "a screen up" },
  { name: "first", keys: ["Home"], help: "first bead" },
  { name: "last", keys: ["End"], help: "last bead" },
  { name: "next", keys: ["n"], help: "next bead of the kind looked for" },
  { name: "previous", keys: ["N"], help: "the one before" },
  { name: "find", keys: ["f", "/", "Ctrl+f"], help: "search texts, ids or comments" },
  { name: "replace", keys: ["r"], help: "replace with a preview" },
  ...KINDS.map((kind) => ({ name: `kind:${kind.name}`, keys: [kind.key], help: `next bead ${kind.label}` })),
].map((command) => ({ group: "Moving and searching", ...command }));

// The places of the sentences of a side that are shown.
const shownOf = (count, chosen) => {
  const all = Array.from({ length: count }, (_, k) => k);
  if (count <= SHOWN) return all;
  return all.filter((k) => k < SHOWN - AROUND || k >= count - AROUND || (chosen !== null && Math.abs(k - chosen) <= AROUND));
};

export class Editor extends Editing {
  constructor(store, frame, { leave = null } = {}) {
    super(store, frame, leave, COMMANDS, MOVES);
    this.cursor = { id: this.state.beads[0]?.id ?? null, side: "source", at: null };
    this.marks = { source: new Set(), target: new Set() };
    this.looked = { kind: KINDS[0], limit: LIMIT, query: null, matches: null, pattern: null };
    this.#build();
    this.listen();
    this.redraw();
    this.#progress();
    this.#comeBack();
    this.grid.focus({ preventScroll: true });
  }

  // Choose what was chosen when the page was left, and show what was in view.
  #comeBack() {
    const { bead, side, sentence = null, top, above } = keptPlace(this.address);
    const places = this.state.index("beads");
    this.choose(places.get(bead) ?? 0, { quiet: true, sentence, side: SIDES.includes(side) ? side : "source" });
    if (places.has(top)) this.list.top = { row: places.get(top), above: Number(above) || 0 };
  }

  goAway() {
    const { row, above } = this.list.top;
    const { id, side, at } = this.cursor;
    keepPlace(this.address, { bead: id, side, sentence: at, top: this.state.beads[row]?.id, above });
  }

  get at() {
    return this.state.index("beads").get(this.cursor.id) ?? -1;
  }

  get bead() {
    return this.state.beads[this.at];
  }

  // The page

  #build() {
    const { state } = this;
    const head = this.buildHead(state.alignment.name || "Alignment");
    this.buildToolbar();
    this.sure = element("input", { type: "number", min: "0", max: "1", step: "0.05", value: this.remembered("sure") ?? SURE, "aria-label": "Probability from which on a run confirms" });
    this.sure.addEventListener("change", () => this.remember("sure", this.sure.value));
    this.buttons.get("confirmRun").after(element("label", { title: "the least probability that the key y confirms" }, "from ", this.sure));
    this.limit = element("input", { type: "number", min: "0", max: "1", step: "0.05", value: LIMIT, "aria-label": "Probability", hidden: true });
    const option = (value, text) => element("option", { value }, text);
    this.field = element("select", { "aria-label": "Searched in" }, option("text", "in texts"), option("id", "in ids"), option("comment", "in comments"));
    this.where = element("select", { "aria-label": "Searched side" }, option("both", "both sides"), option("source", "source"), option("target", "target"));
    this.buildFinder("bead", KINDS, [this.limit], [this.field, this.where], [["replace", "Replace…", "replace with a preview (r)"]]);
    this.directions = Object.fromEntries(SIDES.map((side) => [side, directionOf(state.texts[side].language, state.rows[side])]));
    const heads = element("div", { class: "heads", "aria-hidden": "true" }, ...["source", null, "target"].map((side) =>
      element("div", {}, side ? element("bdi", {}, visible(state.texts[side].name || side)) : "")));
    this.grid = element("div", {
      class: "grid", role: "grid", tabindex: "0", "aria-label": "Beads", "aria-colcount": "3", "aria-multiselectable": "false",
    });
    this.said = element("div", { class: "said", role: "status", "aria-live": "polite" });
    const main = element("main", {}, this.toolbar, this.finder, heads, this.grid);
    this.frame.replaceChildren(head, main, this.said);
    this.list = new VirtualList(this.grid, {
      estimate: (k) => this.#estimate(k),
      draw: (k) => this.#row(k),
      rendered: () => this.#activate(),
    });
    this.setSize(this.rememberedSize());
  }

  #estimate(k) {
    const bead = this.state.beads[k];
    const width = Math.max(120, (this.grid.clientWidth - 110) / 2);
    const line = 1.45 * 16 * this.size;
    const height = (side) => bead[side].slice(0, SHOWN).reduce((sum, id) => {
      const text = this.state.sentence(side, id)?.text ?? "";
      const wide = text.length > 0 && text.charCodeAt(text.length >> 1) > 0x2e80 ? 2 : 1;
      return sum + Math.ceil((text.length * wide * 8 * this.size + 40) / width) * line + 5;
    }, 0);
    return Math.max(34, height("source"), height("target")) + 9;
  }

  // A row is drawn again only when something that it shows is another: the browser then keeps its
  // layout, and what a screen reader is reading.
  #row(k) {
    const { state } = this;
    const bead = state.beads[k];
    const chosen = bead.id === this.cursor.id;
    const breaks = SIDES.map((side) => this.#breaks(k, side));
    const shows = [
      bead, chosen, chosen && this.cursor.side, chosen && this.cursor.at, this.looked.pattern,
      ...SIDES.flatMap((side, n) => bead[side].flatMap((id, m) => [state.sentence(side, id), this.marks[side].has(id), breaks[n][m]])),
    ];
    let held = this.drawn.get(bead.id);
    if (!held || held.shows.length !== shows.length || held.shows.some((each, n) => each !== shows[n])) {
      held = { shows, row: this.#draw(bead, chosen, breaks) };
      this.drawn.set(bead.id, held);
    }
    held.row.setAttribute("aria-rowindex", k + 1);
    return held.row;
  }

  // Which sentences of a bead do not follow the one before them in the list: links that cross, and
  // beads that are discontinuous.
  #breaks(k, side) {
    const { state } = this;
    const index = state.index(side);
    let before = -1;
    for (let up = k - 1; up >= Math.max(0, k - 1000); up--) {
      if (!state.beads[up][side].length) continue;
      before = index.get(state.beads[up][side].at(-1));
      break;
    }
    return state.beads[k][side].map((id) => {
      const place = index.get(id);
      const follows = place === before + 1;
      before = place;
      return !follows;
    });
  }

  #draw(bead, chosen, breaks) {
    const row = element("div", { class: `bead ${bead.state}${chosen ? " chosen" : ""}`, role: "row", "data-bead": bead.id, "aria-selected": chosen });
    row.bead = bead.id;
    const cell = (side, n) => {
      const texts = this.state.texts[side];
      const active = chosen && this.cursor.side === side;
      const made = element("div", {
        class: `cell ${side}${active ? " active" : ""}`, role: "gridcell", id: `cell-${this.serial++}`,
        lang: languageTag(texts.language), dir: this.directions[side], "data-side": side,
      });
      let before = -1;
      for (const m of shownOf(bead[side].length, active ? this.cursor.at : null)) {
        if (m > before + 1) made.append(this.#gap(m - before - 1));
        made.append(this.#sentence(side, bead[side][m], breaks[n][m], active && this.cursor.at === m));
        before = m;
      }
      if (!bead[side].length) made.append(element("span", { class: "none", dir: "ltr" }, isEmptyBead(bead) ? "empty bead" : "–"));
      return made;
    };
    const sign = element("button", { type: "button", class: "state", tabindex: "-1", title: `${bead.state}: click to confirm or to take that back`, "aria-label": bead.state }, SIGNS[bead.state]);
    const flag = (sign, text) => element("span", { class: "flag", title: text, role: "img", "aria-label": text }, sign);
    const middle = element("div", { class: "middle", role: "gridcell" }, sign, element("div", { class: "about" },
      element("span", { class: "type" }, typeOf(bead)),
      bead.probability === null ? null : element("span", { class: "probability", title: "probability" }, bead.probability.toFixed(2)),
      this.#linkedWords(bead),
      bead.bookmark ? flag("★", "bookmarked") : null,
      bead.comment ? flag("✎", `comment: ${visible(bead.comment.slice(0, 500))}`) : null));
    row.append(cell("source", 0), middle, cell("target", 1));
    return row;
  }

  // How many word links a bead has, and whether they are confirmed.
  #linkedWords({ words = [], linked = false }) {
    if (!words.length && !linked) return null;
    const proposed = words.filter(([, , , , kind]) => kind === "proposed").length;
    const text = `${many(words.length, "word link")}${linked ? ", confirmed" : proposed ? `, ${proposed} proposed` : ""}`;
    return element("span", { class: `linked-words${linked ? " sound" : ""}`, title: text, role: "img", "aria-label": text }, `⇄${words.length}${linked ? "✓" : ""}`);
  }

  #gap(count) {
    return element("p", { class: "none", dir: "ltr" }, `… ${many(count, "sentence")} more`);
  }

  #sentence(side, id, breaks, chosen) {
    const sentence = this.state.sentence(side, id);
    const marked = this.marks[side].has(id);
    const shared = this.state.beadsOf(side, id).length > 1;
    // The direction of the text, not that of its first letter, as `bdi` would have it by itself.
    const text = element("bdi", { class: "text", dir: this.directions[side] });
    const { pattern, query } = this.looked;
    const searched = pattern && query.field === "text" && (query.where === "both" || query.where === side);
    partsOf(searched ? pattern : null, sentence.text).forEach((part, k) => text.append(k % 2 ? element("mark", {}, visible(part)) : visible(part)));
    const signs = [
      marked ? ["☑", "marked"] : null,
      sentence.paragraph ? ["¶", "begins a paragraph"] : null,
      breaks ? ["⤭", "does not follow the sentence above it in the text"] : null,
      shared ? ["⧉", "in several beads"] : null,
    ].filter(Boolean).map(([sign, title]) => element("span", { class: "sign", title, role: "img", "aria-label": title }, sign));
    return element("div", { class: `sentence${chosen ? " on" : ""}${marked ? " marked" : ""}`, "data-id": id },
      element("span", { class: "id", dir: "ltr" }, visible(id)), " ", ...signs.flatMap((sign) => [sign, " "]), text);
  }

  redraw() {
    this.list.reset(this.state.beads.length);
    this.list.render();
  }

  #progress() {
    const { counts, beads } = this.state;
    const doubtful = counts.doubtful ? `, ${number.format(counts.doubtful)} doubtful` : "";
    this.progress.textContent = `${number.format(counts.confirmed)} of ${many(beads.length, "bead")} confirmed${doubtful}`;
  }

  // The chosen bead and sentence

  choose(at, { side = this.cursor.side, sentence = null, quiet = false, reveal = true } = {}) {
    const bead = this.state.beads[at];
    if (!bead) {
      this.cursor = { id: null, side, at: null };
      this.list.render();
      return;
    }
    this.cursor = { id: bead.id, side, at: sentence !== null && bead[side][sentence] !== undefined ? sentence : null };
    if (reveal) this.list.reveal(at);
    else this.list.render();
    if (!quiet) this.say(spokenBead(bead, at, this.state.beads.length));
  }

  // The focus stays on the grid, which tells what in it is active: rows come and go.
  #activate() {
    const cell = this.drawn.get(this.cursor.id)?.row.querySelector(`.${this.cursor.side}`);
    if (cell?.isConnected) this.grid.setAttribute("aria-activedescendant", cell.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  // The chosen sentence as `[side, id]`; without one the first of the side.
  get sentence() {
    const { side, at } = this.cursor;
    return [side, this.bead?.[side][at ?? 0]];
  }

  stepSentence(step) {
    const { side, at } = this.cursor;
    const { beads } = this.state;
    const next = at === null ? (step > 0 ? 0 : this.bead[side].length - 1) : at + step;
    if (this.bead[side][next] !== undefined) return this.choose(this.at, { sentence: next });
    let k = this.at + step;
    while (beads[k] && !beads[k][side].length) k += step;
    return beads[k] ? this.choose(k, { sentence: step > 0 ? 0 : beads[k][side].length - 1 }) : undefined;
  }

  get marked() {
    return { source: [...this.marks.source], target: [...this.marks.target] };
  }

  toggleMark(side, ids) {
    const every = ids.every((id) => this.marks[side].has(id));
    for (const id of ids) this.marks[side][every ? "delete" : "add"](id);
    this.list.render();
    this.say(`${every ? "not marked" : "marked"}: ${many(this.marks.source.size, "source sentence")}, ${many(this.marks.target.size, "target sentence")} marked`);
  }

  clearMarks() {
    for (const side of SIDES) this.marks[side].clear();
    this.problem.textContent = "";
    this.list.render();
  }

  // Changes

  // Make the change of an operation, and choose the bead it leads to.
  make(change, { side = this.cursor.side, sentence = null } = {}) {
    const was = this.at;
    if (!this.store.change(change)) return false;
    const at = this.state.index("beads").get(change.focus) ?? Math.min(was, this.state.beads.length - 1);
    this.choose(at, { side, sentence, quiet: true });
    const bead = this.state.beads[at];
    this.say(`${change.name}: ${bead ? spokenBead(bead, at, this.state.beads.length) : "no bead is left"}`);
    return true;
  }

  // Something has changed, here or elsewhere: `splices` says what.
  changed({ splices, kind, annotator }) {
    const { state } = this;
    const beads = state.index("beads");
    let sentences = false;
    for (const { list, at, remove, insert } of splices) {
      if (list !== "beads") {
        sentences = true;
        continue;
      }
      this.list.splice(at, remove.length, insert.length);
    }
    for (const id of this.drawn.keys()) if (!beads.has(id)) this.drawn.delete(id);
    if (sentences) this.#forgetSentences(splices);
    if (!beads.has(this.cursor.id)) {
      const splice = splices.find(({ list }) => list === "beads");
      const place = this.#successor(splices) ?? Math.min(splice?.at ?? 0, state.beads.length - 1);
      this.cursor = { ...this.cursor, id: state.beads[place]?.id ?? null, at: null };
      this.list.reveal(place);
    }
    // For undo and redo, what has changed is shown.
    if (kind === "undo" || kind === "redo") {
      const [splice] = splices.filter(({ list }) => list === "beads");
      const [row] = splices[0].insert;
      const place = splice ? Math.min(splice.at, state.beads.length - 1) : beads.get(state.beadsOf(splices[0].list, row?.id)[0]);
      // Somebody in the midst of a long stretch that changes, as of a realignment, stays there.
      const within = splice && this.at >= splice.at && this.at < splice.at + splice.insert.length;
      if (place !== undefined && !annotator?.other) this.choose(within ? this.at : place, { quiet: true });
    }
    this.list.render();
    this.#progress();
    this.#tellLost(splices, kind);
    this.forgetRows();
  }

  // The place of the bead that has a sentence of the chosen bead, which is gone.
  #successor(splices) {
    const { state, cursor: { id, side } } = this;
    for (const { list, remove } of splices) {
      const bead = list === "beads" ? remove.find((row) => row.id === id) : undefined;
      if (!bead) continue;
      for (const each of [side, otherSide(side)]) {
        for (const sentence of bead[each]) {
          const [owner] = state.beadsOf(each, sentence);
          if (owner !== undefined) return state.index("beads").get(owner);
        }
      }
    }
    return undefined;
  }

  // Say how many word links a change of beads or sentences has taken away, behind what is said of the
  // change itself; not of undo, which shows what it does.
  #tellLost(splices, kind) {
    const lost = kind === "change" ? lostWords(splices) : 0;
    if (!lost) return;
    const text = `${many(lost, "word link")} removed: the words are gone, or no longer in one bead`;
    queueMicrotask(() => {
      this.say(`${this.said.textContent}; ${text}`, { shown: false });
      this.problem.textContent = text;
    });
  }

  // Texts are others: so may be the heights of their beads, and marks of sentences that went.
  #forgetSentences(splices) {
    const { state } = this;
    for (const { list, insert } of splices) {
      if (list === "beads") continue;
      for (const { id } of insert) for (const bead of state.beadsOf(list, id)) this.list.forget(state.index("beads").get(bead));
    }
    for (const side of SIDES) for (const id of this.marks[side]) if (!state.index(side).has(id)) this.marks[side].delete(id);
  }

  // Commands

  #toggle(value) {
    return this.make(operations.setState(this.state, this.at, this.bead.state === value ? "proposed" : value), { sentence: this.cursor.at });
  }

  // Confirm, and go on to the next bead that is not confirmed.
  #confirm(change) {
    const at = this.at;
    this.store.change(change);
    const { beads } = this.state;
    let next = at + 1;
    while (next < beads.length && beads[next].state === "confirmed") next += 1;
    if (next < beads.length) this.choose(next);
    else {
      this.choose(at, { quiet: true });
      const left = beads.length - this.state.counts.confirmed;
      this.say(left ? `confirmed; ${many(left, "unconfirmed bead")} above` : "All beads are confirmed");
      this.problem.textContent = left ? "" : "All beads are confirmed";
    }
  }

  // Confirm what is in view, down to the next improbable bead. What was not in view nobody has looked
  // at: then it is shown, and nothing confirmed. What comes next stands at the top of the view.
  #confirmRun() {
    const { at, list } = this;
    if (at < list.top.row || at > list.lastInView) {
      list.reveal(at);
      throw new ChangeRefused("The bead was not in view: look at what is below it, and press the key again");
    }
    this.#confirm(operations.confirmRun(this.state, at, list.lastInView, Number(this.sure.value)));
    list.top = { row: Math.max(0, this.at - 1), above: 0 };
  }

  goTo(at) {
    this.choose(at);
    this.grid.focus({ preventScroll: true });
  }

  look(step, kind = this.looked.kind) {
    if (kind !== this.looked.kind) this.lookFor(kind.name);
    if (kind.name === "found" && !this.take()) {
      this.find.focus();
      return this.looked.pattern === null && !this.problem.textContent && this.refuse("Type what to search for");
    }
    this.looked.limit = Number(this.limit.value);
    const at = nextOf(this.state, kind, this.at, step, this.looked);
    return at < 0 ? this.refuse(`No bead ${kind.label}`) : this.choose(at);
  }

  lookFor(name) {
    this.looked.kind = KINDS.find((kind) => kind.name === name);
    this.kind.value = name;
    this.limit.hidden = name !== "improbable";
  }

  get query() {
    return { text: this.find.value, field: this.field.value, where: this.where.value, regular: this.regular.checked, exact: this.exact.checked };
  }

  // Take what is in the search field; return whether there is something to search for.
  take() {
    const { query } = this;
    const { query: before } = this.looked;
    // What is marked is another, though the pattern is the same.
    if (before?.where !== query.where || before?.field !== query.field) this.looked.pattern = null;
    const matches = this.takePattern(query) ? matcher(this.state, query) : null;
    Object.assign(this.looked, { query, matches });
    this.list.render();
    return matches !== null;
  }

  deeds = {
    ...this.common,
    confirm: () => this.#confirm(operations.setState(this.state, this.at, "confirmed")),
    confirmRun: () => this.#confirmRun(),
    confirmUpTo: () => this.#confirm(operations.confirmUpTo(this.state, this.at)),
    toggleConfirmed: () => this.#toggle("confirmed"),
    toggleDoubtful: () => this.#toggle("doubtful"),
    bookmark: () => this.make(operations.setBookmark(this.state, this.at, !this.bead.bookmark)),
    comment: () => {
      const { at, bead: { id, comment } } = this;
      commentDialog(this, `Comment on bead ${at + 1}`, comment, (text) => operations.setComment(this.state, this.state.index("beads").get(id) ?? -1, text));
    },
    words: () => openLinker(this, keyOf),
    linkWords: () => this.store.linkWords().then(() => this.say("The aligner is at work")),
    mergeDown: () => this.make(operations.merge(this.state, this.at)),
    mergeUp: () => this.make(operations.merge(this.state, this.at - 1, this.at)),
    split: () => this.make(operations.split(this.state, this.at, this.cursor.side, this.cursor.at)),
    giveDown: () => this.make(operations.give(this.state, this.at, this.cursor.side, 1)),
    giveUp: () => this.make(operations.give(this.state, this.at, this.cursor.side, -1)),
    takeDown: () => this.make(operations.take(this.state, this.at, this.cursor.side, 1)),
    takeUp: () => this.make(operations.take(this.state, this.at, this.cursor.side, -1)),
    shiftDown: () => this.make(operations.shiftDown(this.state, this.at, this.cursor.side)),
    shiftUp: () => this.make(operations.shiftUp(this.state, this.at, this.cursor.side)),
    insertAfter: () => this.make(operations.insertEmpty(this.state, this.at, true)),
    insertBefore: () => this.make(operations.insertEmpty(this.state, this.at, false)),
    removeEmpty: () => this.make(operations.removeEmpty(this.state, this.at)),
    mark: () => {
      const { side, at } = this.cursor;
      const ids = at === null ? this.bead[side] : [this.bead[side][at]];
      if (!ids.length) throw new ChangeRefused("The side has no sentence to mark");
      this.toggleMark(side, ids);
    },
    link: () => {
      if (this.make(operations.link(this.state, this.marked))) this.clearMarks();
    },
    unlink: () => {
      const some = this.marks.source.size + this.marks.target.size > 0;
      if (this.make(some ? operations.unlinkMarked(this.state, this.marked) : operations.unlink(this.state, this.at))) this.clearMarks();
    },
    clear: () => {
      this.clearMarks();
      this.choose(this.at, { quiet: true });
    },
    edit: () => {
      const [side, id] = this.sentence;
      if (id === undefined) throw new ChangeRefused("The side has no sentence to edit");
      sentenceDialog(this, side, id);
    },
    join: () => this.make(operations.joinSentences(this.state, ...this.sentence)),
    paragraph: () => {
      const [side, id] = this.sentence;
      this.make(operations.setParagraph(this.state, side, id, !this.state.sentence(side, id)?.paragraph), { sentence: this.cursor.at });
    },
    exportBeads: () => this.store.exportBeads(),
    realign: () => this.#realign(false),
    realignRest: () => this.#realign(true),
    history: () => historyDialog(this),
    goTo: () => goToDialog(this, "bead", "The number of a bead, its id, or the id of a sentence", this.state.beads.length,
      (typed) => placeNamed(this.state, typed)),
    help: () => helpDialog(this, [...this.commands, ...this.moves]),
    down: () => this.choose(Math.min(this.at + 1, this.state.beads.length - 1)),
    up: () => this.choose(Math.max(this.at - 1, 0)),
    left: () => this.choose(this.at, { side: "source" }),
    right: () => this.choose(this.at, { side: "target" }),
    nextSentence: () => this.stepSentence(1),
    previousSentence: () => this.stepSentence(-1),
    pageDown: () => this.list.scrollWithin(this.at, 1) || this.choose(Math.min(this.at + this.list.page, this.state.beads.length - 1)),
    pageUp: () => this.list.scrollWithin(this.at, -1) || this.choose(Math.max(this.at - this.list.page, 0)),
    first: () => this.choose(0),
    last: () => this.choose(this.state.beads.length - 1),
    next: () => this.look(1),
    previous: () => this.look(-1),
    replace: () => replaceDialog(this),
  };

  // The stretch between the confirmed beads around the chosen one, or all from it on.
  #realign(rest) {
    const { beads } = this.state;
    let [from, to] = [this.at, this.at];
    if (this.bead.state === "confirmed" && !rest) throw new ChangeRefused("The bead is confirmed: choose one that is not");
    while (!rest && from > 0 && beads[from - 1].state !== "confirmed") from -= 1;
    while (!rest && to + 1 < beads.length && beads[to + 1].state !== "confirmed") to += 1;
    return this.store.realign(beads[from].id, rest ? null : beads[to].id).then(() => this.say("The aligner is at work"));
  }

  perform(name) {
    const [first, kind] = name.split(":");
    const needs = !["help", "undo", "redo", "save", "kept", "find", "larger", "smaller", "takeLock", "history", "export", "exportBeads"].includes(first);
    if (needs && !this.bead) throw new ChangeRefused("There is no bead");
    if (needs && name !== "next" && name !== "previous") this.problem.textContent = "";
    return kind ? this.look(1, KINDS.find((each) => each.name === kind)) : this.deeds[first]();
  }

  // Keys and mouse

  listen() {
    const on = super.listen();
    on(this.grid, "dblclick", (event) => event.target.closest(".sentence") && this.run("edit"));
    on(this.grid, "copy", (event) => this.#copy(event));
    on(this.store, "job", ({ detail }) => this.#showJob(detail));
  }

  reset() {
    this.choose(Math.max(0, this.at), { quiet: true });
    this.#progress();
  }

  nameOf(event) {
    return this.keys.get(keyOf(event));
  }

  #place(event) {
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const row = target?.closest(".bead");
    if (!row || !this.grid.contains(row)) return null;
    const at = this.state.index("beads").get(row.bead);
    const cell = target.closest(".cell");
    const sentence = target.closest(".sentence");
    const side = cell?.dataset.side ?? this.cursor.side;
    return { target, row, at, side, id: sentence?.dataset.id };
  }

  // Choose with the mouse, mark with Ctrl or Shift, or drag a sentence into another bead.
  press(event) {
    const from = this.#place(event);
    if (event.button !== 0 || !from) return;
    if (event.target.closest(".state")) {
      event.preventDefault();
      this.choose(from.at, { quiet: true, reveal: false });
      this.run("toggleConfirmed");
      return;
    }
    if (event.pointerType !== "touch") event.preventDefault(); // no selection of text while dragging
    this.grid.focus({ preventScroll: true });
    const sentence = from.id === undefined ? null : this.state.beads[from.at][from.side].indexOf(from.id);
    this.choose(from.at, { side: from.side, sentence, reveal: false });
    if ((event.ctrlKey || event.metaKey || event.shiftKey) && from.id !== undefined) {
      this.toggleMark(from.side, [from.id]);
      return;
    }
    if (from.id === undefined || event.pointerType === "touch") return; // a finger scrolls
    this.drag(event, (move) => this.#place(move)?.row, (row) => {
      const [source, to] = [from.row, row].map(({ bead }) => this.state.index("beads").get(bead));
      return source === undefined || to === undefined || to === source ? null : operations.moveSentence(this.state, from.side, from.id, source, to);
    }, { side: from.side });
  }

  #copy(event) {
    if (!this.bead || !getSelection().isCollapsed) return;
    const texts = (side) => this.bead[side].map((id) => this.state.sentence(side, id).text).join(" ");
    event.clipboardData.setData("text/plain", [this.cursor.side, otherSide(this.cursor.side)].map(texts).join("\n"));
    event.preventDefault();
  }

  #showJob({ job, done, total, state, error }) {
    this.job.hidden = state !== "running";
    if (state === "running") {
      const bar = element("progress", { max: total || 1, value: done, "aria-label": "Alignment" });
      const cancel = element("button", { type: "button" }, "Cancel");
      cancel.addEventListener("click", () => {
        this.grid.focus({ preventScroll: true }); // the button goes
        this.store.cancel(job).catch((problem) => this.refuse(problem.message));
      });
      this.job.replaceChildren("Aligning ", bar, " ", cancel);
    } else if (state === "failed") this.refuse(`The aligner has failed: ${error ?? "no reason given"}`);
    else this.say(state === "done" ? "The aligner is done" : "The aligner was stopped");
  }
}
