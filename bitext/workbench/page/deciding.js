// What the pages share on which differences are decided: their rows, their keys, their problems, and
// what they take from the store. A page has `rows`, `deeds` and `changed`; `statusOf` a row, and
// `drawRow` for its number and status.

import { ChangeRefused } from "./changes.js";
import { attempt, showStatus } from "./editing.js";
import { addressNow, element, keepPlace, keptPlace, makeToolbar, pushButton, visible } from "./elements.js";
import { VirtualList } from "./list.js";
import { helpDialog, historyDialog } from "./panels.js";

// The commands of all these pages, but for those that decide; `decides` is what they are for.
export const withCommon = (decides) => [
  ...decides,
  { name: "next", keys: ["n"], label: "Next open", help: "next difference that is not decided" },
  { name: "undo", keys: ["z", "Ctrl+z"], label: "↶ Undo", help: "undo" },
  { name: "redo", keys: ["Z", "Ctrl+y", "Ctrl+Shift+z"], label: "↷ Redo", help: "redo" },
  { name: "history", keys: ["H"], label: "Log", help: "who has decided what, and when" },
  { name: "down", keys: ["ArrowDown", "j"], help: "next difference" },
  { name: "up", keys: ["ArrowUp", "k"], help: "difference above" },
  { name: "help", keys: ["?"], label: "? Keys", help: "these keys" },
].map((command) => ({ group: "Compare", ...command }));

export class Deciding {
  // `states` are those of other annotators of the document that `store` has.
  constructor(store, frame, states, keyOf, commandsFor) {
    Object.assign(this, { store, frame, keyOf, at: 0, letters: true, drawn: new Map(), serial: 0 });
    this.mouse = "With the mouse: click a difference to choose it; buttons do what keys do.";
    this.names = states.map(({ alignment }) => visible(alignment.annotator || "proposal"));
    this.commands = commandsFor(this.names);
    this.keys = new Map(this.commands.flatMap(({ name, keys }) => keys.map((key) => [key, name])));
    this.progress = element("p", { class: "progress quiet" });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.status = element("p", { class: "status quiet" });
    this.said = element("div", { class: "said", role: "status", "aria-live": "polite" });
  }

  get state() {
    return this.store.alignment;
  }

  // Show the page: a heading, the buttons, and what is compared.
  show(title, ...content) {
    const toolbar = element("div", { class: "toolbar", "aria-label": "Commands" },
      ...this.commands.filter(({ label }) => label).map(({ name, label, help, keys }) =>
        pushButton(label, () => this.run(name), { title: `${help} (${keys[0]})`, "aria-keyshortcuts": keys[0] })), this.problem);
    toolbar.addEventListener("mousedown", (event) => event.preventDefault());
    makeToolbar(toolbar, () => this.grid.focus({ preventScroll: true }));
    this.frame.replaceChildren(
      element("header", {}, element("h1", {}, `${title} `, element("bdi", {}, visible(this.state.alignment.name))),
        element("a", { href: "#/" }, "All documents"), this.progress, this.status),
      element("main", {}, toolbar, ...content), this.said);
  }

  // Show the rows as a table: a column `first`, one for each annotator, and one for what is decided.
  showTable(title, first, estimate, ...above) {
    const heads = element("div", { class: "coders-heads", "aria-hidden": "true" },
      ...[first, ...this.names].map((name) => element("div", {}, element("bdi", {}, name))), element("div"));
    this.grid = element("div", { class: "grid coders", role: "grid", tabindex: "0", "aria-label": "Differences" });
    for (const part of [heads, this.grid]) part.style.setProperty("--coders", this.names.length);
    this.show(title, ...above, heads, this.grid);
    this.listRows(estimate);
  }

  // Fill the grid with rows; `estimate` says how high one will be.
  listRows(estimate) {
    this.list = new VirtualList(this.grid, { estimate, draw: (k) => this.#row(k) });
    this.list.reset(this.rows.length);
  }

  // A row is drawn anew only when it shows something else.
  #row(k) {
    const status = this.statusOf(this.rows[k]);
    const key = `${status} ${k === this.at} ${this.shownBeside(this.rows[k])}`;
    let held = this.drawn.get(k);
    if (held?.key !== key) this.drawn.set(k, held = { key, row: this.drawRow(k, status) });
    return held.row;
  }

  // What a row shows that decisions change, beside its status.
  shownBeside() {
    return "";
  }

  // Choose the row that was chosen when the page was left; `nameOf` gives the name by which it is kept.
  restore(nameOf) {
    Object.assign(this, { nameOf, address: addressNow() });
    this.at = Math.max(0, this.rows.findIndex((row) => nameOf(row) === keptPlace(this.address).row));
  }

  // Whether decisions are kept, or somebody else is editing.
  #showStatus() {
    showStatus(this, () => {
      this.grid.focus({ preventScroll: true }); // the button goes
      attempt(this.store, () => this.store.lock(), (message) => { this.problem.textContent = message; });
    });
  }

  // Choose the next difference that is open.
  next() {
    for (let k = 1; k <= this.rows.length; k++) {
      const at = (this.at + k) % this.rows.length;
      if (this.isOpen(at)) return this.choose(at);
    }
    this.choose(this.at);
    this.said.textContent = this.rows.some((_, k) => this.isDoubtful(k)) ? "No difference is open; some are doubtful" : "All differences are decided";
  }

  choose(k) {
    if (!this.rows[k]) return;
    this.at = k;
    this.list.reveal(k);
    this.activate();
    this.said.textContent = `Difference ${k + 1} of ${this.rows.length}, ${this.wordsFor(this.statusOf(this.rows[k]))}`;
  }

  mark = ".mark"; // the cell of a row that has an id

  // Say which row is chosen.
  activate() {
    const cell = this.drawn.get(this.at)?.row.querySelector(this.mark);
    if (cell?.isConnected) this.grid.setAttribute("aria-activedescendant", cell.id);
  }

  wordsFor(status) {
    return status;
  }

  isOpen(k) {
    return this.statusOf(this.rows[k]) === "open";
  }

  doubtful = "doubtful"; // the status of a difference that is not to be decided

  isDoubtful(k) {
    return this.statusOf(this.rows[k]) === this.doubtful;
  }

  get openRows() {
    return this.rows.filter((_, k) => this.isOpen(k)).length;
  }

  always = ["help", "history", "agreed", "undo", "redo"]; // also where nothing differs

  common = {
    next: () => this.next(),
    undo: () => this.store.undo(),
    redo: () => this.store.redo(),
    down: () => this.choose(this.at + 1),
    up: () => this.choose(this.at - 1),
    history: () => historyDialog(this),
    help: () => helpDialog(this, this.commands),
  };

  // Do what a command says: the name of a deed, and perhaps a number behind a colon.
  run(name) {
    attempt(this.store, () => {
      this.problem.textContent = "";
      const [deed, which] = name.split(":");
      if (!this.rows.length && !this.always.includes(deed)) throw new ChangeRefused("There is no difference");
      return (this.deeds[deed] ?? this.common[deed])(which);
    }, (message) => { this.problem.textContent = message; });
  }

  listen() {
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
    this.store.addEventListener("splices", ({ detail }) => this.changed(detail), { signal });
    this.store.addEventListener("reset", () => this.changed(), { signal });
    this.store.addEventListener("notice", ({ detail }) => { this.problem.textContent = detail; }, { signal });
    this.store.addEventListener("lock", () => this.#showStatus(), { signal });
    this.store.addEventListener("status", () => this.#showStatus(), { signal });
    this.#showStatus();
  }

  close() {
    if (this.nameOf && this.rows.length) keepPlace(this.address, { row: this.nameOf(this.rows[this.at]) });
    this.life.abort();
    this.store.close();
  }
}
