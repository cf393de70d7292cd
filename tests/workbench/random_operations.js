// Random operations, many in one visit of a page: a test puts the modules before this, and replaces
// SEED, COUNT and GIVEN. Each change keeps what holds of every alignment, its inverse restores the
// state, and all inverses together restore the beginning. `draw` is mulberry32.
const { Alignment, ChangeRefused, inverse, SIDES } = _changes;
let seed = SEED;
const draw = (count) => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % count;
};
const o = _operations;
const state = new Alignment(GIVEN);
const at = () => draw(state.beads.length);
const side = () => SIDES[draw(2)];
const sentence = (which) => state.rows[which][draw(state.rows[which].length)].id;
const several = (which) => Array.from({ length: draw(4) }, () => sentence(which));
const marks = () => ({ source: several("source"), target: several("target") });
const one = () => { const s = side(); return [s, sentence(s)]; };
const made = {
  confirm: () => o.setState(state, at(), ["confirmed", "doubtful", "proposed"][draw(3)]),
  upTo: () => o.confirmUpTo(state, at()),
  run: () => { const place = at(); return o.confirmRun(state, place, place + 6, 0.5); },
  bookmark: () => o.setBookmark(state, at(), Boolean(draw(2))),
  comment: () => o.setComment(state, at(), ["", "<b>", "two\nlines"][draw(3)]),
  merge: () => o.merge(state, at()),
  split: () => o.split(state, at(), side(), [null, 1, 2][draw(3)]),
  give: () => o.give(state, at(), side(), draw(2) ? 1 : -1),
  take: () => o.take(state, at(), side(), draw(2) ? 1 : -1),
  shiftDown: () => o.shiftDown(state, at(), side()),
  shiftUp: () => o.shiftUp(state, at(), side()),
  insert: () => o.insertEmpty(state, at(), Boolean(draw(2))),
  remove: () => o.removeEmpty(state, at()),
  link: () => o.link(state, marks()),
  unlink: () => o.unlink(state, at()),
  unlinkMarked: () => o.unlinkMarked(state, marks()),
  move: () => { const [s, id] = one(); return o.moveSentence(state, s, id, state.index("beads").get(state.beadsOf(s, id)[0]), at()); },
  correct: () => o.correct(state, ...one(), ["new text here", "x\ny", " "][draw(3)]),
  splitSentence: () => o.splitSentence(state, ...one(), draw(12)),
  join: () => o.joinSentences(state, ...one()),
  paragraph: () => o.setParagraph(state, ...one(), Boolean(draw(2))),
  adopt: () => {
    const [a, b] = [marks(), marks()];
    const rest = (side) => b[side].filter((id) => !a[side].includes(id));
    const beads = [a, { source: rest("source"), target: rest("target") }].filter((bead) => bead.source.length + bead.target.length);
    return o.adopt(state, beads.map((bead) => ({ source: state.inOrder("source", bead.source), target: state.inOrder("target", bead.target) })), "take");
  },
  doubt: () => { const [s, id] = one(); return o.doubt(state, { source: [], target: [], [s]: [id] }, "neither"); },
  replace: () => o.replaceTexts(state, [[...one(), "replaced"]]),
};
const names = Object.keys(made);
const done = [];
const counts = {};
const begin = JSON.stringify(state);
for (let k = 0; k < COUNT; k++) {
  const name = names[draw(names.length)];
  const before = JSON.stringify(state);
  let change;
  try {
    change = made[name]();
    if (JSON.stringify(state) !== before) throw new Error(`${name} alters the state`);
    state.apply(change.splices);
  } catch (error) {
    if (!(error instanceof ChangeRefused) || /no longer|already|would|not in the order|which does not/.test(error.message) && change) throw new Error(`${name}: ${error.message}`);
    continue;
  }
  counts[name] = (counts[name] ?? 0) + (change.splices.length > 0);
  const after = JSON.stringify(state);
  const fresh = new Alignment(JSON.parse(after));
  fresh.checkAll(); // all that holds of every alignment, from the rows alone
  for (const s of SIDES) for (const { id } of state.rows[s])
    if (String(state.beadsOf(s, id).sort()) !== String(fresh.beadsOf(s, id).sort())) throw new Error(`${name}: owners of ${id}`);
  if (JSON.stringify(state.counts) !== JSON.stringify(fresh.counts)) throw new Error(`${name}: counts`);
  if (change.focus !== undefined && !state.index("beads").has(change.focus)) throw new Error(`${name}: focus`);
  state.apply(inverse(change.splices));
  if (JSON.stringify(state) !== before) throw new Error(`the inverse of ${name} does not restore`);
  state.apply(change.splices);
  if (JSON.stringify(state) !== after) throw new Error(`${name} again differs`);
  done.push(change.splices);
}
for (const splices of done.reverse()) state.apply(inverse(splices));
return { back: JSON.stringify(state) === begin, counts, begin };
