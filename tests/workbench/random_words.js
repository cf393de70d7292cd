// Random operations on beads, sentences and word links: a test puts the modules before this, and
// replaces SEED, COUNT and GIVEN. After each change every link is one of words that are there, between
// sentences of its bead; links that the change does not touch stay; its inverse restores the state.
const { Alignment, ChangeRefused, inverse, SIDES } = _changes;
const w = _words;
const o = _operations;
let seed = SEED;
const draw = (count) => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % count;
};
const state = new Alignment(GIVEN);
const at = () => draw(state.beads.length);
const side = () => SIDES[draw(2)];
const sentence = (which) => state.rows[which][draw(state.rows[which].length)].id;
const one = () => { const s = side(); return [s, sentence(s)]; };
const marks = () => Object.fromEntries(SIDES.map((s) => [s, Array.from({ length: draw(3) }, () => sentence(s))]));
const linked = () => {
  const k = at();
  const [a, b] = SIDES.map((s) => w.wordsOfSide(state, state.beads[k], s));
  if (!a.length || !b.length) throw new ChangeRefused("no words");
  return w.linkWords(state, k, a[draw(a.length)], b[draw(b.length)], ["sure", "possible", "sure", null][draw(4)]);
};
const made = {
  link1: linked, link2: linked, link3: linked, link4: linked, link5: linked, link6: linked,
  unlinkWord: () => { const k = at(); const s = side(); const own = w.wordsOfSide(state, state.beads[k], s); return w.unlinkWord(state, k, s, own[draw(own.length || 1)] ?? {}); },
  confirmWords: () => w.confirmWords(state, at(), Boolean(draw(3))),
  confirm: () => o.setState(state, at(), "confirmed"),
  merge: () => o.merge(state, at()),
  split: () => o.split(state, at(), side(), [null, 1][draw(2)]),
  give: () => o.give(state, at(), side(), draw(2) ? 1 : -1),
  shiftDown: () => o.shiftDown(state, at(), side()),
  linkBeads: () => o.link(state, marks()),
  correct: () => { const [s, id] = one(); const words = state.sentence(s, id).text.split(" "); words.splice(draw(words.length + 1), draw(2), ...["new", "two new", "Neues,"].slice(0, draw(3))); return o.correct(state, s, id, words.join(" ")); },
  splitSentence: () => o.splitSentence(state, ...one(), draw(20)),
  join: () => o.joinSentences(state, ...one()),
};
const names = Object.keys(made);
const formOf = (s, id, k) => w.wordsOf(state.sentence(s, id).text, state.texts[s].words)[k];
const spelled = () => state.beads.flatMap((bead) => (bead.words ?? []).map(([a, i, b, j, kind]) => `${formOf("source", a, i)} ${formOf("target", b, j)} ${kind}`)).sort();
const check = (name) => {
  for (const bead of state.beads) {
    const keys = new Set();
    for (const [a, i, b, j, kind] of bead.words ?? []) {
      if (!bead.source.includes(a) || !bead.target.includes(b)) throw new Error(`${name}: a link leaves its bead`);
      if (formOf("source", a, i) === undefined || formOf("target", b, j) === undefined) throw new Error(`${name}: a link of no word`);
      if (!w.KINDS.includes(kind)) throw new Error(`${name}: kind ${kind}`);
      keys.add(JSON.stringify([a, i, b, j]));
    }
    if (keys.size !== (bead.words ?? []).length) throw new Error(`${name}: a link twice`);
  }
};
const done = [];
const counts = { lost: 0, kept: 0 };
const begin = JSON.stringify(state);
for (let n = 0; n < COUNT; n++) {
  const name = names[draw(names.length)];
  const [before, links] = [JSON.stringify(state), spelled()];
  let change;
  try {
    change = w.keepWords(state, made[name]());
    if (JSON.stringify(state) !== before) throw new Error(`${name} alters the state`);
    state.apply(change.splices);
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw new Error(`${name}: ${error.stack}`);
    continue;
  }
  counts[name] = (counts[name] ?? 0) + (change.splices.length > 0);
  check(name);
  const now = spelled();
  if (name === "merge" && String(now) !== String(links)) throw new Error("merge: links are others");
  // Told is what is gone: no link of other words comes into being but by a correction.
  const lost = w.lostWords(change.splices);
  if (!/^link\d|Word/u.test(name)) {
    if (links.length - now.length !== lost) throw new Error(`${name}: ${links.length - now.length} are gone, ${lost} are told`);
    if (!["correct", "splitSentence", "join"].includes(name) && now.some((each) => !links.includes(each))) throw new Error(`${name}: a new link`);
    counts.lost += lost;
    counts.kept += now.length;
  }
  const after = JSON.stringify(state);
  state.apply(inverse(change.splices));
  if (JSON.stringify(state) !== before) throw new Error(`the inverse of ${name} does not restore`);
  state.apply(change.splices);
  if (JSON.stringify(state) !== after) throw new Error(`${name} again differs`);
  done.push(change.splices);
}
const last = JSON.stringify(state);
for (const splices of [...done].reverse()) state.apply(inverse(splices));
if (JSON.stringify(state) !== begin) throw new Error("undo does not lead back to the beginning");
return { counts, done, last: JSON.parse(last) };
