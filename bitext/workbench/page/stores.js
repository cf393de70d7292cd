// Where changes go: the only part of the page that knows it.
//
// A store applies a change to its alignment, or segmentation, at once, so that a key answers at once, and keeps it
// afterwards: `PageStore` in the browser, `HttpStore` with the server. What a store tells: `splices`
// (something has changed), `status` (whether all is kept), `lock`, `job`, and `reset` (all is new).

import { ChangeRefused, inverse, isEmptyBead, sameSplices } from "./changes.js";
import { download, element, many, number } from "./elements.js";
import { stateOf } from "./segments.js";
import { keepWords, spelledLinks } from "./words.js";

export const SAVING = "Saving"; // the state while a change is on its way
const TURNING = { undo: "Undoing", redo: "Redoing" };
const LATER = 1000; // rows of a change that is kept only when it is drawn, set by hand

const pause = (time) => new Promise((done) => setTimeout(done, time));

// Wait until what has changed is drawn, and nobody presses a key; a page that nobody sees draws nothing.
const idle = (done) => (window.requestIdleCallback ? requestIdleCallback(done, { timeout: 300 }) : setTimeout(done, 0));
const drawn = () => Promise.race([new Promise((done) => requestAnimationFrame(() => idle(done))), pause(1000)]);

const rowsOf = (splices) => splices.reduce((sum, splice) => sum + splice.insert.length, 0);

class Store extends EventTarget {
  constructor(state) {
    super();
    this.alignment = stateOf(state);
    this.status = { kept: true, text: "" };
    this.readOnly = "";
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  setStatus(kept, text) {
    this.status = { kept, text };
    this.tell("status", this.status);
  }

  // Apply a change, and tell it; return its splices as they were applied.
  applied(change) {
    const splices = this.alignment.apply(change.splices);
    this.tell("splices", change);
    return splices;
  }

  // Make a change; `ChangeRefused` where it does not fit. A change without splices changes nothing.
  // Word links follow what it does.
  change(given) {
    if (this.readOnly) throw new ChangeRefused(this.readOnly);
    if (!given.splices.length) return false;
    const change = keepWords(this.alignment, given);
    const splices = this.applied({ ...change, kind: "change" });
    this.keep({ name: change.name, splices });
    return true;
  }
}

// Text as JSON within a script element: nothing in it can end the element or steer the page.
const HARMFUL = /[<>&\u007f-\u009f\ufffe\uffff\p{Cf}\p{Zl}\p{Zp}]/gu;
const unitEscapes = (sign) => sign.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
export const harmlessJSON = (value) => JSON.stringify(value).replace(HARMFUL, unitEscapes);

// A name for a page by its content: changes in the safe belong to exactly this content.
const fingerprint = (text) => {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  return `${text.length}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`;
};

// The safe: each change in the browser's own database, as soon as it is made. A page that was closed
// without saving, or a browser that has crashed, loses nothing.
class Safe {
  // Open the entries of a page; return those of an earlier visit.
  async open(page) {
    this.base = await new Promise((done, failed) => {
      const request = indexedDB.open("bitext-workbench", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("journal", { keyPath: ["page", "count"] });
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
      request.onblocked = () => failed(new Error("blocked"));
    });
    const entries = await this.#entries(page);
    this.counts = new Map([[page, entries.length ? entries.at(-1).count + 1 : 0]]);
    return entries;
  }

  #entries(page) {
    return new Promise((done, failed) => {
      const range = IDBKeyRange.bound([page, 0], [page, Infinity]);
      const request = this.base.transaction("journal").objectStore("journal").getAll(range);
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  }

  // Add what comes to the entries of a page that was saved, too: its file may be opened next, or the one before.
  async follow(page) {
    const [opened] = this.counts;
    const others = await this.#entries(page);
    this.counts = new Map(others.length ? [opened] : [opened, [page, 0]]);
  }

  // Add an entry. Another tab that shows the page may have added one of this number: then all fails.
  add(entry) {
    return new Promise((done, failed) => {
      const transaction = this.base.transaction("journal", "readwrite");
      for (const [page, count] of this.counts) {
        transaction.objectStore("journal").add({ page, count, ...entry });
        this.counts.set(page, count + 1);
      }
      transaction.oncomplete = done;
      transaction.onerror = transaction.onabort = () => failed(transaction.error);
    });
  }
}

const UNKEPT = "The browser could not keep the change, as it has no room or another tab has changed this page";

// Metadata of the page itself, which a saved page has again; what browser extensions add stays out.
const HEAD = "meta[charset], meta[http-equiv], meta[name=viewport], link[rel=icon], title, style";

export class PageStore extends Store {
  // Return the store of a page, with what the safe has of an earlier visit.
  static async open() {
    const text = document.getElementById("state").textContent;
    const journal = JSON.parse(document.getElementById("journal").textContent);
    const store = new PageStore(JSON.parse(text), journal);
    await store.#recover(fingerprint(text + JSON.stringify(journal)));
    return store;
  }

  constructor(state, { done = [], undone = [] } = {}) {
    super(state);
    this.done = done;
    this.undone = undone;
    this.handle = null;
    this.made = 0; // changes of this visit
  }

  async #recover(page) {
    let entries = [];
    try {
      this.safe = new Safe();
      entries = await this.safe.open(page);
    } catch (error) {
      this.safe = null; // as in a private window of some browsers: then only a file keeps changes
      this.setStatus(true, "This browser keeps nothing for you: save the page before you close it");
      return;
    }
    try {
      for (const entry of entries) this.#again(entry);
    } catch {
      this.#unkept("Not all changes of your last visit could be made again");
      return;
    }
    if (entries.length) this.setStatus(true, "Changes of your last visit are here again, not yet saved in a file");
  }

  #again({ kind, name, splices }) {
    if (kind === "undo") this.#step(this.done, this.undone, true);
    else if (kind === "redo") this.#step(this.undone, this.done, false);
    else {
      const whole = this.alignment.apply(splices.map(({ insert, ...splice }) => ({ ...splice, insert: JSON.parse(insert) })));
      this.done.push({ name, splices: whole });
      this.undone = [];
    }
  }

  // Nothing more goes into the safe: what comes after a gap could not be made again.
  #unkept(why) {
    this.safe = null;
    this.why ??= `${why}: save the page in a file`;
    this.setStatus(false, this.why);
  }

  #step(from, to, back) {
    const change = from.pop();
    const splices = back ? inverse(change.splices) : change.splices;
    this.alignment.apply(splices);
    to.push(change);
    return { name: change.name, splices };
  }

  keep({ name, splices }) {
    this.done.push({ name, splices });
    this.undone = [];
    // What a change removes is there when it is made again: only its number is kept. JSON, as the
    // browser takes several times as long to copy thousands of objects.
    const short = () => splices.map(({ list, at, remove, insert }) => ({ list, at, count: remove.length, insert: JSON.stringify(insert) }));
    this.#remember(() => ({ kind: "change", name, splices: short() }), rowsOf(splices) > LATER);
  }

  // Put an entry into the safe, behind those before it; a large one when the page has been drawn.
  #remember(entry, large = false) {
    this.made += 1;
    if (!this.safe) {
      this.setStatus(false, this.why ?? "Not saved");
      return;
    }
    if (large) this.setStatus(false, SAVING); // whoever closes the page meanwhile is warned
    const time = new Date().toISOString();
    const before = this.keeping ?? Promise.resolve();
    this.keeping = before.then(() => large && drawn()).then(() => this.safe.add({ ...entry(), time })).then(
      () => this.setStatus(true, "Kept in this browser, not yet saved in a file"),
      () => this.#unkept(UNKEPT),
    );
  }

  // All that was made is in the safe.
  async flush() {
    await this.keeping;
  }

  async undo() {
    if (!this.done.length) throw new ChangeRefused("There is nothing to undo");
    const change = this.#step(this.done, this.undone, true);
    this.tell("splices", { ...change, kind: "undo" });
    this.#remember(() => ({ kind: "undo" }));
    return change.name;
  }

  async redo() {
    if (!this.undone.length) throw new ChangeRefused("There is nothing to redo");
    const change = this.#step(this.undone, this.done, false);
    this.tell("splices", { ...change, kind: "redo" });
    this.#remember(() => ({ kind: "redo" }));
    return change.name;
  }

  // The page with the alignment as it is now. All changes go with it: undo has no end.
  html() {
    const head = [...document.head.querySelectorAll(HEAD)].map((part) => part.outerHTML).join("\n");
    const program = document.getElementById("program").outerHTML;
    const data = (id, value) => element("script", { type: "application/json", id }, harmlessJSON(value)).outerHTML;
    return [
      "<!DOCTYPE html>", '<html lang="en">', `<head>${head}</head>`, '<body class="page workbench">',
      document.querySelector("noscript").outerHTML,
      data("state", this.alignment), data("journal", this.journal), `${program}</body></html>`, "",
    ].join("\n");
  }

  get journal() {
    return { done: this.done, undone: this.undone };
  }

  get fileName() {
    return (this.alignment.alignment.name || "alignment").replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80);
  }

  // Save the page: into a file that the user chooses once, where the browser can do so, else as a
  // download. Return what was done, for the user; nothing where the user has cancelled.
  async save() {
    const name = `${this.fileName}.html`;
    if (window.showSaveFilePicker) {
      try {
        this.handle ??= await window.showSaveFilePicker({ suggestedName: name, types: [{ accept: { "text/html": [".html"] } }] });
      } catch (error) {
        if (error.name === "AbortError") return "";
        this.handle = null; // not allowed here, as in a frame: a download is
      }
    }
    const html = this.html();
    const { made } = this;
    // What is made from here on belongs to the saved page, too.
    const page = fingerprint(harmlessJSON(this.alignment) + JSON.stringify(this.journal));
    this.keeping = (this.keeping ?? Promise.resolve()).then(() => this.safe?.follow(page)).catch(() => this.#unkept(UNKEPT));
    const kept = this.keeping;
    if (this.handle) await this.#write(html);
    else download(name, html, "text/html");
    const said = this.handle ? "Saved" : "Saved as a download";
    await kept; // it says so itself, and must not say so last
    if (this.made === made) this.setStatus(true, said);
    return said;
  }

  // Write the file that was chosen; where that fails, as it is gone, another one can be chosen.
  async #write(html) {
    try {
      const file = await this.handle.createWritable();
      await file.write(html);
      await file.close();
    } catch (error) {
      this.handle = null;
      throw new ChangeRefused(`The file was not written (${error.message}): save again`);
    }
  }

  // Download the beads as JSON lines (`bitext/formats/jsonl`), which `bitext convert` turns into any
  // format. The first line has the order of the sentences: ids do not tell it after a split.
  exportBeads() {
    const { alignment } = this;
    const lines = alignment.beads.filter((bead) => !isEmptyBead(bead)).map((bead, k) => {
      const made = { src: bead.source, tgt: bead.target };
      for (const [side, key] of [["source", "src"], ["target", "tgt"]]) {
        const texts = bead[side].map((id) => alignment.sentence(side, id).text);
        made[`${key}_text`] = texts.join(" ");
        if (texts.length > 1) made[`${key}_segments`] = texts;
        if (k === 0) made[`${key}_order`] = alignment.rows[side].map(({ id }) => id);
        if (k === 0 && alignment.texts[side].language) made[`${key}_lang`] = alignment.texts[side].language;
      }
      if (bead.probability !== null) made.score = bead.probability;
      if (bead.comment) made.comment = bead.comment;
      const words = spelledLinks(alignment, bead);
      if (words !== null) made.words = words;
      return JSON.stringify({ ...made, state: bead.state });
    });
    download(`${this.fileName}.jsonl`, `${lines.join("\n")}\n`, "application/jsonl");
  }

  // Download the boundaries as a JSON line, as `bitext compare` reads them.
  exportSegments() {
    const { alignment } = this;
    const types = Array.from({ length: alignment.units.length - 1 }, () => []);
    alignment.starts.slice(1).forEach((place, k) => { types[place - 1] = alignment.segments[k + 1].types; });
    download(`${this.fileName}.jsonl`, `${JSON.stringify({ id: alignment.alignment.name || "text", types })}\n`, "application/jsonl");
  }
}

// Requests to the server

export class RequestFailed extends Error {
  constructor(status, answer) {
    super(answer.error ?? `the server answers ${status}`);
    Object.assign(this, { status, answer });
  }
}

// Several projects of one server have addresses of their own, below which each is as if alone.
export const BASE = /^\/projects\/\d+(?=\/)/u.exec(location.pathname)?.[0] ?? "";

const UNREACHED = 0; // the status of a request that no server has answered

// What the server calls the project and the annotator of this page: others may be at its address later.
let mark = null;

// Send a request, return the JSON of the answer. The header is what a form of another site cannot send.
export const ask = async (method, address, body, options = {}) => {
  const headers = { "X-Bitext": "1", ...(mark && { "X-Bitext-Page": mark }), ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(BASE + address, { method, headers, body: sent, credentials: "same-origin", cache: "no-store", ...options }).catch((error) => {
    if (!(error instanceof TypeError)) throw error;
    throw new RequestFailed(UNREACHED, { error: "The server does not answer" });
  });
  mark ??= response.headers.get("X-Bitext-Page");
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new RequestFailed(response.status, answer);
  return answer;
};

// The end of the journal of an alignment, as far as the page has seen it: what undo takes back and redo
// does again without asking the server. An entry is `{id, name, splices}`: the number that the server
// gave the change, unknown until it is there, and the splices by which it was last done or taken back.
// Both lists are the last ones of the server's, without a gap; who goes back beyond them asks it.
class Recent {
  constructor() {
    this.most = 800_000; // rows of a list that entries replace, and are replaced by; set by hand
    this.clear();
  }

  clear() {
    [this.done, this.undone] = [[], []];
  }

  // The entry that the next undo or redo concerns.
  next(kind) {
    return (kind === "undo" ? this.done : this.undone).at(-1);
  }

  // A change was made: nothing is left to redo. Return what was, for `unmake`.
  make(entry) {
    const dropped = this.undone;
    this.undone = [];
    this.#add(this.done, entry);
    return dropped;
  }

  unmake(dropped) {
    this.done.pop();
    this.undone = dropped;
  }

  // Add an entry, and forget old ones where there are too many rows: the server has them. The entry
  // itself stays, however large.
  #add(list, entry) {
    list.push(entry);
    let rows = 0;
    for (let k = list.length - 1; k >= 0; k--) {
      for (const { remove, insert } of list[k].splices) rows += remove.length + insert.length;
      if (rows > this.most && k < list.length - 1) {
        list.splice(0, k + 1);
        break;
      }
    }
  }

  // The next entry was taken back, or done again, by these splices.
  turn(kind, splices) {
    const [from, to] = kind === "undo" ? [this.done, this.undone] : [this.undone, this.done];
    const entry = from.pop();
    to.push(entry);
    entry.splices = splices;
  }

  // The server tells a change of this alignment, or one that was taken back or done again: `of` is
  // the number of the change.
  hear({ version, of, kind, name, splices }) {
    if (of === version) {
      this.make({ id: of, name, splices });
      return;
    }
    const entry = this.next(kind);
    if (entry?.id === of) this.turn(kind, splices);
    else {
      if (entry) this.clear();
      this.#add(kind === "undo" ? this.undone : this.done, { id: of, name, splices });
    }
  }
}

const AGAIN = [500, 1000, 2000, 5000]; // milliseconds until a request is sent again
const RECONNECT = 1000; // milliseconds until events that the server has refused are asked for again
const SIGN_OF_LIFE = 20_000; // milliseconds; a lock ends after a minute without one

export class HttpStore extends Store {
  static async open(id) {
    const address = `/api/alignments/${id}`;
    const store = new HttpStore(address, await ask("GET", address));
    await store.lock();
    store.listen();
    // A browser has few connections to a server for all its pages together: one that nobody sees
    // gives its stream of events back, and asks for what came between when it is seen again.
    store.attend = () => (document.hidden ? !store.working && store.deafen() : store.events || store.listen());
    document.addEventListener("visibilitychange", store.attend);
    return store;
  }

  constructor(address, state) {
    super(state);
    this.address = address;
    // By this name the server knows that it need not tell us of our own changes.
    this.page = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");
    this.version = state.alignment.version;
    this.recent = new Recent();
    this.later = LATER;
    this.pending = []; // what was done here that the server has not confirmed yet
    this.held = []; // events of the server that wait for its answer to a change of ours
    this.sending = null;
    this.closed = false;
  }

  keep({ name, splices }) {
    const entry = { id: null, name, splices };
    this.#queue({ kind: "change", name, splices, entry, dropped: this.recent.make(entry) });
  }

  // Send something, behind what waits already.
  #queue(step) {
    this.pending.push(step);
    this.setStatus(false, SAVING);
    this.sending ??= this.#send().finally(() => { this.sending = null; });
  }

  async #send() {
    let failures = 0;
    // Also of a document that was left; but a server that does not answer then is given up.
    while (this.pending.length && !(this.closed && failures)) {
      const [step] = this.pending;
      if (step.kind === "change" && rowsOf(step.splices) > this.later) await drawn(); // to write thousands of rows as JSON takes its time
      if (this.pending[0] !== step) continue; // another change came between
      try {
        await this.#sendStep(step);
        failures = 0;
        await this.#heard();
      } catch (error) {
        if (error.status === 409 && error.answer.changes) {
          this.#rebase(error.answer.changes);
          await this.#heard();
        } else if (error instanceof RequestFailed && error.status !== UNREACHED && error.status < 500 && ![401, 408, 429].includes(error.status) && !(error.status === 423 && this.silent)) {
          await this.#refused(error.message);
        } else {
          this.silent = true;
          this.setStatus(false, `Not saved: ${this.#remedy(error)}; ${many(this.pending.length, "change")} waiting`);
          await pause(AGAIN[Math.min(failures++, AGAIN.length - 1)]);
        }
      }
    }
    if (!this.closed && !this.silent) this.setStatus(true, "Saved");
    this.#takeHeld();
  }

  // The server answers: where it has not before, it was started anew, and has no lock of ours.
  async #heard() {
    if (!this.silent) return;
    this.silent = false;
    await this.lock();
  }

  // Send a change; or which one was taken back, or done again: the server has its rows. It tells where
  // rows were replaced, so that a page that shows something else than the server has is not left so.
  async #sendStep(step) {
    const { kind, name, splices, entry } = step;
    const { version } = this;
    if (kind === "change") {
      const plain = splices.map(({ after: _, ...splice }) => splice);
      const [{ remove, ...rest }] = plain;
      if (plain.length === 1 && remove.length > this.later) plain[0] = { ...rest, count: remove.length }; // the server has these rows
      const answer = await ask("POST", `${this.address}/changes`, { version, name, splices: plain, page: this.page });
      this.#sent(step, answer.version, answer.version);
      return;
    }
    const answer = await ask("POST", `${this.address}/${kind}`, { version, of: entry.id, page: this.page });
    if (String(answer.places) !== String(splices.map(({ list, at, remove, insert }) => [list, at, remove.length, insert.length]))) {
      throw new RequestFailed(409, { error: `the server has another state after ${kind}` });
    }
    this.#sent(step, answer.version, entry.id);
  }

  // The server has what was sent first.
  #sent(step, version, id) {
    this.version = version;
    step.entry.id = id;
    if (this.pending[0] === step) this.pending.shift();
  }

  // What a person can do when a change cannot be sent; the page need not be loaded again.
  #remedy({ status, message, answer }) {
    if (status >= 500 || status === 408) return message; // as where the disk has no room, or the network is slow
    if (status === 401) return "the server was started anew: open its link in another tab of this browser";
    if (status === 423) return `waits for the lock of ${answer.locked_by}, which ends a minute after that page is closed`;
    const port = location.port ? `, with --port ${location.port}` : "";
    return `the server does not answer: start it again${port}`;
  }

  // The server does not take a change: show the state as the server has it, without those that wait behind it.
  async #refused(why, taken = 0) {
    const told = (count) => `${count > 1 ? `Your last ${number.format(count)} changes were` : "Your change was"} not made: ${why}`;
    try {
      const count = taken + await this.reload();
      if (count) this.tell("notice", told(count));
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.setStatus(false, `${told(taken + this.pending.length)}. The server does not answer: load the page again`);
      this.pending = [];
      this.silent = true;
    }
  }

  // Show the state that the server has; return how many changes it has not taken.
  async reload() {
    const state = await ask("GET", this.address);
    this.version = state.alignment.version;
    this.alignment = stateOf(state);
    this.held = [];
    this.silent = false;
    const count = this.pending.length; // with those made while the answer was on its way, on the old state
    this.pending = [];
    this.recent.clear();
    this.tell("reset", {});
    return count;
  }

  // Take back what the server has not confirmed, apply what came between, and make ours again where
  // it still fits.
  #rebase(changes) {
    this.unheard = null;
    const came = changes.filter((change) => change.version > this.version);
    // A change whose answer was lost has been made: it comes back to us as the first.
    while (came.length && this.pending.length && this.#isOurs(came[0], this.pending[0])) {
      const { version, of } = came.shift();
      this.#sent(this.pending[0], version, of);
    }
    if (!came.length) return;
    const ours = this.pending;
    this.pending = [];
    try {
      for (const step of [...ours].reverse()) this.#unmake(step);
      for (const change of came) {
        this.applied(change);
        if (change.of !== null) this.recent.hear(change);
        this.version = change.version;
      }
    } catch (error) {
      this.#refused("somebody else has changed the alignment", ours.length).catch(() => this.setStatus(false, "Reload the page"));
      return;
    }
    const lost = [];
    for (const step of ours) {
      try {
        this.pending.push(this.#remake(step));
      } catch (error) {
        if (!(error instanceof ChangeRefused)) throw error;
        lost.push(step.kind === "change" ? step.name : `${step.kind} of ${step.name}`);
      }
    }
    const who = came.at(-1).annotator;
    if (lost.length) this.tell("notice", `${who ?? "Somebody"} has changed the same beads: not made again: ${lost.join(", ")}`);
  }

  #isOurs(came, { kind, entry, splices }) {
    return came.kind === kind && (kind === "change" ? came.of === came.version : came.of === entry.id) && sameSplices(came.splices, splices);
  }

  #unmake({ kind, splices, entry, dropped, before }) {
    this.applied({ splices: inverse(splices), kind: "rebase" });
    if (kind === "change") this.recent.unmake(dropped);
    else this.recent.turn(kind === "undo" ? "redo" : "undo", before);
  }

  #remake(step) {
    const { kind, name, entry } = step;
    if (kind !== "change") {
      if (this.recent.next(kind) !== entry) throw new ChangeRefused(`another change is to ${kind} now`);
      return this.#turned(kind, "rebase");
    }
    const splices = this.alignment.revert(step.splices);
    this.tell("splices", { name, splices, kind: "rebase" });
    entry.splices = splices;
    return { ...step, splices, dropped: this.recent.make(entry) };
  }

  // Take the last change back, or do the next one again; return what is to be sent.
  #turned(kind, told = kind) {
    const entry = this.recent.next(kind);
    const { name, splices: before } = entry;
    const splices = this.alignment.revert(inverse(before));
    this.tell("splices", { name, splices, kind: told });
    this.recent.turn(kind, splices);
    return { kind, name, splices, entry, before };
  }

  // All that was made is with the server; refused where it does not answer, as nobody knows how long.
  async flush() {
    while (this.sending) {
      if (this.silent) throw new ChangeRefused("The server does not answer: changes wait for it");
      await Promise.race([this.sending, pause(200)]);
    }
  }

  undo() {
    return this.#turn("undo");
  }

  redo() {
    return this.#turn("redo");
  }

  // Undo and redo at once what the page knows; the server is told afterwards. It is asked for what was
  // done before the page was opened, and for what does not fit, so that it says why. Keys that are
  // pressed before it has answered wait for it (`turning`): they are meant for what is there then.
  #turn(kind) {
    if (this.readOnly) return Promise.reject(new ChangeRefused(this.readOnly));
    if (this.recent.next(kind)) {
      try {
        const step = this.#turned(kind);
        this.#queue(step);
        return Promise.resolve(step.name);
      } catch (error) {
        if (!(error instanceof ChangeRefused)) throw error;
      }
    }
    if (this.silent) return Promise.reject(new ChangeRefused(`The server does not answer: no ${kind} without it`));
    const work = this.#back(kind).finally(() => {
      this.turning = null;
      if (this.status.text === TURNING[kind]) this.setStatus(true, "Saved");
    });
    this.turning = work.catch(() => null);
    return work;
  }

  async #back(kind) {
    await this.flush();
    this.setStatus(true, TURNING[kind]); // of tens of thousands of beads it takes a second
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await ask("POST", `${this.address}/${kind}`, { version: this.version, page: this.page });
        this.unheard = null;
        if (answer.version > this.version) {
          this.applied({ ...answer, kind });
          this.recent.hear(answer);
          this.version = answer.version;
        }
        return answer.name;
      } catch (error) {
        if (!(error instanceof RequestFailed) || !error.answer.changes || attempt > 3) {
          this.unheard = error.status === UNREACHED ? kind : null; // it may have been done
          throw error instanceof RequestFailed ? new ChangeRefused(error.message) : error;
        }
        const { unheard } = this;
        const [first] = error.answer.changes;
        this.#rebase(error.answer.changes);
        if (first && unheard === kind && first.kind === kind && first.of !== null) return first.name;
      }
    }
  }

  deafen() {
    this.events?.close();
    this.events = null;
  }

  // What others do, as it happens.
  listen() {
    this.events?.close();
    if (this.closed || (document.hidden && !this.working)) return this.deafen();
    this.events = new EventSource(`${BASE}${this.address}/events?since=${this.version}&page=${this.page}${mark ? `&mark=${mark}` : ""}`);
    const on = (type, act) => this.events.addEventListener(type, (event) => act(JSON.parse(event.data)));
    // The number of a change is that of its event: one that is known need not be read.
    this.events.addEventListener("change", ({ lastEventId, data }) => {
      this.held.push({ version: Number(lastEventId), data });
      if (!this.sending) this.#takeHeld();
    });
    on("lock", ({ locked_by: owner, mine }) => this.#locked(owner, mine));
    on("job", (job) => {
      this.working = job.state === "running";
      this.tell("job", job);
      this.attend?.();
    });
    // The browser connects again by itself, but asks for what came since the page was opened: what
    // is known already is passed over.
    this.events.onerror = () => {
      this.#askAfter();
      if (this.events?.readyState === EventSource.CLOSED && !this.closed) setTimeout(() => this.closed || this.listen(), RECONNECT);
    };
  }

  // Nothing is heard of what others do: ask whether the server is there, and say so as long as it is not.
  async #askAfter() {
    if (this.asking) return;
    this.asking = true;
    for (let k = 0; this.events && this.events.readyState !== EventSource.OPEN; k++) {
      const why = await ask("GET", `${this.address}/history?limit=1`).then(() => "", (error) => ([UNREACHED, 401, 503].includes(error.status) ? this.#remedy(error) : ""));
      this.#setGone(why);
      await pause(AGAIN[Math.min(k, AGAIN.length - 1)]);
    }
    this.asking = false;
    this.#setGone("");
  }

  #setGone(why) {
    if ((this.gone ?? "") === why) return;
    this.gone = why;
    this.tell("status", this.status);
  }

  #takeHeld() {
    const came = this.held.filter((change) => change.version > this.version);
    this.held = [];
    if (came.length) this.#rebase(came.map(({ data }) => JSON.parse(data)));
  }

  // A lock that was ours and nobody has now, as another window of ours was closed, is taken again.
  #locked(owner, mine) {
    if (owner === null && this.mine && !this.closed) this.lock();
    this.lockedBy = owner;
    if (owner !== null) this.mine = mine;
    this.readOnly = this.mine ? "" : owner ? `${owner} is editing: you look on` : "Nobody is editing: you may begin";
    this.tell("lock", { owner, mine: this.mine });
  }

  // Ask to be the one who edits; return whether that was granted.
  async lock() {
    try {
      const { locked_by: owner } = await ask("POST", `${this.address}/lock`, {});
      this.#locked(owner, true);
      this.beat ??= setInterval(() => this.mine && this.lock(), SIGN_OF_LIFE);
    } catch (error) {
      if (error.status === 423) this.#locked(error.answer.locked_by, false);
      else if (!this.beat) throw error; // a sign of life that was not heard is followed by others
    }
    return this.mine;
  }

  async realign(from, to) {
    await this.flush();
    const { job } = await ask("POST", `${this.address}/realign`, { version: this.version, from, to });
    this.working = true; // its end is to be heard, by whoever looks away too
    return job;
  }

  // Have the aligner propose word links.
  async linkWords() {
    await this.flush();
    const { job } = await ask("POST", `${this.address}/link`, { version: this.version });
    this.working = true;
    return job;
  }

  cancel(job) {
    return ask("DELETE", `/api/jobs/${encodeURIComponent(job)}`, {});
  }

  // Leave the document: free it for others.
  close() {
    this.closed = true;
    document.removeEventListener("visibilitychange", this.attend);
    this.deafen();
    clearInterval(this.beat);
    const free = () => ask("DELETE", `${this.address}/lock`, {}, { keepalive: true }).catch(() => undefined);
    if (!this.mine) return;
    if (this.sending) this.sending.then(free, free);
    else free();
  }
}
