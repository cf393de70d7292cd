// Word links of annotators side by side: the links by which they differ alone, and which of them is
// right. Only beads count that annotators have with the same sentences, and whose words they have
// linked. What is decided goes into the links of one's own bead; they are confirmed when nothing in the
// bead is open. A link that is still open stands there as one that is proposed without a confidence,
// which the aligner never gives: so what is decided is known after a reload, and to undo.

import { ChangeRefused, SIDES } from "./changes.js";
import { logged, mostOf, takes } from "./comparison.js";
import { Deciding, withCommon } from "./deciding.js";
import { directionOf, element, languageTag, many, number, visible } from "./elements.js";
import { isDecided, isLinkedByHand, setWords, wordsOf } from "./words.js";

const NONE = "none"; // of a pair of words that somebody has not linked
const CHOICES = ["sure", "possible", NONE];
const SIGNS = { sure: "━", possible: "┅", none: "∅", open: "○", lacking: "!" };
const AROUND = 8; // words shown before and after a word

const beadKey = (bead) => JSON.stringify([bead.source, bead.target]);
const pairKey = (link) => JSON.stringify(link.slice(0, 4));

// The kinds of the links of a bead that somebody has decided, by their words.
const kindsOf = (bead) => new Map((bead.words ?? []).filter(isDecided).map((link) => [pairKey(link), link[4]]));

// Return what annotators have linked in beads with the same sentences: each
// `{key, bead, rows, alike, confirmed}`. `rows` are the pairs of words by which they differ, each
// `{key, pair, kinds}` with `null` for who has no such bead or has linked nothing in it; `alike` are the
// links that all of these have, and `confirmed` says whether all annotators have confirmed theirs.
export const linkedBeads = (lists) => {
  const held = lists.map((beads) => new Map(beads.filter((bead) => bead.source.length && bead.target.length).map((bead) => [beadKey(bead), bead])));
  const found = [];
  const seen = new Set();
  for (const bead of lists.flat()) {
    const key = beadKey(bead);
    if (seen.has(key) || !held.some((own) => own.has(key))) continue;
    seen.add(key);
    const own = held.map((each) => each.get(key)).map((each) => (each && isLinkedByHand(each) ? each : null));
    const linked = own.filter(Boolean);
    if (linked.length < 2) continue;
    const kinds = own.map((each) => each && kindsOf(each));
    const pairs = new Map(linked.flatMap((each) => each.words.filter(isDecided).map((link) => [pairKey(link), link.slice(0, 4)])));
    const rows = [];
    const alike = [];
    for (const [name, pair] of pairs) {
      const values = kinds.map((each) => each && (each.get(name) ?? NONE));
      const [first, ...others] = values.filter(Boolean);
      if (others.every((each) => each === first)) alike.push([...pair, first, null]);
      else rows.push({ key: `${key} ${name}`, name, pair, kinds: values });
    }
    const [place] = linked;
    const order = ({ pair: [a, i, b, j] }) => [place.source.indexOf(a), i, place.target.indexOf(b), j];
    rows.sort((a, b) => order(a).map((each, k) => each - order(b)[k]).find(Boolean) ?? 0);
    found.push({ key, bead: place, rows, alike, confirmed: own.every((each) => each?.linked) });
  }
  return found;
};

// The bead of one's own with the sentences of those that are compared; undefined where there is none.
// It is kept with the group, as long as it is the same: thousands are looked up after each change.
const ownBead = (state, group) => {
  const held = group.own && state.beads[state.index("beads").get(group.own.id)];
  if (!held || held !== group.own) group.own = foundBead(state, group.bead);
  return group.own;
};

const foundBead = (state, { source, target }) => {
  const name = (source.length ? state.beadsOf("source", source[0]) : []).find((id) => {
    const bead = state.beads[state.index("beads").get(id)];
    return String(bead.source) === String(source) && String(bead.target) === String(target);
  });
  return name === undefined ? undefined : state.beads[state.index("beads").get(name)];
};

const isOpenLink = (link) => link[4] === "proposed" && link[5] === null;

// Whether decisions have begun in a bead of one's own: some of its links are open.
const isBegun = (own, rows) => {
  const open = new Set((own.words ?? []).filter(isOpenLink).map(pairKey));
  return rows.some((row) => open.has(row.name));
};

// What has been decided of a pair of words: a kind of link, "none", "open", or "lacking", where one has
// other beads.
export const decidedLink = (state, group, row) => {
  const own = ownBead(state, group);
  if (!own) return "lacking";
  const link = (own.words ?? []).find((each) => pairKey(each) === row.name);
  if (link && isDecided(link)) return link[4];
  if (own.linked) return NONE;
  return link || !isBegun(own, group.rows) ? "open" : NONE;
};

// Decide about a pair of words: a change of the links of one's own bead. They are confirmed when no
// pair of the bead is open.
export const decideLink = (state, group, row, kind, name) => {
  const own = ownBead(state, group);
  if (!own) throw new ChangeRefused("Your alignment has other beads here: decide about the beads first");
  const chosen = new Map();
  if (own.linked || isBegun(own, group.rows)) for (const link of own.words) chosen.set(pairKey(link), link);
  else {
    for (const link of own.words ?? []) if (isDecided(link)) chosen.set(pairKey(link), link);
    for (const link of group.alike) if (!chosen.has(pairKey(link))) chosen.set(pairKey(link), link);
    for (const each of group.rows) if (!chosen.has(each.name)) chosen.set(each.name, [...each.pair, "proposed", null]);
  }
  if (kind === NONE) chosen.delete(row.name);
  else chosen.set(row.name, [...row.pair, kind, null]);
  const words = [...chosen.values()];
  const names = new Set(group.rows.map((each) => each.name));
  const linked = Boolean(own.linked) || !words.some((link) => isOpenLink(link) && names.has(pairKey(link)));
  return setWords(state, state.index("beads").get(own.id), name, linked ? words.filter(isDecided) : words, linked);
};

// Take the links of all beads that all have confirmed alike, into beads of one's own that are not
// confirmed yet and have no link that one has decided.
export const takeAlike = (state, groups) => {
  const splices = [];
  for (const group of groups) {
    const { rows, alike, confirmed } = group;
    const own = confirmed && !rows.length ? ownBead(state, group) : null;
    if (!own || isLinkedByHand(own)) continue;
    splices.push(...setWords(state, state.index("beads").get(own.id), "", alike, true).splices);
  }
  return { name: "take word links that all agree on", splices };
};

const commandsFor = (names) => withCommon([
  ...takes(names, "link"),
  { name: "neither", keys: ["0"], label: names.length > 2 ? "? None" : "? Neither", help: "take what nobody has: the third of sure, possible and no link" },
  { name: "kind:sure", keys: ["s"], label: "━ Sure", help: "a sure link, whoever has it" },
  { name: "kind:possible", keys: ["p"], label: "┅ Possible", help: "a possible link" },
  { name: "kind:none", keys: ["Delete", "x"], label: "∅ No link", help: "no link" },
  { name: "agreed", keys: ["a"], label: "✓ Agreed", help: "take the links of beads in which all have confirmed the same" },
]);

export class WordComparison extends Deciding {
  constructor(store, frame, states, keyOf) {
    super(store, frame, states, keyOf, commandsFor);
    const places = store.alignment.index("source");
    this.groups = linkedBeads(states.map(({ beads }) => beads))
      .sort((a, b) => places.get(a.bead.source[0]) - places.get(b.bead.source[0]));
    this.rows = this.groups.flatMap((group) => group.rows.map((row) => ({ ...row, group })));
    this.agreed = this.groups.filter(({ rows, confirmed }) => confirmed && !rows.length);
    this.restore((row) => row.key);
    const { texts, rows } = this.state;
    this.directions = Object.fromEntries(SIDES.map((side) => [side, directionOf(texts[side].language, rows[side])]));
    this.showTable("Word links in", "words", () => 80);
    this.listen();
    this.changed();
    this.list.reveal(this.at);
  }

  statusOf(row) {
    return decidedLink(this.state, row.group, row);
  }

  wordsFor(status) {
    return { open: "not decided", lacking: "you have other beads here", none: "decided: no link" }[status] ?? `decided: ${status}`;
  }

  drawRow(k, status) {
    const row = this.rows[k];
    const words = this.wordsFor(status);
    const cell = (kind, n) => element("div", { role: "gridcell", class: kind === status ? "own" : null, "aria-label": `${this.names[n]}: ${kind ?? "has not linked these words"}` },
      kind === null ? element("span", { class: "none" }, "–")
        : element("span", { class: `link-kind ${kind}` }, element("span", { "aria-hidden": "true" }, SIGNS[kind]), ` ${kind === NONE ? "no link" : kind}`));
    const made = element("div", { class: `line ${CHOICES.includes(status) ? "decided" : "open"}${k === this.at ? " chosen" : ""}`, role: "row", "aria-rowindex": k + 1, "aria-selected": k === this.at },
      this.#context(row), ...row.kinds.map(cell),
      element("div", { role: "gridcell", id: `difference-${this.serial++}`, class: "mark" }, element("span", { class: "decision", role: "img", "aria-label": words, title: words }, SIGNS[status])));
    made.addEventListener("click", () => this.choose(k));
    return made;
  }

  // The two words, and each in its sentence.
  #context({ pair: [a, i, b, j] }) {
    const side = (name, id, at) => {
      const { language, words: cut } = this.state.texts[name];
      const all = wordsOf(this.state.sentence(name, id)?.text ?? "", cut);
      const [from, to] = [Math.max(0, at - AROUND), at + 1 + AROUND];
      const before = `${from ? "… " : ""}${all.slice(from, at).join(" ")} `;
      const after = ` ${all.slice(at + 1, to).join(" ")}${to < all.length ? " …" : ""}`;
      return element("div", { class: "word-context", lang: languageTag(language), dir: this.directions[name] },
        element("span", { class: "none", dir: "ltr" }, visible(id)), " ", visible(before), element("mark", {}, visible(all[at] ?? "?")), visible(after));
    };
    return element("div", { role: "gridcell", class: "context" }, side("source", a, i), side("target", b, j));
  }

  changed() {
    this.list.render();
    this.activate();
    const left = this.agreed.filter((group) => !ownBead(this.state, group)?.linked).length;
    this.progress.textContent = [
      this.rows.length ? `${many(this.rows.length, "difference")} in ${many(new Set(this.rows.map((row) => row.group)).size, "bead")}, ${number.format(this.openRows)} not decided`
        : this.groups.length ? "There is no difference" : "No bead has word links of two of these annotators",
      `${many(this.agreed.length, "bead")} confirmed alike, ${number.format(left)} not taken`,
      `decisions go into the alignment of ${visible(this.state.alignment.annotator)}`,
    ].join("; ");
  }

  #decide(kind, name) {
    const row = this.rows[this.at];
    const [one, other] = ["source", "target"].map((side, n) => wordsOf(this.state.sentence(side, row.pair[2 * n])?.text ?? "", this.state.texts[side].words)[row.pair[2 * n + 1]]);
    this.store.change(decideLink(this.state, row.group, row, kind, logged(`${name}, ${kind === NONE ? "no" : kind} link`, `${row.pair[0]} ${one} – ${other}`)));
    this.next();
  }

  #take(which) {
    const kind = this.rows[this.at].kinds[which];
    if (kind === null) throw new ChangeRefused(`${this.names[which]} has not linked the words of this bead`);
    this.#decide(kind, `take ${this.names[which]}`);
  }

  deeds = {
    take: (which) => this.#take(Number(which)),
    majority: () => {
      const best = mostOf(this.rows[this.at].kinds.filter(Boolean));
      if (best === null) throw new ChangeRefused("Nothing is what most annotators have: take what one has");
      this.#decide(best, "take most");
    },
    neither: () => {
      const { kinds } = this.rows[this.at];
      const left = CHOICES.filter((kind) => !kinds.includes(kind));
      if (left.length !== 1) throw new ChangeRefused("Sure, possible and no link are what somebody has: take one of these");
      this.#decide(left[0], this.names.length > 2 ? "take none" : "take neither");
    },
    kind: (kind) => this.#decide(kind, "own decision"),
    agreed: () => {
      if (!this.store.change(takeAlike(this.state, this.groups))) throw new ChangeRefused("What all have confirmed alike is taken already, or your beads are others");
    },
  };
}
