// The state of an alignment at work, and what may be done to it: the counterpart of `changes.py`.
//
// Three lists of rows: the sentences of the source, those of the target, and the beads. A splice
// replaces rows of one list by others; a change is a list of splices, applied one after another.
// The inverse of a splice exchanges what it removes and inserts, so undo needs no code of its own.
// Rows are never altered, only replaced: a row that is the same object is unchanged, and the view
// draws nothing again but the rows that are new.

export const SIDES = ["source", "target"];
export const LISTS = ["source", "target", "beads"];
export const STATES = ["proposed", "confirmed", "doubtful"];

const BEAD_KEYS = ["id", "state", "probability", "comment", "bookmark"];

// A change that does not fit the state; its message is one line for the user.
export class ChangeRefused extends Error {}

export const otherSide = (side) => (side === "source" ? "target" : "source");

export const isEmptyBead = (bead) => !bead.source.length && !bead.target.length;

// "1-2" for a bead with one source and two target sentences.
export const typeOf = (bead) => `${bead.source.length}-${bead.target.length}`;

export const inverse = (splices) =>
  [...splices].reverse().map((splice) => ({ ...splice, remove: splice.insert, insert: splice.remove }));

const sameIds = (a, b) => a.length === b.length && a.every((each, k) => each === b[k]);

const sameRow = (list, a, b) => {
  if (a === b) return true;
  if (list !== "beads") return a.id === b.id && a.text === b.text && a.paragraph === b.paragraph;
  return BEAD_KEYS.every((key) => a[key] === b[key]) && SIDES.every((side) => sameIds(a[side], b[side]));
};

// Whether two changes do the same, be it told by the page or by the server.
export const sameSplices = (a, b) => a.length === b.length && a.every((splice, k) =>
  splice.list === b[k].list && splice.at === b[k].at && ["remove", "insert"].every((key) =>
    splice[key].length === b[k][key].length && splice[key].every((row, n) => sameRow(splice.list, row, b[k][key][n]))));

const characters = (rows) => rows.map((row) => row.text).join("").replace(/\s+/gu, "");

export class Alignment {
  constructor(state) {
    this.alignment = state.alignment;
    this.texts = Object.fromEntries(SIDES.map((side) => {
      const { sentences: _, ...text } = state[side];
      return [side, text];
    }));
    this.rows = { source: [...state.source.sentences], target: [...state.target.sentences], beads: [...state.beads] };
    this.indices = { source: null, target: null, beads: null };
    this.owners = { source: null, target: null };
    this.shares = null;
  }

  toJSON() {
    const text = (side) => ({ ...this.texts[side], sentences: this.rows[side] });
    return { alignment: this.alignment, source: text("source"), target: text("target"), beads: this.rows.beads };
  }

  get beads() {
    return this.rows.beads;
  }

  // The place of each id in a list; made anew only after a change that moved rows.
  index(list) {
    this.indices[list] ??= new Map(this.rows[list].map((row, k) => [row.id, k]));
    return this.indices[list];
  }

  sentence(side, id) {
    return this.rows[side][this.index(side).get(id)];
  }

  // The ids of the beads that a sentence is in.
  beadsOf(side, id) {
    if (!this.owners[side]) {
      this.owners[side] = new Map();
      for (const bead of this.beads) this.#count(side, bead, true);
    }
    return [...(this.owners[side].get(id) ?? [])];
  }

  #count(side, bead, adds) {
    const owners = this.owners[side];
    for (const id of bead[side]) {
      const held = owners.get(id);
      if (adds && held) held.add(bead.id);
      else if (adds) owners.set(id, new Set([bead.id]));
      else held?.delete(bead.id);
    }
  }

  // Ids in the order of the text, each once.
  inOrder(side, ids) {
    const index = this.index(side);
    return [...new Set(ids)].sort((a, b) => index.get(a) - index.get(b));
  }

  // An id that no row has: `s5-2` beside `s5`. The number after the last hyphen goes up, so that ids
  // do not grow with each split of a split.
  freshId(list, id, taken = new Set()) {
    const base = id.replace(/-\d+$/u, "").slice(0, 180) || id.slice(0, 180);
    const index = this.index(list);
    for (let k = 2; ; k++) {
      const made = `${base}-${k}`;
      if (!index.has(made) && !taken.has(made)) return made;
    }
  }

  // How many beads are in each state: kept up to date, because the header shows it after each key.
  get counts() {
    if (!this.shares) {
      this.shares = Object.fromEntries(STATES.map((state) => [state, 0]));
      for (const bead of this.beads) this.shares[bead.state] += 1;
    }
    return this.shares;
  }

  // Apply splices one after another. Where one does not fit, or an invariant would break, the state
  // is left as it was and `ChangeRefused` thrown.
  apply(splices) {
    const done = [];
    try {
      for (const splice of splices) {
        this.#fits(splice);
        this.#put(splice);
        done.push(splice);
      }
      this.#check(done);
    } catch (error) {
      for (const splice of inverse(done)) this.#put(splice);
      throw error;
    }
  }

  #fits({ list, at, remove, insert }) {
    const rows = this.rows[list];
    if (remove.some((row, k) => !rows[at + k] || !sameRow(list, rows[at + k], row)))
      throw new ChangeRefused(`${list}: the rows to replace are no longer there`);
    if (!(at <= rows.length)) throw new ChangeRefused(`${list}: there is no place ${at}`);
    const gone = new Set(remove.map((row) => row.id));
    const index = this.index(list);
    const fresh = new Set();
    for (const { id } of insert) {
      if (fresh.has(id) || (index.has(id) && !gone.has(id))) throw new ChangeRefused(`${list}: there is a row ${id} already`);
      fresh.add(id);
    }
    if (list === "beads") return;
    if (!remove.length || !insert.length) throw new ChangeRefused(`${list}: sentences are replaced, not removed or added`);
    if (sameIds(remove.map((row) => row.id), insert.map((row) => row.id))) return;
    if (characters(remove) !== characters(insert)) throw new ChangeRefused(`${list}: characters would be lost`);
  }

  #put({ list, at, remove, insert }) {
    const rows = this.rows[list];
    const index = this.indices[list];
    if (remove.length === insert.length) {
      for (let k = 0; k < insert.length; k++) rows[at + k] = insert[k];
      if (index) {
        for (const row of remove) index.delete(row.id);
        insert.forEach((row, k) => index.set(row.id, at + k));
      }
    } else {
      // Not `rows.splice(at, n, ...insert)`: arguments have a limit of some ten thousands.
      this.rows[list] = rows.slice(0, at).concat(insert, rows.slice(at + remove.length));
      this.indices[list] = null;
    }
    if (list !== "beads") return;
    for (const side of SIDES) {
      if (!this.owners[side]) continue;
      for (const bead of remove) this.#count(side, bead, false);
      for (const bead of insert) this.#count(side, bead, true);
    }
    if (this.shares) {
      for (const bead of remove) this.shares[bead.state] -= 1;
      for (const bead of insert) this.shares[bead.state] += 1;
    }
  }

  // Check what splices have touched.
  #check(splices) {
    const touched = { source: new Set(), target: new Set() };
    const beads = new Set();
    for (const { list, remove, insert } of splices) {
      for (const row of [...remove, ...insert]) {
        if (list !== "beads") touched[list].add(row.id);
        else {
          beads.add(row.id);
          for (const side of SIDES) for (const id of row[side]) touched[side].add(id);
        }
      }
    }
    for (const side of SIDES) {
      const index = this.index(side);
      for (const id of touched[side]) {
        const used = this.beadsOf(side, id).length > 0;
        if (index.has(id) && !used) throw new ChangeRefused(`the ${side} sentence ${id} would be in no bead`);
        if (!index.has(id) && used) throw new ChangeRefused(`a bead names the ${side} sentence ${id}, which does not exist`);
      }
      const [first] = this.rows[side];
      if (first && !first.paragraph) throw new ChangeRefused(`the first ${side} sentence begins a paragraph`);
    }
    const places = this.index("beads");
    for (const id of beads) if (places.has(id)) this.#checkBead(this.beads[places.get(id)]);
  }

  #checkBead(bead) {
    for (const side of SIDES) {
      const index = this.index(side);
      const order = bead[side].map((id) => index.get(id));
      if (order.some((place, k) => place === undefined || (k > 0 && order[k - 1] >= place)))
        throw new ChangeRefused(`bead ${bead.id}: its ${side} sentences are not in the order of the text`);
    }
    if (isEmptyBead(bead) && bead.state !== "proposed") throw new ChangeRefused("an empty bead cannot be confirmed or doubtful");
  }

  // Throw `ChangeRefused` where anything at all is wrong; for states that come from outside.
  checkAll() {
    for (const list of LISTS) {
      if (this.index(list).size !== this.rows[list].length) throw new ChangeRefused(`${list}: two rows have one id`);
    }
    const all = (list) => ({ list, at: 0, remove: [], insert: this.rows[list] });
    this.#check(LISTS.map(all));
  }
}
