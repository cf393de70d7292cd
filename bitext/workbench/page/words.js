// What a word is, and what becomes of word links when sentences and beads change: the counterpart of
// `words.py`, which tells the rules. And the operations on the word links of a bead.
//
// A link is `[source id, index, target id, index, kind, confidence]`.

import { ChangeRefused, SIDES, WHITE, bare, sameIds } from "./changes.js";

export const KINDS = ["sure", "possible", "proposed"];

// Of `words.py`, character by character: no table of Unicode, which would grow with the browser.
const HAN = "\\u3005-\\u3007\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const HIRAGANA = "\\u3041-\\u309f";
const KATAKANA = "\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9f";
const UNSPACED = "\\u0e01-\\u0e3a\\u0e40-\\u0e4e\\u0e81-\\u0ece\\u1000-\\u1049\\u1050-\\u109f\\u1780-\\u17d3\\u17dd";
const SIGNS = "\\u0e30-\\u0e3a\\u0e45\\u0e47-\\u0e4e\\u0eb0-\\u0ebc\\u0ec8-\\u0ece\\u102b-\\u103e\\u1056-\\u1059"
  + "\\u105e-\\u1060\\u1062-\\u1064\\u1067-\\u106d\\u1071-\\u1074\\u1082-\\u108d\\u109a-\\u109d\\u17b4-\\u17d3\\u17dd";
const P = "!-/:-@\\[-`\\{-~\\xa1-\\xa9\\xab\\xac\\xae-\\xb1\\xb4\\xb6-\\xb8\\xbb\\xbf\\xd7\\xf7\\u055a-\\u055f\\u0589"
  + "\\u05be\\u05c0\\u05c3\\u05c6\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0e4f\\u0e5a\\u0e5b"
  + "\\u104a-\\u104f\\u1361-\\u1368\\u17d4-\\u17da\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20cf\\u2190-\\u2bff"
  + "\\u3001-\\u3003\\u3008-\\u3020\\u3030\\u303d\\u30fb\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65";
const VOWELS = "AEIOUYHaeiouyh\\xc0-\\xc4\\xc8-\\xcf\\xd2-\\xd6\\xd9-\\xdc\\xe0-\\xe4\\xe8-\\xef\\xf2-\\xf6\\xf9-\\xfc\\u0153";
const W = `[^${WHITE}${HAN}${HIRAGANA}${KATAKANA}${UNSPACED}${P}]`;
const WORD = new RegExp([
  `[0-9]+(?:[.,:][0-9]+)+(?!${W})`,
  `${W}+(?:[\\-\\u2010]${W}+)*(?:['\\u2019](?=[${VOWELS}]))?`,
  `(?<=${W})['\\u2019]${W}+`,
  `[${HAN}]|[${HIRAGANA}]+|[${KATAKANA}]+`,
  `[\\u0e40-\\u0e44\\u0ec0-\\u0ec4]?[${UNSPACED}](?:[\\u1039\\u17d2][${UNSPACED}]|[${SIGNS}])*`,
  `\\.\\.+|--+|[^${WHITE}]`,
].join("|"), "gu");
const CELLS = 250_000; // of the table by which the words of a corrected sentence are compared

// The words of a sentence, by the cut of its text.
export const wordsOf = (text, cut) => (cut === "blanks" ? text.split(/[ \t\r\n]+/u).filter(Boolean) : text.match(WORD) ?? []);

const plain = (rows) => rows.map((row) => bare(row.text)).join("");
const sizeOf = (text) => [...bare(text)].length;

// The place of each old word among the new ones: those of a longest common subsequence, and between
// two of them as many for as many.
export const sameWords = (old, now) => {
  const short = Math.min(old.length, now.length);
  let first = 0;
  while (first < short && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < short - first && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  const a = old.slice(first, old.length - last);
  const b = now.slice(first, now.length - last);
  const anchors = a.length * b.length <= CELLS ? common(a, b).map(([i, j]) => [first + i, first + j]) : [];
  for (let k = 0; k < last; k++) anchors.push([old.length - last + k, now.length - last + k]);
  const found = old.map((_, k) => (k < first ? k : null));
  let [i, j] = [first, first];
  for (const [p, q] of [...anchors, [old.length, now.length]]) {
    if (p - i === q - j) for (let k = i; k < p; k++) found[k] = j + k - i;
    if (p < old.length) found[p] = q;
    [i, j] = [p + 1, q + 1];
  }
  return found;
};

const common = (a, b) => {
  const sizes = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      sizes[i][j] = a[i] === b[j] ? sizes[i + 1][j + 1] + 1 : Math.max(sizes[i + 1][j], sizes[i][j + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) found.push([i++, j++]);
    else if (sizes[i + 1][j] >= sizes[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
};

// Where the words of sentences are after a splice of a text: by the id of each sentence that was
// removed, for each of its words `[id, index]`, or null.
const movesOf = ({ remove, insert }, cut) => {
  const [before, after] = [remove, insert].map((rows) => rows.map((row) => wordsOf(row.text, cut)));
  const found = new Map();
  if (plain(remove) !== plain(insert)) { // the same ids: sentences are corrected
    remove.forEach((row, n) => found.set(row.id, sameWords(before[n], after[n]).map((k) => (k === null ? null : [insert[n].id, k]))));
    return found;
  }
  const [ends, names] = [[], []];
  let size = 0;
  insert.forEach((row, n) => after[n].forEach((word, k) => {
    ends.push(size += sizeOf(word));
    names.push([row.id, k]);
  }));
  let [begin, at] = [0, 0];
  remove.forEach((row, n) => found.set(row.id, before[n].map((word) => {
    const end = begin + sizeOf(word);
    while (at < ends.length && ends[at] <= begin) at += 1;
    const place = at < ends.length && end <= ends[at] ? names[at] : null;
    begin = end;
    return place;
  })));
  return found;
};

const NOTHING = new Map();

const moved = (splices, side, cut) => {
  const found = new Map();
  for (const splice of splices) {
    if (splice.list !== side) continue;
    const now = movesOf(splice, cut);
    for (const [id, places] of found) found.set(id, places.map((at) => (at && now.has(at[0]) ? now.get(at[0])[at[1]] : at)));
    for (const [id, places] of now) if (!found.has(id)) found.set(id, places);
  }
  return found;
};

const isMoved = (moves, id) => moves.has(id) && moves.get(id).some((at, k) => !at || at[0] !== id || at[1] !== k);

const linksOf = (bead) => bead.words ?? [];
const isLinked = (bead) => linksOf(bead).length > 0 || Boolean(bead.linked);

export const isDecided = (link) => link[4] !== "proposed";
export const isLinkedByHand = (bead) => Boolean(bead.linked) || linksOf(bead).some(isDecided);

const keyOf = (link) => JSON.stringify(link.slice(0, 4));

// Links in order; of two of the same words the one that is decided, or sure.
const distinct = (links) => {
  const chosen = new Map();
  for (const link of links) {
    const known = chosen.get(keyOf(link));
    if (!known || KINDS.indexOf(link[4]) < KINDS.indexOf(known[4])) chosen.set(keyOf(link), link);
  }
  return [...chosen.values()];
};

// Whether a bead has the sentences of the one before of its id, and no word of them has moved.
const stays = (bead, same, moves) => Boolean(same) && SIDES.every((side) =>
  sameIds(same[side], bead[side]) && (!moves[side].size || !bead[side].some((id) => isMoved(moves[side], id))));

const FEW = 8; // ids that are looked through faster than a set of them is made, set by hand

// The links of old beads whose sentences are together in one of the new ones, by their sentences. A
// shift of a side leaves few of those of all beads: the others are passed over, which is most of the time.
const linksWithin = (made, old, moves) => {
  const partners = new Map(); // of a source sentence: the targets of the new beads that it is in
  for (const { source, target } of made) {
    const own = target.length > FEW ? new Set(target) : target;
    for (const id of source) {
      const held = partners.get(id);
      if (held) held.push(own);
      else partners.set(id, [own]);
    }
  }
  const isWithin = (a, b) => partners.get(a)?.some((own) => (Array.isArray(own) ? own.includes(b) : own.has(b))) ?? false;
  const pool = new Map();
  const still = !moves.source.size && !moves.target.size;
  for (const bead of old) {
    const links = linksOf(bead);
    const pairs = bead.source.length * bead.target.length;
    if (still && pairs <= links.length && !bead.source.some((a) => bead.target.some((b) => isWithin(a, b)))) continue;
    for (const link of links) {
      const [one, i, other, j, ...rest] = link;
      const a = moves.source.has(one) ? moves.source.get(one)[i] : null;
      const b = moves.target.has(other) ? moves.target.get(other)[j] : null;
      if ((moves.source.has(one) && !a) || (moves.target.has(other) && !b)) continue;
      const now = a || b ? [...(a ?? [one, i]), ...(b ?? [other, j]), ...rest] : link;
      if (!isWithin(now[0], now[2])) continue;
      if (!pool.has(now[0])) pool.set(now[0], new Map());
      const ofSource = pool.get(now[0]);
      if (ofSource.has(now[2])) ofSource.get(now[2]).push(now);
      else ofSource.set(now[2], [now]);
    }
  }
  return pool;
};

const NO_LINKS = Object.freeze([]);

// The linked beads whose sentences change under them, and which no splice replaces.
const linkedUnder = (state, moves, old) => {
  const gone = new Set(old.map((bead) => bead.id));
  const under = [];
  for (const side of SIDES) {
    for (const id of moves[side].keys()) {
      if (!isMoved(moves[side], id)) continue;
      for (const name of state.beadsOf(side, id)) {
        const bead = state.beads[state.index("beads").get(name)];
        if (!gone.has(name) && isLinked(bead)) {
          gone.add(name);
          under.push(bead);
        }
      }
    }
  }
  return under;
};

// A change with the word links that still fit: beads that take the place of others have the links
// between two of their sentences, and links follow words of sentences that are corrected, split or
// joined. Nothing else is changed, nor beads whose ids are `given`, which come with their links. `state`
// is as it was before the change.
export const keepWords = (state, change) => {
  const { splices, given } = change;
  if (!state.rows.beads) return change;
  const texts = splices.some(({ list }) => list !== "beads");
  const ofBeads = splices.filter(({ list }) => list === "beads");
  let old = ofBeads.length === 1 ? ofBeads[0].remove : [...new Map(ofBeads.flatMap(({ remove }) => remove.map((bead) => [bead.id, bead]))).values()];
  if (!texts && !old.some(isLinked)) return change;
  const moves = Object.fromEntries(SIDES.map((side) => [side, texts ? moved(splices, side, state.texts[side].words) : NOTHING]));
  const under = texts ? linkedUnder(state, moves, old) : [];
  if (under.length) old = [...old, ...under];
  if (!old.some(isLinked)) return change;
  let byId = null; // where beads do not take the places of those of their ids
  const before = ({ id }, held) => (held?.id === id ? held : (byId ??= new Map(old.map((bead) => [bead.id, bead]))).get(id));
  const staying = new Set();
  const others = [];
  const sort = (bead, held) => {
    if (given?.has(bead.id) || stays(bead, before(bead, held), moves)) staying.add(bead);
    else others.push(bead);
  };
  for (const { remove, insert } of ofBeads) for (let k = 0; k < insert.length; k++) sort(insert[k], remove[k]);
  for (const bead of under) sort(bead, bead);
  const pool = linksWithin(others, old, moves);
  const kept = (bead, held) => {
    if (staying.has(bead)) return bead;
    const words = pool.size ? distinct(bead.source.flatMap((a) => (pool.has(a) ? bead.target.flatMap((b) => pool.get(a).get(b) ?? []) : []))) : NO_LINKS;
    if (bead === before(bead, held)) return { ...bead, words, linked: false };
    // A row that the change has made, and nobody has seen: to copy tens of thousands once more takes its time.
    return Object.assign(bead, { words, linked: false });
  };
  const made = splices.map((splice) => (splice.list === "beads" ? { ...splice, insert: splice.insert.map((bead, k) => kept(bead, splice.remove[k])) } : splice));
  for (const bead of under) {
    let at = state.index("beads").get(bead.id);
    for (const { list, at: from, remove, insert } of splices) {
      if (list === "beads" && from <= at) at += insert.length - remove.length;
    }
    made.push({ list: "beads", at, remove: [bead], insert: [kept(bead, bead)] });
  }
  return { ...change, splices: made };
};

const sameBeads = (remove, insert) => remove.length === insert.length
  && remove.every((bead, k) => bead.id === insert[k].id && SIDES.every((side) => sameIds(bead[side], insert[k][side])));

// How many word links a change of beads or sentences has taken away; those that somebody removes are
// not counted.
export const lostWords = (splices) => {
  if (!splices.some(({ list, remove }) => list === "beads" && remove.some((bead) => linksOf(bead).length))) return 0;
  const texts = splices.some(({ list }) => SIDES.includes(list));
  const count = (rows) => rows.reduce((sum, bead) => sum + linksOf(bead).length, 0);
  const lost = splices.filter(({ list, remove, insert }) => list === "beads" && (texts || !sameBeads(remove, insert)))
    .reduce((sum, { remove, insert }) => sum + count(remove) - count(insert), 0);
  return Math.max(0, lost);
};

// Where the words of a sentence are among those that blanks divide, and how many these are.
const placesInFile = (text, cut) => {
  const own = wordsOf(text, cut);
  const held = wordsOf(text, "blanks");
  if (cut === "blanks") return { places: own.map((_, k) => k), size: own.length };
  const places = [];
  let [at, room] = [-1, 0];
  for (const word of own) {
    while (room <= 0) room += sizeOf(held[++at]);
    places.push(at);
    room -= sizeOf(word);
  }
  return { places, size: held.length };
};

// The links of a bead as files have them (`bitext/model/word_links.py`), of words as blanks divide
// them; null where no links are known.
export const spelledLinks = (state, bead) => {
  if (!isLinked(bead)) return null;
  const [source, target] = SIDES.map((side) => {
    let begin = 0;
    return new Map(bead[side].map((id) => {
      const { places, size } = placesInFile(state.sentence(side, id).text, state.texts[side].words);
      const own = places.map((place) => begin + place);
      begin += size;
      return [id, own];
    }));
  });
  const made = linksOf(bead).map(([a, i, b, j, kind, confidence]) => [source.get(a)[i], 0, target.get(b)[j], 0, kind, confidence]);
  return distinct(made).map(([i, , j, , kind, confidence]) =>
    `${i}-${j}${kind === "possible" ? "p" : ""}${confidence === null ? "" : `:${confidence}`}`).join(" ");
};

// Operations

// The words of a side of a bead, one sentence after another: `{id, k, text}`, k among the words of its
// sentence.
export const wordsOfSide = (state, bead, side) =>
  bead[side].flatMap((id) => wordsOf(state.sentence(side, id)?.text ?? "", state.texts[side].words).map((text, k) => ({ id, k, text })));

const inTextOrder = (bead, links) => [...links].sort((a, b) =>
  bead.source.indexOf(a[0]) - bead.source.indexOf(b[0]) || a[1] - b[1] || bead.target.indexOf(a[2]) - bead.target.indexOf(b[2]) || a[3] - b[3]);

// Have a bead have these links, confirmed or not; no splice where it has them.
export const setWords = (state, at, name, links, linked) => {
  const change = withLinks(state, at, name, links, linked);
  const [{ remove: [old], insert: [made] }] = change.splices;
  const same = Boolean(old.linked) === linked && JSON.stringify(linksOf(old)) === JSON.stringify(made.words);
  return same ? { ...change, splices: [] } : change;
};

const withLinks = (state, at, name, links, linked) => {
  const bead = state.beads[at];
  if (!bead) throw new ChangeRefused("There is no such bead");
  const insert = { ...bead, words: inTextOrder(bead, links), linked };
  return { name, splices: [{ list: "beads", at, remove: [bead], insert: [insert] }], focus: bead.id };
};

// Link two words, or change what they are linked by: `kind` is sure, possible, or null for no link. A
// change of a link takes back that the links of the bead are confirmed.
export const linkWords = (state, at, a, b, kind) => {
  const bead = state.beads[at];
  const key = JSON.stringify([a.id, a.k, b.id, b.k]);
  const old = linksOf(bead).find((link) => keyOf(link) === key);
  const rest = linksOf(bead).filter((link) => keyOf(link) !== key);
  if (!kind && !old) throw new ChangeRefused("These words are not linked");
  if (old?.[4] === kind) return { name: "link words", splices: [], focus: bead.id };
  const links = kind ? [...rest, [a.id, a.k, b.id, b.k, kind, null]] : rest;
  return withLinks(state, at, !kind ? "unlink words" : kind === "sure" ? "link words" : "link words, possible", links, false);
};

// Remove all links of a word.
export const unlinkWord = (state, at, side, word) => {
  const n = side === "source" ? 0 : 2;
  const links = linksOf(state.beads[at]);
  const rest = links.filter((link) => link[n] !== word.id || link[n + 1] !== word.k);
  if (rest.length === links.length) throw new ChangeRefused("The word has no link");
  return withLinks(state, at, "unlink word", rest, false);
};

// Confirm the word links of a bead: those that were proposed are sure; or take that back.
export const confirmWords = (state, at, value = true) => {
  const bead = state.beads[at];
  if (!bead?.source.length || !bead.target.length) throw new ChangeRefused("Words are linked where a bead has sentences on both sides");
  if (Boolean(bead.linked) === value) return { name: "confirm word links", splices: [], focus: bead.id };
  const links = linksOf(bead).map((link) => (value && link[4] === "proposed" ? [...link.slice(0, 4), "sure", link[5]] : link));
  return withLinks(state, at, value ? "confirm word links" : "reopen word links", links, value);
};
