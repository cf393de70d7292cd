// The operations of the editor: functions of a state that return a change and alter nothing.
//
// A change is `{name, splices, focus}`: `name` stands in the journal, `focus` is the bead to choose
// afterwards. The server knows none of these operations, it only checks splices: so each is written
// once, and the page without a server is the same editor. An operation that is not possible throws
// `ChangeRefused` with the reason, which the user reads.

import { Alignment, ChangeRefused, SIDES, isEmptyBead, otherSide, typeOf, WHITE, withRemarks } from "./changes.js";

// Beads whose sentences change are a proposal again, and the aligner's probability is not theirs.
const altered = (bead, fields) => ({ ...bead, ...fields, state: "proposed", probability: null });

const emptyBead = (id) => ({ id, source: [], target: [], state: "proposed", probability: null, comment: "", bookmark: false, words: [], linked: false });

const beadAt = (state, at) => {
  const bead = state.beads[at];
  if (!bead) throw new ChangeRefused("There is no such bead");
  return bead;
};

// A bead that has lost its last sentence goes.
const remaining = (bead) => (isEmptyBead(bead) ? [] : [bead]);

// Have the comments and bookmarks of beads that go at those which have their sentences.
const keepRemarks = (state, edits) => {
  const remarked = [...edits.keys()].map((at) => state.beads[at]).filter((bead) => (bead.comment || bead.bookmark) && !isEmptyBead(bead));
  if (!remarked.length) return;
  const stay = new Set([...edits.values()].flat().map((row) => row.id));
  for (const bead of remarked.filter(({ id }) => !stay.has(id))) {
    const has = (row) => SIDES.some((side) => row[side].some((id) => bead[side].includes(id)));
    const heir = [...edits.values()].flat().find(has);
    for (const [at, rows] of edits) if (rows.includes(heir)) edits.set(at, rows.map((row) => (row === heir ? withRemarks(row, bead) : row)));
  }
};

// Splices that replace single beads by rows; `edits` maps the place of a bead to the rows. Neighbours
// share a splice, and the last place comes first, so that no splice moves the place of another.
const replaced = (state, edits) => {
  keepRemarks(state, edits);
  const splices = [];
  const places = [...edits.keys()];
  if (places.some((at, k) => at < places[k - 1])) places.sort((a, b) => a - b);
  for (const at of places) {
    let run = splices.at(-1);
    if (!run || run.at + run.remove.length !== at) splices.push(run = { list: "beads", at, remove: [], insert: [] });
    run.remove.push(state.beads[at]);
    run.insert.push(...edits.get(at));
  }
  return splices.reverse();
};

// States, bookmarks and comments

export const setState = (state, at, value, to = at) => {
  const edits = new Map();
  for (let k = at; k <= to; k++) {
    const bead = beadAt(state, k);
    if (bead.state === value) continue;
    if (isEmptyBead(bead) && value !== "proposed") {
      if (at === to) throw new ChangeRefused("An empty bead cannot be confirmed or doubtful: fill it or remove it");
      continue;
    }
    edits.set(k, [{ ...bead, state: value }]);
  }
  const name = { confirmed: "confirm", doubtful: "doubt", proposed: "propose" }[value];
  return { name, splices: replaced(state, edits), focus: beadAt(state, to).id };
};

// Confirm a bead and the proposals before it, back to the last bead that is confirmed or doubtful.
export const confirmUpTo = (state, at) => {
  let from = at;
  while (from > 0 && state.beads[from - 1].state === "proposed") from -= 1;
  return { ...setState(state, from, "confirmed", at), name: "confirm up to here" };
};

// Confirm a bead and the proposals after it down to place `to`, as long as their probability is not
// below `limit`. Confirmed beads between are passed over; a doubtful one, or one of which no
// probability is known, ends the run.
export const confirmRun = (state, at, to, limit) => {
  let end = at;
  for (let k = at + 1; k <= to && k < state.beads.length; k++) {
    const { state: held, probability } = state.beads[k];
    if (held !== "confirmed" && (held !== "proposed" || probability === null || probability < limit)) break;
    end = k;
  }
  return { ...setState(state, at, "confirmed", end), name: "confirm run" };
};

export const setBookmark = (state, at, value) => {
  const bead = beadAt(state, at);
  return { name: value ? "bookmark" : "remove bookmark", splices: replaced(state, new Map([[at, [{ ...bead, bookmark: value }]]])), focus: bead.id };
};

export const setComment = (state, at, comment) => {
  const bead = beadAt(state, at);
  const splices = comment === bead.comment ? [] : replaced(state, new Map([[at, [{ ...bead, comment }]]]));
  return { name: "comment", splices, focus: bead.id };
};

// Beads

// Beads as one: it has the place and the id of the first of them.
const united = (state, beads) => altered(beads[0], {
  ...Object.fromEntries(SIDES.map((side) => [side, state.inOrder(side, beads.flatMap((bead) => bead[side]))])),
  comment: [...new Set(beads.map((bead) => bead.comment).filter(Boolean))].join("\n"),
  bookmark: beads.some((bead) => bead.bookmark),
});

export const merge = (state, at, to = at + 1) => {
  if (at < 0 || to >= state.beads.length) throw new ChangeRefused("There is no neighbour to merge with");
  const remove = state.beads.slice(at, to + 1);
  const bead = united(state, remove);
  return { name: "merge", splices: [{ list: "beads", at, remove, insert: [bead] }], focus: bead.id };
};

const lengthsOf = (state, side, ids) => ids.map((id) => state.sentence(side, id).text.length + 1);

// How badly two lengths fit (Gale and Church 1993: squared difference over a variance that grows with
// the length), with the price of an omission where a side is empty.
const OMISSION = 9; // -2 log(0.0099), the prior of 1-0 and 0-1 in Gale and Church, table 5
const VARIANCE = 6.8; // characters a character, ibid.
const misfit = (source, target, ratio) => {
  const expected = source * ratio;
  return (expected - target) ** 2 / (VARIANCE * Math.max(1, (expected + target) / 2)) + (source && target ? 0 : OMISSION);
};

// The best cut of a bead in two, by length: `[source, target]`, the number of sentences before it.
// A cut that is given for one side stays.
const bestCut = (state, bead, given) => {
  const ratio = state.lengthRatio;
  const sums = SIDES.map((side) => {
    const found = [0];
    for (const length of lengthsOf(state, side, bead[side])) found.push(found.at(-1) + length);
    return found;
  });
  const [sizes, totals] = [sums.map((each) => each.length - 1), sums.map((each) => each.at(-1))];
  let best = null;
  const consider = (i, j) => {
    if ((i === 0 && j === 0) || (i === sizes[0] && j === sizes[1])) return;
    if (i < 0 || j < 0 || i > sizes[0] || j > sizes[1]) return;
    const price = misfit(sums[0][i], sums[1][j], ratio) + misfit(totals[0] - sums[0][i], totals[1] - sums[1][j], ratio);
    // Of two that fit alike, the source comes first.
    if (!best || price < best.price || (price === best.price && i > best.cut[0])) best = { price, cut: [i, j] };
  };
  // For a cut of one side only the cuts of the other nearest to the same share of its length are
  // looked at, and its ends: a bead may have thousands of sentences.
  const forCut = (side, cut) => {
    const other = 1 - side;
    const share = (totals[other] * sums[side][cut]) / (totals[side] || 1);
    let low = 0;
    let high = sizes[other];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[other][middle] < share) low = middle + 1;
      else high = middle;
    }
    for (const near of [low - 1, low, 0, sizes[other]]) consider(...(side ? [near, cut] : [cut, near]));
  };
  if (given) forCut(given.side === "target" ? 1 : 0, given.cut);
  else for (const side of [0, 1]) for (let cut = 0; cut <= sizes[side]; cut++) forCut(side, cut);
  return best?.cut;
};

// Split a bead in two. `cut` is the number of sentences of `side` that stay before; the other side
// is cut where the lengths fit best. Without a cut, lengths decide on both sides.
export const split = (state, at, side, cut = null) => {
  const bead = beadAt(state, at);
  const own = bead[side]?.length ?? 0;
  const given = cut !== null && cut > 0 && cut < own ? { side, cut } : null;
  const found = bead.source.length + bead.target.length > 1 && bestCut(state, bead, given);
  if (!found) throw new ChangeRefused("A bead with one sentence cannot be split: edit the sentence to split it");
  const [i, j] = found;
  const first = altered(bead, { source: bead.source.slice(0, i), target: bead.target.slice(0, j) });
  const second = altered(emptyBead(state.freshId("beads", bead.id)), { source: bead.source.slice(i), target: bead.target.slice(j) });
  return { name: "split", splices: replaced(state, new Map([[at, [first, second]]])), focus: first.id };
};

// Move a sentence from a bead to another one, be it next to it or far away.
export const moveSentence = (state, side, id, from, to) => {
  const [giver, taker] = [beadAt(state, from), beadAt(state, to)];
  if (from === to || !giver[side].includes(id)) throw new ChangeRefused("The sentence is there already");
  const edits = new Map([
    [from, remaining(altered(giver, { [side]: giver[side].filter((each) => each !== id) }))],
    [to, [altered(taker, { [side]: state.inOrder(side, [...taker[side], id]) })]],
  ]);
  return { name: "move sentence", splices: replaced(state, edits), focus: taker.id };
};

// Give the last sentence of a side to the next bead, or (`step` -1) the first to the one before.
// At the end of the list, the sentence becomes a bead of its own.
export const give = (state, at, side, step) => {
  const bead = beadAt(state, at);
  const id = step > 0 ? bead[side].at(-1) : bead[side][0];
  if (id === undefined) throw new ChangeRefused(`The bead has no ${side} sentence to give`);
  if (state.beads[at + step]) {
    const change = moveSentence(state, side, id, at, at + step);
    const stays = bead.source.length + bead.target.length > 1;
    return { ...change, name: step > 0 ? "move down" : "move up", focus: stays ? bead.id : change.focus };
  }
  if (bead.source.length + bead.target.length === 1) throw new ChangeRefused("The sentence is a bead of its own already");
  const rest = altered(bead, { [side]: bead[side].filter((each) => each !== id) });
  const own = altered(emptyBead(state.freshId("beads", bead.id)), { [side]: [id] });
  const rows = step > 0 ? [rest, own] : [own, rest];
  return { name: step > 0 ? "move down" : "move up", splices: replaced(state, new Map([[at, rows]])), focus: bead.id };
};

// Take the first sentence of the next bead, or (`step` -1) the last of the one before. Beads without
// a sentence on this side are passed over; but not a confirmed one.
export const take = (state, at, side, step) => {
  const bead = beadAt(state, at);
  let from = at + step;
  while (state.beads[from] && !state.beads[from][side].length && state.beads[from].state !== "confirmed") from += step;
  const giver = state.beads[from];
  const id = giver && (step > 0 ? giver[side][0] : giver[side].at(-1));
  if (id === undefined) throw new ChangeRefused(`No ${side} sentence to take ${step > 0 ? "from below" : "from above"}`);
  if (bead[side].includes(id)) throw new ChangeRefused("The bead has this sentence already");
  return { ...moveSentence(state, side, id, from, at), name: step > 0 ? "take from below" : "take from above", focus: bead.id };
};

// Shift one side down: each bead from here on has the sentences of the bead before it. A bead whose
// side is empty ends the shift; so do a confirmed bead and the end, before which a new bead stands
// for what is left over.
export const shiftDown = (state, at, side) => {
  const bead = beadAt(state, at);
  if (!bead[side].length) throw new ChangeRefused(`The bead has no ${side} sentence to shift`);
  const edits = new Map([[at, remaining(altered(bead, { [side]: [] }))]]);
  let moved = bead[side];
  let k = at + 1;
  for (; moved.length && k < state.beads.length && state.beads[k].state !== "confirmed"; k++) {
    edits.set(k, [altered(state.beads[k], { [side]: moved })]);
    moved = state.beads[k][side];
  }
  if (k === at + 1 && !edits.get(at).length) throw new ChangeRefused("There is no unconfirmed bead below to shift into");
  if (moved.length) {
    const own = altered(emptyBead(state.freshId("beads", state.beads[k - 1].id)), { [side]: moved });
    edits.set(k - 1, [...edits.get(k - 1), own]);
  }
  const splices = replaced(state, edits);
  return { name: "shift down", splices, focus: edits.get(at)[0]?.id ?? state.beads[at + 1]?.id };
};

// Shift one side up: the bead takes the sentences of the next one, that one those of the one after,
// and so on. A bead with this side alone ends the shift, as do a confirmed bead and the end.
export const shiftUp = (state, at, side) => {
  const bead = beadAt(state, at);
  const open = (k) => k < state.beads.length && state.beads[k].state !== "confirmed";
  if (!open(at + 1)) throw new ChangeRefused("There is no unconfirmed bead below whose sentences could be shifted up");
  const own = state.inOrder(side, [...bead[side], ...state.beads[at + 1][side]]);
  const edits = new Map([[at, remaining(altered(bead, { [side]: own }))]]);
  for (let k = at + 1; open(k); k++) {
    const [here, last] = [state.beads[k], !state.beads[k][otherSide(side)].length];
    edits.set(k, remaining(altered(here, { [side]: !last && open(k + 1) ? state.beads[k + 1][side] : [] })));
    if (last) break;
  }
  return { name: "shift up", splices: replaced(state, edits), focus: edits.get(at)[0]?.id ?? edits.get(at + 1)?.[0]?.id };
};

// Insert an empty bead, to fill it with sentences that are moved into it.
export const insertEmpty = (state, at, after = true) => {
  const made = emptyBead(state.freshId("beads", state.beads[at]?.id ?? "b"));
  const place = Math.min(after ? at + 1 : at, state.beads.length);
  return { name: "insert empty bead", splices: [{ list: "beads", at: place, remove: [], insert: [made] }], focus: made.id };
};

export const removeEmpty = (state, at) => {
  const bead = beadAt(state, at);
  if (!isEmptyBead(bead)) throw new ChangeRefused("Only an empty bead can be removed: merge it, or unlink its sentences");
  const focus = (state.beads[at + 1] ?? state.beads[at - 1])?.id;
  return { name: "remove empty bead", splices: replaced(state, new Map([[at, []]])), focus };
};

// Link marked sentences, wherever they are, as one bead: crossing, discontinuous, n-m. They leave
// the beads that they were in; the new bead stands where the first of those was.
export const link = (state, marked) => {
  const chosen = Object.fromEntries(SIDES.map((side) => [side, state.inOrder(side, marked[side] ?? [])]));
  if (chosen.source.length + chosen.target.length < 2) throw new ChangeRefused("Mark the sentences to link first: at least two");
  const sets = Object.fromEntries(SIDES.map((side) => [side, new Set(chosen[side])]));
  const places = state.index("beads");
  const touched = [...new Set(SIDES.flatMap((side) => chosen[side].flatMap((id) => state.beadsOf(side, id))))]
    .map((id) => places.get(id)).sort((a, b) => a - b);
  const edits = new Map();
  for (const at of touched) {
    const bead = state.beads[at];
    const rest = Object.fromEntries(SIDES.map((side) => [side, bead[side].filter((id) => !sets[side].has(id))]));
    edits.set(at, remaining(altered(bead, rest)));
  }
  const [first] = touched;
  const [head] = edits.get(first);
  const old = state.beads[first];
  if (touched.length === 1 && !head) throw new ChangeRefused("The marked sentences are a bead already");
  const made = altered(head ? emptyBead(state.freshId("beads", old.id)) : old, chosen);
  // What is left of the first bead goes before or after, as the text has it.
  const side = head && chosen.source.length && head.source.length ? "source" : "target";
  const before = head && chosen[side].length && head[side].length
    && state.index(side).get(head[side][0]) < state.index(side).get(chosen[side][0]);
  edits.set(first, before ? [head, made] : [made, ...edits.get(first)]);
  return { name: `link ${typeOf(made)}`, splices: replaced(state, edits), focus: made.id };
};

// Make beads as another annotator has them: `beads` have sides that share no sentence. They are
// confirmed, and stand where the first of the beads was that they take sentences from; those keep
// what is left to them.
export const adopt = (state, beads, name) => {
  const places = state.index("beads");
  const sets = Object.fromEntries(SIDES.map((side) => [side, new Set(beads.flatMap((bead) => bead[side]))]));
  const touched = [...new Set(SIDES.flatMap((side) => [...sets[side]].flatMap((id) => state.beadsOf(side, id))))]
    .map((id) => places.get(id)).sort((a, b) => a - b);
  if (!touched.length) throw new ChangeRefused("There is nothing to take");
  const same = (a, b) => SIDES.every((side) => String(a[side]) === String(b[side]));
  const edits = new Map();
  const kept = new Set(); // of `beads`: those that are there already, and are confirmed where they stand
  for (const at of touched) {
    const old = state.beads[at];
    const found = beads.findIndex((bead, k) => !kept.has(k) && same(bead, old));
    if (found >= 0) {
      kept.add(found);
      if (old.state !== "confirmed") edits.set(at, [{ ...old, state: "confirmed" }]);
      continue;
    }
    const rest = Object.fromEntries(SIDES.map((side) => [side, old[side].filter((id) => !sets[side].has(id))]));
    edits.set(at, remaining(altered(old, rest)));
  }
  const taken = new Set();
  const made = beads.filter((_, k) => !kept.has(k)).map((bead) => {
    const id = state.freshId("beads", state.beads[touched[0]].id, taken);
    taken.add(id);
    const sides = Object.fromEntries(SIDES.map((side) => [side, state.inOrder(side, bead[side])]));
    const words = { words: bead.words ?? [], linked: Boolean(bead.linked) }; // their sentences are the same
    return { ...emptyBead(id), ...sides, ...words, state: "confirmed", comment: bead.comment ?? "" };
  });
  if (made.length) {
    const at = touched.find((place) => edits.has(place) && edits.get(place)[0]?.state !== "confirmed");
    edits.set(at, [...made, ...edits.get(at)]);
  }
  return { name, splices: replaced(state, edits), focus: made[0]?.id ?? state.beads[touched[0]].id, given: taken };
};

// Take beads from all over the text, but for those whose sentences are in beads that are confirmed or
// doubtful already: one splice.
export const adoptAll = (state, beads, name) => {
  const made = new Alignment(state.toJSON());
  const given = new Set();
  for (const bead of beads) {
    const owners = SIDES.flatMap((side) => bead[side].flatMap((id) => made.beadsOf(side, id)));
    if (owners.some((id) => made.beads[made.index("beads").get(id)].state !== "proposed")) continue;
    const change = adopt(made, [bead], name);
    made.apply(change.splices);
    for (const id of change.given) given.add(id);
  }
  const [before, after] = [state.beads, made.beads];
  let first = 0;
  while (first < before.length && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < Math.min(before.length, after.length) - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const [remove, insert] = [before, after].map((rows) => rows.slice(first, rows.length - last));
  return { name, splices: insert.length ? [{ list: "beads", at: first, remove, insert }] : [], given };
};

// Mark as doubtful all beads that have one of these sentences.
export const doubt = (state, sentences, name) => {
  const places = state.index("beads");
  const ids = new Set(SIDES.flatMap((side) => sentences[side].flatMap((id) => state.beadsOf(side, id))));
  const edits = new Map([...ids].map((id) => [places.get(id), [{ ...state.beads[places.get(id)], state: "doubtful" }]]));
  return { name, splices: replaced(state, edits), focus: [...ids][0] };
};

// Unlink a bead: each of its sentences becomes a bead of its own.
export const unlink = (state, at) => {
  const bead = beadAt(state, at);
  const singles = SIDES.flatMap((side) => bead[side].map((id) => [side, id]));
  if (singles.length < 2) throw new ChangeRefused("The sentence is linked to nothing");
  const taken = new Set();
  const rows = singles.map(([side, id], k) => {
    const name = k ? state.freshId("beads", bead.id, taken) : bead.id;
    taken.add(name);
    return { ...(k ? emptyBead(name) : altered(bead, { source: [], target: [] })), [side]: [id] };
  });
  return { name: "unlink", splices: replaced(state, new Map([[at, rows]])), focus: bead.id };
};

// Unlink marked sentences alone: each becomes a bead of its own, behind the bead that it leaves.
export const unlinkMarked = (state, marked) => {
  const places = state.index("beads");
  const edits = new Map();
  const taken = new Set();
  for (const side of SIDES) {
    for (const id of state.inOrder(side, marked[side] ?? [])) {
      // In several beads: it leaves all of them, and its own bead stands behind the first.
      state.beadsOf(side, id).map((bead) => places.get(bead)).sort((a, b) => a - b).forEach((at, k) => {
        const [bead, ...more] = edits.get(at) ?? [state.beads[at]];
        const rest = altered(bead, { [side]: bead[side].filter((each) => each !== id) });
        if (k === 0) {
          const name = state.freshId("beads", bead.id, taken);
          taken.add(name);
          more.push({ ...emptyBead(name), [side]: [id] });
        }
        edits.set(at, [rest, ...more]);
      });
    }
  }
  if (!edits.size) throw new ChangeRefused("No sentence is marked");
  for (const [at, [rest, ...more]] of edits) edits.set(at, [...remaining(rest), ...more]);
  const focus = edits.get(Math.min(...edits.keys()))[0]?.id;
  return { name: "unlink marked", splices: replaced(state, edits), focus };
};

// Sentences

const placeOf = (state, side, id) => {
  const at = state.index(side).get(id);
  if (at === undefined) throw new ChangeRefused("Choose a sentence first");
  return at;
};

// Correct the text of a sentence; its id stays. Line breaks become spaces.
export const correct = (state, side, id, text) => {
  const at = placeOf(state, side, id);
  const old = state.rows[side][at];
  const now = text.replace(/[\r\n\u2028\u2029]+/gu, " ").trim();
  if (!now) throw new ChangeRefused("A sentence has text: to remove it from a bead, unlink it");
  const splices = now === old.text ? [] : [{ list: side, at, remove: [old], insert: [{ ...old, text: now }] }];
  return { name: "correct sentence", splices, focus: state.beadsOf(side, id)[0] };
};

const [BEGIN, END] = [`^[${WHITE}]+`, `[${WHITE}]+$`].map((pattern) => new RegExp(pattern, "u"));

// Split a sentence before a character. The first part keeps the id; the parts stay in its beads.
export const splitSentence = (state, side, id, offset) => {
  const at = placeOf(state, side, id);
  const old = state.rows[side][at];
  // Not between the halves of a surrogate pair, nor before a mark that belongs to the letter before.
  let cut = offset;
  while (cut < old.text.length && (/^[\udc00-\udfff]/.test(old.text.slice(cut)) || /^\p{M}/u.test(old.text.slice(cut)))) cut += 1;
  const parts = [old.text.slice(0, cut).replace(END, ""), old.text.slice(cut).replace(BEGIN, "")];
  if (!parts.every((part) => part.trim())) throw new ChangeRefused("Put the cursor between two words: each part of the sentence needs text");
  const second = { id: state.freshId(side, id), text: parts[1], paragraph: false };
  const edits = new Map();
  for (const name of state.beadsOf(side, id)) {
    const place = state.index("beads").get(name);
    const bead = state.beads[place];
    edits.set(place, [{ ...bead, [side]: bead[side].flatMap((each) => (each === id ? [id, second.id] : [each])) }]);
  }
  const splices = [{ list: side, at, remove: [old], insert: [{ ...old, text: parts[0] }, second] }, ...replaced(state, edits)];
  return { name: "split sentence", splices, focus: state.beadsOf(side, id)[0] };
};

// Scripts without spaces between words: sentences of them are joined without one.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u;

// Join a sentence with the next one of the text; the id of the first stays. The beads of both become
// one, as the joined sentence belongs to all of them.
export const joinSentences = (state, side, id) => {
  const at = placeOf(state, side, id);
  const [old, next] = state.rows[side].slice(at, at + 2);
  if (!next) throw new ChangeRefused("There is no sentence after this one to join");
  const joint = UNSPACED.test([...old.text].at(-1) ?? "") || UNSPACED.test([...next.text][0] ?? "") ? "" : " ";
  const joined = { ...old, text: `${old.text}${joint}${next.text}` };
  const names = new Set([...state.beadsOf(side, id), ...state.beadsOf(side, next.id)]);
  const places = [...names].map((name) => state.index("beads").get(name)).sort((a, b) => a - b);
  const beads = places.map((place) => state.beads[place]);
  const whole = beads.length === 1 ? beads[0] : united(state, beads);
  const bead = { ...whole, [side]: whole[side].filter((each) => each !== next.id) };
  if (!bead[side].includes(id)) bead[side] = state.inOrder(side, [...bead[side], id]);
  const edits = new Map(places.map((place, k) => [place, k ? [] : [bead]]));
  const splices = [{ list: side, at, remove: [old, next], insert: [joined] }, ...replaced(state, edits)];
  return { name: "join sentences", splices, focus: bead.id };
};

// Begin a paragraph at a sentence, or end that it does.
export const setParagraph = (state, side, id, value) => {
  const at = placeOf(state, side, id);
  const old = state.rows[side][at];
  if (at === 0 && !value) throw new ChangeRefused("The first sentence of a text begins a paragraph");
  const splices = old.paragraph === value ? [] : [{ list: side, at, remove: [old], insert: [{ ...old, paragraph: value }] }];
  return { name: value ? "begin paragraph" : "join paragraphs", splices, focus: state.beadsOf(side, id)[0] };
};

// Replace texts of sentences, as the preview of the replacement has them: `[side, id, text]`.
export const replaceTexts = (state, replacements) => {
  const splices = replacements.flatMap(([side, id, text]) => correct(state, side, id, text).splices);
  if (!splices.length) throw new ChangeRefused("Nothing is replaced");
  return { name: `replace in ${splices.length} sentences`, splices };
};
