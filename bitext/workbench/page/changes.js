// The state of an alignment at work, and what may be done to it: the counterpart of `changes.py`. What
// holds of a segmentation stands in `segments.js`.
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

// Word links; a row of an older page has none.
export const sameWords = (a, b) => a.words === b.words || JSON.stringify(a.words ?? []) === JSON.stringify(b.words ?? []);
const SEGMENT_KEYS = ["id", "start", "state", "comment", "bookmark"];

// A change that does not fit the state; its message is one line for the user.
export class ChangeRefused extends Error {}

export const otherSide = (side) => (side === "source" ? "target" : "source");

export const isEmptyBead = (bead) => !bead.source.length && !bead.target.length;

// "1-2" for a bead with one source and two target sentences.
export const typeOf = (bead) => `${bead.source.length}-${bead.target.length}`;

// A row with the comment and the bookmark of another one that goes.
export const withRemarks = (row, { comment, bookmark }) => ({
  ...row,
  comment: row.comment.includes(comment) ? row.comment : [row.comment, comment].filter(Boolean).join("\n"),
  bookmark: row.bookmark || bookmark,
});

export const inverse = (splices) =>
  [...splices].reverse().map((splice) => ({ ...splice, remove: splice.insert, insert: splice.remove }));

export const sameIds = (a, b) => a === b || (a.length === b.length && a.every((each, k) => each === b[k]));

const sameRow = (list, a, b) => {
  if (a === b) return true;
  if (list === "segments") return SEGMENT_KEYS.every((key) => a[key] === b[key]) && sameIds(a.types, b.types) && sameIds(a.decided ?? [], b.decided ?? []);
  if (list !== "beads") return a.id === b.id && a.text === b.text && a.paragraph === b.paragraph;
  return BEAD_KEYS.every((key) => a[key] === b[key]) && Boolean(a.linked) === Boolean(b.linked) && sameWords(a, b) && SIDES.every((side) => sameIds(a[side], b[side]));
};

// Whether two changes do the same, be it told by the page or by the server.
export const sameSplices = (a, b) => a.length === b.length && a.every((splice, k) =>
  splice.list === b[k].list && splice.at === b[k].at && ["remove", "insert"].every((key) =>
    splice[key].length === b[k][key].length && splice[key].every((row, n) => sameRow(splice.list, row, b[k][key][n]))));

// White space as the server has it: `\s` has the byte order mark, too, and lacks others.
export const WHITE = "\\t-\\r \\x1c-\\x1f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WHITES = new RegExp(`[${WHITE}]+`, "gu");
export const bare = (text) => text.replace(WHITES, "");

const characters = (rows) => bare(rows.map((row) => row.text).join(""));

// Call `act` with each row of a splice whose side is another than that of the row of the same id in its
// place on the other hand. A side that is the same list has not changed: a shift of one side, which
// may replace all beads, touches that side alone.
const changedSides = (rows, others, side, act) => {
  for (let k = 0; k < rows.length; k++) {
    const [row, other] = [rows[k], others[k]];
    if (!other || row[side] !== other[side] || row.id !== other.id) act(row);
  }
};

// How many rows at the beginning have the same ids.
const sameStart = (a, b) => {
  let k = 0;
  while (k < a.length && k < b.length && a[k].id === b[k].id) k += 1;
  return k;
};

const MANY = 1000; // rows from which on an index is made anew and not kept up to date, set by hand

// Whether more rows than that have another side.
const haveManyChanged = (rows, others, side) => {
  let changed = 0;
  for (let k = 0; k < rows.length && changed <= MANY; k++) if (rows[k][side] !== others[k]?.[side]) changed += 1;
  return changed > MANY;
};

// Lists of rows that splices change; what holds of them is checked by a subclass (`check`).
export class Lists {
  constructor(rows) {
    this.rows = rows;
    this.indices = Object.fromEntries(Object.keys(rows).map((list) => [list, null]));
  }

  // The place of each id in a list; made anew only after a change that moved rows.
  index(list) {
    this.indices[list] ??= new Map(this.rows[list].map((row, k) => [row.id, k]));
    return this.indices[list];
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

  // Apply splices one after another, and return them, each with the row before it (`after`), as the
  // server has them. Where one does not fit, or an invariant would break, the state is left as it was
  // and `ChangeRefused` thrown. A splice may have the `count` of the rows to remove instead of the rows.
  apply(splices) {
    return this.#run(splices, ({ count, ...splice }) =>
      (splice.remove ? splice : { ...splice, remove: this.rows[splice.list].slice(splice.at, splice.at + count) }));
  }

  // Apply splices wherever their rows are now, as `apply` does; refuse them where a row has changed since.
  revert(splices) {
    return this.#run(splices, (splice) => this.#located(splice));
  }

  #run(splices, placed) {
    const done = [];
    try {
      for (const given of splices) {
        const splice = placed(given);
        this.#fits(splice);
        const after = this.rows[splice.list][splice.at - 1]?.id ?? null;
        this.put(splice);
        done.push({ ...splice, after });
      }
      this.check(done);
      return done;
    } catch (error) {
      for (const splice of inverse(done)) this.put(splice);
      throw error;
    }
  }

  // A splice with its place now, found by the ids of its rows.
  #located(splice) {
    const { list, at, remove, after = null } = splice;
    const rows = this.rows[list];
    const [first] = remove;
    if (first ? rows[at]?.id === first.id : at <= rows.length && (rows[at - 1]?.id ?? null) === after) return splice;
    const place = first ? this.index(list).get(first.id) : after === null ? 0 : this.index(list).get(after) + 1;
    if (!(place >= 0)) throw new ChangeRefused(`${list}: the rows have changed since`);
    return { ...splice, at: place };
  }

  #fits({ list, at, remove, insert }) {
    const rows = this.rows[list];
    if (!rows) throw new ChangeRefused(`there is no list ${list} here`);
    if (remove.some((row, k) => !rows[at + k] || !sameRow(list, rows[at + k], row)))
      throw new ChangeRefused(`${list}: the rows to replace are no longer there`);
    if (!(at <= rows.length)) throw new ChangeRefused(`${list}: there is no place ${at}`);
    const same = sameStart(remove, insert);
    if (remove.length === insert.length && same === insert.length) return;
    const gone = new Set(remove.slice(same).map((row) => row.id));
    const index = this.index(list);
    const fresh = new Set();
    for (const { id } of insert.slice(same)) {
      if (fresh.has(id) || (index.has(id) && !gone.has(id))) throw new ChangeRefused(`${list}: there is a row ${id} already`);
      fresh.add(id);
    }
    if (!SIDES.includes(list)) return;
    if (!remove.length || !insert.length) throw new ChangeRefused(`${list}: sentences are replaced, not removed or added`);
    if (characters(remove) !== characters(insert)) throw new ChangeRefused(`${list}: characters would be lost`);
  }

  // Apply a splice that fits.
  put({ list, at, remove, insert }) {
    const rows = this.rows[list];
    const index = this.indices[list];
    if (remove.length === insert.length) {
      for (let k = 0; k < insert.length; k++) rows[at + k] = insert[k];
      if (index && !remove.every((row, k) => row.id === insert[k].id)) {
        for (const row of remove) index.delete(row.id);
        insert.forEach((row, k) => index.set(row.id, at + k));
      }
    } else {
      // Not `rows.splice(at, n, ...insert)`: arguments have a limit of some ten thousands.
      const made = rows.slice(0, at).concat(insert, rows.slice(at + remove.length));
      this.rows[list] = made;
      const same = sameStart(remove, insert);
      if (index && made.length - at - same < MANY) {
        for (const row of remove.slice(same)) index.delete(row.id);
        for (let k = at + same; k < made.length; k++) index.set(made[k].id, k);
      } else this.indices[list] = null;
    }
  }
}

export class Alignment extends Lists {
  constructor(state) {
    super({ source: [...state.source.sentences], target: [...state.target.sentences], beads: [...state.beads] });
    this.alignment = state.alignment;
    this.texts = Object.fromEntries(SIDES.map((side) => {
      const { sentences: _, ...text } = state[side];
      return [side, text];
    }));
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

  sentence(side, id) {
    return this.rows[side][this.index(side).get(id)];
  }

  // The ids of the beads that a sentence is in.
  beadsOf(side, id) {
    if (!this.owners[side]) {
      this.owners[side] = new Map();
      for (const bead of this.beads) this.#own(side, bead);
    }
    const held = this.owners[side].get(id);
    return held === undefined ? [] : typeof held === "string" ? [held] : [...held];
  }

  // Nearly every sentence is in one bead: then its id is held, else a list of them.
  #own(side, bead) {
    const owners = this.owners[side];
    for (const id of bead[side]) {
      const held = owners.get(id);
      if (held === undefined) owners.set(id, bead.id);
      else owners.set(id, [...(typeof held === "string" ? [held] : held), bead.id]);
    }
  }

  #disown(side, bead) {
    const owners = this.owners[side];
    for (const id of bead[side]) {
      const held = owners.get(id);
      if (held === bead.id) owners.delete(id);
      else if (Array.isArray(held)) {
        const rest = held.filter((each) => each !== bead.id);
        owners.set(id, rest.length === 1 ? rest[0] : rest);
      }
    }
  }

  // Ids in the order of the text, each once.
  inOrder(side, ids) {
    const index = this.index(side);
    return [...new Set(ids)].sort((a, b) => index.get(a) - index.get(b));
  }

  // Target characters for a source character, for guesses by length. Texts change little at work: it
  // is computed once.
  get lengthRatio() {
    if (!this.ratio) {
      const [source, target] = SIDES.map((side) => this.rows[side].reduce((sum, row) => sum + row.text.length + 1, 1));
      this.ratio = target / source;
    }
    return this.ratio;
  }

  // How many beads are in each state: kept up to date, because the header shows it after each key.
  get counts() {
    if (!this.shares) {
      this.shares = Object.fromEntries(STATES.map((state) => [state, 0]));
      for (const bead of this.beads) this.shares[bead.state] += 1;
    }
    return this.shares;
  }

  put(splice) {
    super.put(splice);
    const { list, remove, insert } = splice;
    if (list !== "beads") return;
    for (const side of SIDES) {
      if (!this.owners[side]) continue;
      if (haveManyChanged(insert, remove, side)) {
        this.owners[side] = null; // to own all beads anew is faster
        continue;
      }
      changedSides(remove, insert, side, (row) => this.#disown(side, row));
      changedSides(insert, remove, side, (row) => this.#own(side, row));
    }
    if (this.shares) {
      for (const bead of remove) this.shares[bead.state] -= 1;
      for (const bead of insert) this.shares[bead.state] += 1;
    }
  }

  // Check what splices have touched.
  check(splices) {
    if (splices.length === 1 && splices[0].list === "beads") {
      this.#checkBeads(splices[0]);
      return;
    }
    const touched = { source: new Set(), target: new Set() };
    const beads = new Set();
    for (const { list, remove, insert } of splices) {
      if (list !== "beads") {
        for (const row of remove) touched[list].add(row.id);
        for (const row of insert) touched[list].add(row.id);
        continue;
      }
      for (const row of insert) beads.add(row.id);
      for (const side of SIDES) {
        const touch = (row) => { for (const id of row[side]) touched[side].add(id); };
        changedSides(remove, insert, side, touch);
        changedSides(insert, remove, side, touch);
      }
    }
    for (const side of SIDES) {
      const index = this.index(side);
      this.beadsOf(side, ""); // the owners are known from here on
      for (const id of touched[side]) {
        const used = this.owners[side].has(id);
        if (index.has(id) && !used) throw new ChangeRefused(`the ${side} sentence ${id} would be in no bead`);
        if (!index.has(id) && used) throw new ChangeRefused(`a bead names the ${side} sentence ${id}, which does not exist`);
      }
      const [first] = this.rows[side];
      if (first && !first.paragraph) throw new ChangeRefused(`the first ${side} sentence begins a paragraph`);
    }
    const places = this.index("beads");
    for (const id of beads) if (places.has(id)) this.#checkBead(this.beads[places.get(id)]);
  }

  // The same for one splice of beads, which may have all of them: only sides that are others than
  // before are looked at.
  #checkBeads({ remove, insert }) {
    for (const side of SIDES) {
      this.beadsOf(side, "");
      const owners = this.owners[side];
      changedSides(insert, remove, side, (row) => this.#checkSide(row, side));
      if (owners.size === this.rows[side].length) continue; // all that a bead names is there, so all is in a bead
      changedSides(remove, insert, side, (row) => {
        for (const id of row[side]) if (!owners.has(id)) throw new ChangeRefused(`the ${side} sentence ${id} would be in no bead`);
      });
    }
    for (const bead of insert) this.#checkState(bead);
  }

  #checkBead(bead) {
    for (const side of SIDES) this.#checkSide(bead, side);
    this.#checkState(bead);
  }

  #checkSide(bead, side) {
    const index = this.index(side);
    let before = -1;
    for (const id of bead[side]) {
      const place = index.get(id);
      if (place === undefined) throw new ChangeRefused(`a bead names the ${side} sentence ${id}, which does not exist`);
      if (!(place > before)) throw new ChangeRefused(`bead ${bead.id}: its ${side} sentences are not in the order of the text`);
      before = place;
    }
  }

  #checkState(bead) {
    if (isEmptyBead(bead) && bead.state !== "proposed") throw new ChangeRefused("an empty bead cannot be confirmed or doubtful");
  }

  // Throw `ChangeRefused` where anything at all is wrong; for states that come from outside.
  checkAll() {
    for (const list of LISTS) {
      if (this.index(list).size !== this.rows[list].length) throw new ChangeRefused(`${list}: two rows have one id`);
    }
    const all = (list) => ({ list, at: 0, remove: [], insert: this.rows[list] });
    this.check(LISTS.map(all));
  }
}
