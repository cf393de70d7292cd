// What the pages share on which differences are decided: their keys, their problems, and what they
// take from the store. A page has `rows`, `commands`, `deeds`, `choose` and `changed`.

import { ChangeRefused } from "./changes.js";
import { visible } from "./elements.js";
import { RequestFailed } from "./stores.js";

export class Deciding {
  // `states` are those of other annotators of the document that `store` has.
  constructor(store, frame, states, keyOf, commandsFor) {
    Object.assign(this, { store, frame, keyOf, at: 0, letters: true, drawn: new Map(), serial: 0 });
    this.names = states.map(({ alignment }) => visible(alignment.annotator || "proposal"));
    this.commands = commandsFor(this.names);
    this.keys = new Map(this.commands.flatMap(({ name, keys }) => keys.map((key) => [key, name])));
  }

  get state() {
    return this.store.alignment;
  }

  // Do what a command says: the name of a deed, and perhaps a number behind a colon.
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
    const [deed, which] = name.split(":");
    try {
      if (!this.rows.length && !this.always.includes(deed)) throw new ChangeRefused("There is no difference");
      const found = this.deeds[deed](which);
      if (found instanceof Promise) found.catch(failed);
    } catch (error) {
      failed(error);
    }
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
    this.store.addEventListener("lock", () => { this.problem.textContent = this.store.readOnly; }, { signal });
    this.problem.textContent = this.store.readOnly;
  }

  close() {
    this.life.abort();
    this.store.close();
  }
}
