// What the page holds: segments, bisegments, and what became of each.
const held = JSON.parse(document.getElementById("data").textContent);
const SIGNS = { a: "●", p: "◐", P: "◑", m: "○", w: "✕", o: "●" };
const WORDS = held.words;
const CLASSES = { a: "agreed", p: "partly", m: "missed", w: "wrong", o: "only" };
const gold = held.systems[0];
const compared = held.kinds.length > 0;

const idOf = (side, k) => (held.sides[side].ids ? held.sides[side].ids[k] : String(k));
const idsOf = (side, members, most = 12) => {
  const names = [...new Set(members.slice(0, 4 * most).map((k) => idOf(side, k)))];
  const rest = members.length - most;
  return names.slice(0, most).join(" ") + (names.length > most ? ` ... ${rest} more` : "");
};
// Rows that stand for segments left out.
const gaps = held.sides.map((side) => new Set(side.gaps));
const typeOf = (system, k) => system.types?.[k] ?? `${system.src[k].length}-${system.tgt[k].length}`;
const keyOf = (system, k) => `${system.src[k]}|${system.tgt[k]}`;

// By what it holds, where a bisegment stands in each system; made when first asked for.
const places = [];
const findIn = (number, key) => {
  const system = held.systems[number];
  places[number] ??= new Map(system.src.map((_, k) => [keyOf(system, k), k]));
  return places[number].get(key);
};

class Bead {
  constructor(number, k, letter) {
    this.number = number;
    this.k = k;
    this.letter = letter;
    this.system = held.systems[number];
    this.sides = [this.system.src[k], this.system.tgt[k]];
    this.type = typeOf(this.system, k);
    this.key = `${number} ${k}`;
    this.order = 0;
  }
  get gold() {
    return this.number === 0 && compared;
  }
  get kind() {
    return WORDS[this.letter === "p" && this.gold ? "P" : this.letter] ?? "";
  }
  get sign() {
    return SIGNS[this.letter === "p" && this.gold ? "P" : this.letter];
  }
  get look() {
    return `${CLASSES[this.letter]} ${this.letter === "m" || (this.letter === "p" && this.gold) ? "gold" : "own"}`;
  }
  get differs() {
    return compared ? this.letter !== "a" : this.type !== "1-1";
  }
  // The score of the chosen hypothesis where it has one, else that of gold.
  score(hyp) {
    if (this.number === 0 && this.letter === "a") {
      const twin = findIn(hyp, keyOf(this.system, this.k));
      const score = held.systems[hyp].scores?.[twin];
      if (score !== undefined && score !== null) return score;
    }
    return this.system.scores?.[this.k] ?? null;
  }
  get label() {
    const [source, target] = this.sides.map((members, side) => idsOf(side, members, 6) || "nothing");
    return `${this.kind ? `${this.kind}, ` : ""}${this.type}, source ${source}, target ${target}`;
  }
}

// What is laid over each other when a hypothesis is chosen: what both have stands there once.
const beadsFor = (hyp) => {
  if (!compared) return gold.src.map((_, k) => new Bead(0, k, "o"));
  const [mine, theirs] = held.kinds[hyp - 1];
  const found = gold.src.map((_, k) => new Bead(0, k, mine[k]));
  held.systems[hyp].src.forEach((_, k) => {
    if (theirs[k] !== "a") found.push(new Bead(hyp, k, theirs[k]));
  });
  return found;
};

// Runs of members that follow one another: [first, last + 1].
const runsOf = (members) => {
  const runs = [];
  for (const k of members) {
    const last = runs.at(-1);
    if (last && last[1] === k) last[1] = k + 1;
    else runs.push([k, k + 1]);
  }
  return runs;
};
