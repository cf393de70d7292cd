// What the editors of an alignment and of a segmentation share: the toolbar, the search field, the
// size of the text, messages, keys, dragging, and what they take from the store.
//
// An editor has `grid`, `list`, `looked`, `deeds`, and the methods `perform`, `nameOf`, `press`,
// `redraw`, `changed`, `goAway`, `take`, `find` and `lookFor`.

import { ChangeRefused } from "./changes.js";
import { addressNow, element, makeToolbar, pushButton, visible } from "./elements.js";
import { exportDialog } from "./panels.js";
import { patternOf } from "./search.js";
import { RequestFailed, SAVING, ask } from "./stores.js";

// States have a colour, a sign and a border of their own: colour is never needed.
export const SIGNS = { proposed: "○", confirmed: "✓", doubtful: "?" };
const DRAG = 8; // pixels the mouse moves before a click is a drag
const SIZES = [0.8, 0.9, 1, 1.15, 1.3, 1.6, 2]; // of the text, in rem
const USUAL = 2; // the place of the size at first

// The name of a key press, as the tables of commands have it. On keyboards of other scripts a letter is
// the one that stands there on a Latin keyboard: who edits Russian need not change the keyboard.
export const keyOf = (event) => {
  let { key } = event;
  if (key.length === 1 && key > "\u007f" && /^Key[A-Z]$/u.test(event.code ?? "")) {
    key = event.code.slice(3);
    if (!event.shiftKey) key = key.toLowerCase();
  }
  const control = event.ctrlKey || event.metaKey;
  if (control && key.length === 1) key = key.toLowerCase();
  const shift = event.shiftKey && (key.length > 1 || control);
  return `${control ? "Ctrl+" : ""}${shift ? "Shift+" : ""}${key}`;
};

// Commands of both editors behind their own. `store` names what the store must have for a command.
export const COMMON = [
  { group: "History", name: "undo", keys: ["z", "Ctrl+z"], label: "↶ Undo", help: "undo; there is no end to it" },
  { group: "History", name: "redo", keys: ["Z", "Ctrl+y", "Ctrl+Shift+z"], label: "↷ Redo", help: "redo" },
  { group: "History", name: "history", keys: ["H"], label: "Changes", help: "who changed what when", store: "address" },
  { group: "File", name: "export", keys: [], label: "Export…", help: "download the document in a format", store: "address" },
  { group: "File", name: "save", keys: ["Ctrl+s"], label: "Save", help: "save the page with all changes in a file", store: "save" },
];

export const VIEW = [
  { group: "View", name: "larger", keys: ["+"], label: "A+", help: "larger text" },
  { group: "View", name: "smaller", keys: ["-"], label: "A−", help: "smaller text" },
];

// With a server there is nothing to save; the browser would offer to save the page, which is of no use.
const KEPT = { group: "File", name: "kept", keys: ["Ctrl+s"], help: "nothing: every change is saved as it is made" };

// What is shown of a store: whether all is saved, or who edits; and that the server is gone, unless
// changes that wait say so already.
const spokenStatus = ({ status: { kept, text }, readOnly, gone }) => {
  if (gone && readOnly) return `What is shown may be old: ${gone}`;
  return readOnly || (gone && kept ? `All is saved; ${gone}` : text);
};

// Show on a page whether all is saved, or who edits; one who looks on is offered the lock.
export const showStatus = (page, edit) => {
  const { kept, text } = page.store.status;
  page.status.textContent = spokenStatus(page.store);
  page.status.classList.toggle("problem", Boolean(page.store.gone) || (!kept && text !== SAVING));
  const offered = page.store.readOnly && !page.store.gone;
  if (offered && !page.editButton) {
    page.editButton = pushButton("Edit", edit, { title: "edit here, as soon as nobody else does" });
    page.status.after(page.editButton);
  } else if (!offered) {
    page.editButton?.remove();
    page.editButton = null;
  }
};

// Act, when an undo that is on its way has ended; say why not, if that is refused.
export const attempt = (store, act, say) => {
  if (store.turning) {
    store.turning.then(() => attempt(store, act, say));
    return;
  }
  const failed = (error) => {
    if (!(error instanceof ChangeRefused || error instanceof RequestFailed)) throw error;
    say(error.message);
  };
  try {
    const found = act();
    if (found instanceof Promise) found.catch(failed);
  } catch (error) {
    failed(error);
  }
};

export class Editing {
  constructor(store, frame, leave, commands, moves) {
    Object.assign(this, { store, frame, leave, moves: store.save ? moves : [...moves, KEPT] });
    this.address = addressNow(); // by which the place is kept, and which is another when it is left
    this.letters = true; // keys of one letter work: who dictates may switch them off
    this.drawn = new Map(); // bead or line: its row, and all that the row shows
    this.serial = 0;
    this.commands = commands.filter((command) => !command.store || store[command.store]);
    this.keys = new Map([...this.commands, ...this.moves].flatMap(({ name, keys }) => keys.map((key) => [key, name])));
  }

  get state() {
    return this.store.alignment;
  }

  // The page

  buildHead(title) {
    this.progress = element("p", { class: "progress quiet" });
    this.status = element("p", { class: "status quiet" });
    this.job = element("div", { class: "job", hidden: true });
    const back = this.leave ? element("a", { href: "#/" }, "All documents") : null;
    return element("header", {}, element("h1", {}, element("bdi", {}, visible(title))), back, this.progress, this.status, this.job);
  }

  buildToolbar() {
    this.toolbar = element("div", { class: "toolbar", "aria-label": "Commands" });
    this.buttons = new Map();
    const groups = new Map();
    for (const { group, name, keys: [key], label, help } of this.commands) {
      if (!groups.has(group)) {
        groups.set(group, element("div", { class: "group", role: "group", "aria-label": group }));
        this.toolbar.append(groups.get(group));
      }
      const shown = { " ": "Space" }[key] ?? key;
      const button = element("button", {
        type: "button", "data-do": name, "aria-keyshortcuts": shown,
        "aria-label": /\p{L}/u.test(label) ? null : help, // a sign alone is no name
        title: key ? `${help} (${shown})` : help,
      }, label);
      groups.get(group).append(button);
      this.buttons.set(name, button);
    }
    makeToolbar(this.toolbar, () => this.grid.focus({ preventScroll: true }));
  }

  // The fields of a search; `noun` is what is gone to, `kinds` are those of it that one can go to.
  buildFinder(noun, kinds, ...fields) {
    this.kind = element("select", { "aria-label": `Kind of ${noun} looked for` }, ...kinds.map(({ name, label }) => element("option", { value: name }, label)));
    this.find = element("input", { type: "search", class: "find", placeholder: "Search", "aria-label": "Text searched", "aria-describedby": "find-problem" });
    this.regular = element("input", { type: "checkbox" });
    this.exact = element("input", { type: "checkbox" });
    this.problem = element("span", { class: "problem", id: "find-problem" });
    const deed = (name, label, title) => element("button", { type: "button", "data-do": name, title, "aria-label": title }, label);
    const [before, behind, last] = fields;
    this.finder = element("div", { class: "finder", role: "search", "aria-label": `Go to ${noun}s` },
      element("span", { class: "quiet" }, "Go to"), this.kind, ...before,
      deed("previous", "↑", "the one before (N)"), deed("next", "↓ Next", `next ${noun} of this kind (n)`), this.find, ...behind,
      element("label", {}, this.regular, " regular expression"), element("label", {}, this.exact, " capitals as typed"),
      ...last.map(([name, label, title]) => deed(name, label, title)), this.problem);
  }

  showStatus() {
    showStatus(this, () => {
      this.grid.focus({ preventScroll: true }); // the button goes
      this.run("takeLock");
    });
  }

  // Say something to screen readers, and show it where it is an answer to a command.
  say(text, { shown = true } = {}) {
    this.said.textContent = this.said.textContent === text ? `${text}\u00a0` : text;
    if (shown) this.problem.textContent = "";
  }

  refuse(text) {
    this.say(text, { shown: false });
    this.problem.textContent = text;
  }

  setSize(place) {
    this.sizePlace = Math.max(0, Math.min(SIZES.length - 1, place));
    this.size = SIZES[this.sizePlace];
    this.grid.style.setProperty("--size", `${this.size}rem`);
    this.list.width = null;
    this.list.resized();
    this.remember("size", this.sizePlace);
  }

  rememberedSize() {
    return Number(this.remembered("size") ?? USUAL);
  }

  // What a person has set stays for the next page; where the browser keeps nothing, it is not missed.
  remembered(key) {
    try {
      return localStorage.getItem(`bitext-workbench-${key}`);
    } catch {
      return null;
    }
  }

  remember(key, value) {
    try {
      localStorage.setItem(`bitext-workbench-${key}`, value);
    } catch {
      this.unremembered = true;
    }
  }

  // Take the pattern of a search; return whether it is one. A new object for the same pattern would
  // draw all rows again.
  takePattern(query) {
    this.problem.textContent = "";
    try {
      const pattern = patternOf(query);
      if (String(pattern) !== String(this.looked.pattern)) this.looked.pattern = pattern;
      return true;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.looked.pattern = null;
      this.refuse(`No regular expression: ${error.message.replace(/^.*\/[a-z]*: /u, "")}`);
      return false;
    }
  }

  // Rows far from view are kept only so long: they are cheap to draw again.
  forgetRows() {
    if (this.drawn.size <= 2000) return;
    const rows = new Set(this.list.block.children);
    for (const [key, { row }] of this.drawn) if (!rows.has(row)) this.drawn.delete(key);
  }

  // Commands

  common = {
    undo: () => this.store.undo().then((name) => this.say(`undone: ${name}`)),
    redo: () => this.store.redo().then((name) => this.say(`redone: ${name}`)),
    save: () => this.store.save().then((said) => said && this.say(said)),
    kept: () => this.store.flush().then(() => this.store.setStatus(true, "Saved, as every change is when it is made")),
    export: () => this.export(),
    takeLock: () => this.store.lock().then((mine) => (mine ? this.store.reload() : this.refuse(this.store.readOnly))),
    larger: () => this.setSize(this.sizePlace + 1),
    smaller: () => this.setSize(this.sizePlace - 1),
    find: () => {
      this.find.focus();
      this.find.select();
    },
  };

  // Export what is with the server: all that was made here has to be there first.
  async export() {
    await this.store.flush();
    const { write, segments } = await ask("GET", "/api/formats");
    exportDialog(this.state.alignment, "segments" in this.state.rows ? segments : write, this.typesNamed);
  }

  run(name) {
    attempt(this.store, () => this.perform(name), (message) => this.refuse(message));
  }

  // Keys and mouse

  listen() {
    const { signal } = (this.life = new AbortController());
    const on = (target, type, act) => target.addEventListener(type, act, { signal });
    on(document, "keydown", (event) => this.#key(event));
    // The focus stays on the text.
    on(this.toolbar, "mousedown", (event) => event.target.matches("button") && event.preventDefault());
    on(this.frame, "click", (event) => {
      const button = event.target.closest("[data-do], [data-type]");
      if (button) this.run(button.dataset.do ?? `type:${button.dataset.type}`);
    });
    on(this.grid, "pointerdown", (event) => this.press(event));
    on(this.find, "keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.lookFor("found");
        this.run(event.shiftKey ? "previous" : "next");
      } else if (event.key === "Escape") {
        event.preventDefault(); // the browser would empty the field
        this.grid.focus({ preventScroll: true });
      }
    });
    on(this.finder, "input", (event) => ![this.kind, this.limit].includes(event.target) && this.take());
    on(this.kind, "change", () => this.lookFor(this.kind.value));
    on(window, "pagehide", () => this.goAway());
    on(window, "beforeunload", (event) => { if (!this.store.status.kept) event.preventDefault(); });
    on(this.store, "splices", ({ detail }) => this.changed(detail));
    on(this.store, "status", () => this.showStatus());
    on(this.store, "lock", () => this.showStatus());
    on(this.store, "notice", ({ detail }) => this.refuse(detail));
    on(this.store, "reset", () => {
      this.drawn.clear();
      this.redraw();
      this.reset();
    });
    this.showStatus();
    return on;
  }

  #key(event) {
    if (event.altKey || event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const { target } = event;
    const name = this.nameOf(event);
    // In fields and on buttons keys do what they do there; but Ctrl and a letter is for the editor.
    const typing = target.matches?.("input:not([type=checkbox]), select, textarea, [contenteditable]");
    if (typing && !((event.ctrlKey || event.metaKey) && ["find", "save", "kept"].includes(name))) return;
    if (target.matches?.("button, a, input") && ["Enter", " "].includes(event.key)) return;
    if (!name || (!this.letters && event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key !== "?")) return;
    event.preventDefault();
    this.run(name);
  }

  // Drag from where the mouse was pressed: `under` tells what element it is over, and `drop` returns
  // the change, if there is one.
  drag(event, under, drop, options) {
    const dragging = new AbortController();
    const { signal } = dragging;
    let over = null;
    const mark = (part) => {
      if (part === over) return;
      over?.classList.remove("over");
      over = part;
      over?.classList.add("over");
      this.grid.classList.toggle("dragging", Boolean(over));
    };
    const end = () => {
      mark(null);
      dragging.abort();
    };
    window.addEventListener("pointermove", (move) => {
      if (!over && Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY) < DRAG) return;
      mark(under(move) ?? over);
    }, { signal });
    window.addEventListener("pointerup", () => {
      const part = over;
      end();
      if (!part) return;
      try {
        const change = drop(part);
        if (change) this.make(change, options);
      } catch (error) {
        if (!(error instanceof ChangeRefused)) throw error;
        this.refuse(error.message);
      }
    }, { signal });
    window.addEventListener("pointercancel", end, { signal });
  }

  // Leave the page to another editor or to the list of documents.
  close() {
    if (this.frame.contains(this.grid)) this.goAway();
    this.life.abort();
    this.store.close?.();
  }
}
