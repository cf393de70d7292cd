// The state of a segmentation at work, and the operations on it: the counterpart of `Segments` in
// `changes.py`.
//
// Two lists of rows: the units of the text (`source`), which are not edited, and the segments. The
// first segment begins with the text, each other one with a boundary. A place is the index of the unit
// that a boundary stands before; the end of the text is the number of units.

import { Alignment, ChangeRefused, Lists, STATES, withRemarks } from "./changes.js";

const MOST_TYPES = 20; // of a boundary
const LONGEST = 100; // characters of a type

export class Segmentation extends Lists {
  constructor(state) {
    super({ source: [...state.source.sentences], segments: [...state.segments] });
    this.alignment = state.alignment;
    const { sentences: _, ...text } = state.source;
    this.texts = { source: text };
    this.declared = state.types ?? [];
    this.begins = null; // and `known`, below: computed again after a change
    this.known = null;
  }

  toJSON() {
    const source = { ...this.texts.source, sentences: this.rows.source };
    return { alignment: this.alignment, source, segments: this.rows.segments, types: this.declared };
  }

  get units() {
    return this.rows.source;
  }

  get segments() {
    return this.rows.segments;
  }

  // The place that each segment begins at.
  get starts() {
    this.begins ??= this.segments.map((row) => this.index("source").get(row.start));
    return this.begins;
  }

  // The types to choose from: those of the document, then others that are in use.
  get types() {
    this.known ??= [...new Set([...this.declared, ...this.segments.flatMap((row) => row.types)])];
    return this.known;
  }

  get counts() {
    const counts = Object.fromEntries(STATES.map((state) => [state, 0]));
    for (const row of this.segments) counts[row.state] += 1;
    return counts;
  }

  // The index of the segment that a unit is in; that of the last one for the end of the text.
  segmentAt(place) {
    const { starts } = this;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The index of the segment whose boundary stands at a place; -1 where there is none.
  boundaryAt(place) {
    const at = this.segmentAt(place);
    return at > 0 && this.starts[at] === place ? at : -1;
  }

  // The types of the boundary at a place; none where there is no boundary.
  typesAt(place) {
    const at = this.boundaryAt(place);
    return at < 0 ? [] : this.segments[at].types;
  }

  // Where a segment ends.
  endOf(at) {
    return this.starts[at + 1] ?? this.units.length;
  }

  put(splice) {
    super.put(splice);
    this.begins = null;
    this.known = null;
  }

  check() {
    const { starts, segments } = this;
    if (!segments.length) throw new ChangeRefused("the text would have no segment");
    if (starts[0] !== 0 || segments[0].types.length) throw new ChangeRefused("the first segment begins with the text, without a type");
    for (let k = 1; k < starts.length; k++) {
      if (!(starts[k] > starts[k - 1])) throw new ChangeRefused("two boundaries at one place, or out of order");
      if (!segments[k].types.length) throw new ChangeRefused("a boundary would have no type");
    }
  }
}

// The state of what a document holds: an alignment or a segmentation.
export const stateOf = (state) => ("segments" in state ? new Segmentation(state) : new Alignment(state));

// Operations: each returns a change `{name, splices, place}`; `place` is where the cursor goes.

const replaced = (state, name, at, count, insert, place) => ({
  name, place, splices: [{ list: "segments", at, remove: state.segments.slice(at, at + count), insert }],
});

// Rows that begin one after another, with the places that are decided in them: `ids` are those of the
// units behind them, in any order, without the places that are `gone`.
const withDecided = (state, rows, end, ids, gone = []) => {
  const index = state.index("source");
  const left = [...new Set(ids)].filter((id) => !gone.includes(index.get(id))).sort((a, b) => index.get(a) - index.get(b));
  let n = 0;
  return rows.map((row, k) => {
    const to = k + 1 < rows.length ? index.get(rows[k + 1].start) : end;
    const own = [];
    while (n < left.length && index.get(left[n]) < to) own.push(left[n++]);
    const old = row.decided ?? [];
    return own.length === old.length && own.every((id, m) => id === old[m]) ? row : { ...row, decided: own };
  });
};

const decidedIn = (rows) => rows.flatMap((row) => row.decided ?? []);

const proposed = (row) => (row.state === "proposed" ? row : { ...row, state: "proposed" });

// Types in the order in which the document has them.
const inOrder = (state, types) => {
  const known = [...new Set([...state.types, ...types])];
  return known.filter((each) => types.includes(each));
};

const checkedTypes = (types) => {
  for (const each of types) {
    if (!each.trim() || each !== each.trim() || [...each].length > LONGEST || /[\p{C}\p{Zl}\p{Zp}]/u.test(each)) throw new ChangeRefused(`"${each}" is no name of a type`);
  }
  if (types.length > MOST_TYPES) throw new ChangeRefused(`A boundary has ${MOST_TYPES} types at most`);
  return types;
};

// Have a boundary of these types at a place, or none. Segments whose ends change are proposed again.
export const setBoundary = (state, place, types, name) => {
  if (place <= 0 || place >= state.units.length) throw new ChangeRefused("A boundary stands between two units: choose one after the first");
  const at = state.boundaryAt(place);
  const wanted = checkedTypes(inOrder(state, types));
  if (at < 0 && !wanted.length) return { name: name ?? "remove", splices: [], place };
  if (at < 0) {
    const above = state.segmentAt(place);
    const row = state.segments[above];
    const made = { id: state.freshId("segments", row.id), start: state.units[place].id, types: wanted, state: "proposed", comment: "", bookmark: false, decided: [] };
    return replaced(state, name ?? "set", above, 1, withDecided(state, [proposed(row), made], state.endOf(above), decidedIn([row]), [place]), place);
  }
  const row = state.segments[at];
  const both = [state.segments[at - 1], row];
  if (!wanted.length) return replaced(state, name ?? "remove", at - 1, 2, withDecided(state, [withRemarks(proposed(both[0]), row)], state.endOf(at), decidedIn(both), [place]), place);
  if (wanted.length === row.types.length && wanted.every((each, k) => each === row.types[k])) return { name: name ?? "type", splices: [], place };
  return replaced(state, name ?? "type", at, 1, withDecided(state, [{ ...proposed(row), types: wanted }], state.endOf(at), decidedIn([row]), [place]), place);
};

// Give the boundary at a place a type, or take that back; without any type it is removed.
export const toggleType = (state, place, type) => {
  const types = state.typesAt(place);
  return setBoundary(state, place, types.includes(type) ? types.filter((each) => each !== type) : [...types, type]);
};

// Move the boundary at a place to another, as far as the boundaries beside it let it.
export const moveBoundary = (state, place, to) => {
  const at = state.boundaryAt(place);
  if (at < 0) throw new ChangeRefused("There is no boundary here to move");
  if (to <= state.starts[at - 1] || to >= state.endOf(at)) throw new ChangeRefused("A boundary is moved up to the next one, not over it");
  if (to === place) return { name: "move", splices: [], place };
  const rows = [proposed(state.segments[at - 1]), { ...proposed(state.segments[at]), start: state.units[to].id }];
  return replaced(state, "move", at - 1, 2, withDecided(state, rows, state.endOf(at), decidedIn(state.segments.slice(at - 1, at + 1)), [place, to]), to);
};

const changed = (state, name, at, changes, place) => replaced(state, name, at, 1, [{ ...state.segments[at], ...changes }], place);

export const setState = (state, at, value, place = state.starts[at]) =>
  (state.segments[at].state === value ? { name: value, splices: [], place }
    : changed(state, value === "confirmed" ? "confirm" : value, at, { state: value }, place));

// Confirm all proposed segments that end at a place or above.
export const confirmUpTo = (state, place) => {
  const splices = [];
  state.segments.forEach((row, at) => {
    if (row.state === "proposed" && state.endOf(at) <= place) splices.push({ list: "segments", at, remove: [row], insert: [{ ...row, state: "confirmed" }] });
  });
  return { name: "confirm up to here", splices, place };
};

export const setComment = (state, at, comment, place) => changed(state, "comment", at, { comment }, place);

export const setBookmark = (state, at, bookmark, place) => changed(state, "bookmark", at, { bookmark }, place);

// Several coders

const sameTypes = (a, b) => a.length === b.length && a.every((each) => b.includes(each));

// Return the places at which segmentations of one text differ, each `{place, types}` with the types of
// the boundary of each; none where a coder has no boundary.
export const differences = (states) => {
  const places = new Set(states.flatMap((state) => state.starts.slice(1)));
  return [...places].sort((a, b) => a - b)
    .map((place) => ({ place, types: states.map((state) => state.typesAt(place)) }))
    .filter(({ types }) => types.some((each) => !sameTypes(each, types[0])));
};

// Return the boundaries that all have, by place.
export const agreed = (states) => {
  const [first] = states;
  return first.starts.slice(1).filter((place) => states.every((state) => sameTypes(state.typesAt(place), first.typesAt(place))));
};

// Replace the segments from the one at a place by those with other boundaries: one splice. `types` has
// them by place; `confirmed(start, end)` says of a segment whether it is decided; `sure`
// that a doubtful one no longer is; `more` are units whose places are decided now.
const rebuilt = (state, name, types, confirmed, place, { more = [], sure = () => false } = {}) => {
  const places = [0, ...[...types.keys()].filter((each) => types.get(each).length).sort((a, b) => a - b)];
  const known = new Map(state.starts.map((start, at) => [start, state.segments[at]]));
  const taken = new Set();
  const made = places.map((start, k) => {
    const old = known.get(start);
    const end = places[k + 1] ?? state.units.length;
    const base = old ?? { id: state.freshId("segments", "g", taken), start: state.units[start].id, comment: "", bookmark: false, state: "proposed", decided: [] };
    taken.add(base.id);
    // A part of a doubtful segment is doubtful.
    const doubtful = (old ?? state.segments[state.segmentAt(start)]).state === "doubtful" && !sure(start, end);
    return { ...base, types: start ? inOrder(state, types.get(start)) : [], state: confirmed(start, end) ? "confirmed" : doubtful ? "doubtful" : "proposed" };
  });
  // Comments and bookmarks of segments that go are those of the segment which has their place.
  let at = 0;
  for (const row of state.segments.filter(({ comment, bookmark }) => comment || bookmark)) {
    const start = state.index("source").get(row.start);
    while (places[at + 1] <= start) at += 1;
    if (places[at] !== start) made[at] = withRemarks(made[at], row);
  }
  const rows = withDecided(state, made, state.units.length, [...decidedIn(state.segments), ...more]);
  // Only what differs is replaced, so that others' changes elsewhere do not meet this one.
  const same = (a, b) => a && b && a.id === b.id && a.start === b.start && a.state === b.state && a.comment === b.comment && a.bookmark === b.bookmark && sameTypes(a.types, b.types) && String(a.decided ?? []) === String(b.decided ?? []);
  let first = 0;
  while (same(state.segments[first], rows[first])) first += 1;
  let last = 0;
  while (last < Math.min(state.segments.length, rows.length) - first && same(state.segments.at(-1 - last), rows.at(-1 - last))) last += 1;
  const remove = state.segments.slice(first, state.segments.length - last);
  const insert = rows.slice(first, rows.length - last);
  return { name, place, splices: remove.length || insert.length ? [{ list: "segments", at: first, remove, insert }] : [] };
};

const held = (state) => new Map(state.starts.slice(1).map((place) => [place, state.typesAt(place)]));

// Whether all coders have confirmed the segments of all units of a stretch.
const confirmedBy = (states) => {
  const sums = [0]; // how many units before each place some coder has not confirmed
  const cursors = states.map(() => 0);
  for (let unit = 0; unit < states[0].units.length; unit++) {
    const open = states.some((state, n) => {
      while (state.endOf(cursors[n]) <= unit) cursors[n] += 1;
      return state.segments[cursors[n]].state !== "confirmed";
    });
    sums.push(sums[unit] + open);
  }
  return (start, end) => sums[end] === sums[start];
};

// Take what all coders agree on: their common boundaries, and none where nobody has one. Segments are
// confirmed in which and at whose ends nothing differs that is not decided, and that all have confirmed.
export const takeAgreed = (state, states, rows, decided) => {
  const differing = new Set(rows.map((row) => row.place));
  const types = new Map([...held(state)].filter(([place]) => differing.has(place)));
  for (const place of agreed(states)) types.set(place, states[0].typesAt(place));
  const open = rows.map((row) => row.place).filter((place) => !decided.has(place));
  const settled = confirmedBy(states);
  return rebuilt(state, "take what all agree on", types, (start, end) => settled(start, end) && !open.some((place) => place >= start && place <= end), 0);
};

// Take the boundary of one coder at a place, or none. The segments at this place are confirmed if
// nothing else in them and at their ends is open, and all coders have confirmed theirs; else the place
// alone is decided.
export const takeAt = (state, states, place, wanted, rows, decided, name) => {
  const types = held(state);
  types.set(place, wanted);
  const open = rows.map((row) => row.place).filter((each) => each !== place && !decided.has(each));
  const was = (start, end) => state.segments[state.segmentAt(start)].state === "confirmed" && (start > place || end < place);
  const settled = confirmedBy(states);
  const sure = (start, end) => start <= place && place <= end && !open.some((each) => each >= start && each <= end);
  const confirmed = (start, end) => was(start, end) || (sure(start, end) && settled(start, end));
  return rebuilt(state, name, types, confirmed, place, { more: [state.units[place].id], sure });
};

// Mark the segment that a place is in as doubtful; what was decided of the place is taken back.
export const doubtAt = (state, place, name) => {
  const at = state.segmentAt(place);
  const row = state.segments[at];
  return replaced(state, name, at, 1, withDecided(state, [{ ...row, state: "doubtful" }], state.endOf(at), decidedIn([row]), [place]), place);
};

// What has been decided at a place: the segments of both its units are confirmed, or the place alone is
// decided; else it is doubtful where the segment is.
export const decidedAt = (state, place) => {
  const below = state.segments[state.segmentAt(place)];
  if (below.decided?.includes(state.units[place].id)) return "decided";
  if (below.state === "doubtful") return "doubtful";
  const above = state.segments[state.segmentAt(place - 1)];
  return above.state === "confirmed" && below.state === "confirmed" ? "decided" : "open";
};
