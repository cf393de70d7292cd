// The least number of keys from a proposal to gold, found by A* over what the keys do. A test of the
// bench puts the modules of the page before this. REGIONS are stretches between two borders that
// proposal and gold share: `{source, target, proposed, gold, ratio}`, texts and beads as `[i, j]`, the
// numbers of sentences of each side.

const { Alignment, ChangeRefused } = _changes;
const o = _operations;
const LIMIT = 60_000; // states that are looked at for one stretch

class Heap {
  constructor() { this.items = []; }
  push(item) {
    const { items } = this;
    let k = items.push(item) - 1;
    while (k && items[(k - 1) >> 1].rank > item.rank) { items[k] = items[(k - 1) >> 1]; k = (k - 1) >> 1; }
    items[k] = item;
  }
  pop() {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (!items.length) return top;
    let k = 0;
    for (;;) {
      let child = 2 * k + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1].rank < items[child].rank) child += 1;
      if (items[child].rank >= last.rank) break;
      items[k] = items[child];
      k = child;
    }
    items[k] = last;
    return top;
  }
}

// `next` returns the states that a key leads to, `left` the least number of keys that are left.
const least = (begin, name, done, next, left) => {
  const heap = new Heap();
  const known = new Map([[name(begin), 0]]);
  heap.push({ state: begin, cost: 0, rank: left(begin) });
  while (heap.items.length) {
    const { state, cost } = heap.pop();
    if (done(state)) return { cost, state };
    if (known.size > LIMIT) return null;
    if (known.get(name(state)) < cost) continue;
    for (const other of next(state)) {
      const key = name(other);
      if ((known.get(key) ?? Infinity) <= cost + 1) continue;
      known.set(key, cost + 1);
      heap.push({ state: other, cost: cost + 1, rank: cost + 1 + left(other) });
    }
  }
  return null;
};

// Beads of given sizes as two lists of the numbers of sentences.
const cells = (beads) => {
  let [i, j] = [0, 0];
  return beads.map(([a, b]) => [Array.from({ length: a }, () => i++), Array.from({ length: b }, () => j++)]);
};

// The editor: its own operations. A state is the rows of beads with a cursor.
const ours = ({ source, target, proposed, gold, ratio }, side) => {
  const rows = (letter, texts) => texts.map((text, k) => ({ id: `${letter}${k}`, text, paragraph: k === 0 }));
  const sentences = { source: rows("s", source), target: rows("t", target) };
  const spelled = (bead) => `${bead.source}|${bead.target}`;
  const wanted = new Set(cells(gold).map(([a, b]) => `${a.map((k) => `s${k}`)}|${b.map((k) => `t${k}`)}`));
  const beads = cells(proposed).map(([a, b], k) => ({
    id: `b${k}`, source: a.map((n) => `s${n}`), target: b.map((n) => `t${n}`), state: "proposed", probability: null, comment: "", bookmark: false,
  }));
  const made = (list) => {
    const state = new Alignment({ alignment: {}, source: { sentences: sentences.source }, target: { sentences: sentences.target }, beads: list });
    state.ratio = ratio;
    return state;
  };
  const name = ({ beads: list, at, side: of, cut }) => `${list.map((bead) => `${bead.state[0]}${spelled(bead)}`).join(";")}/${at}${of}${cut}`;
  const open = (list) => list.filter((bead) => bead.state !== "confirmed").length;
  const next = (node) => {
    const { beads: list, at, side: of, cut } = node;
    const found = [];
    const state = made(list);
    const change = (act) => {
      try {
        const { splices, focus } = act();
        const after = made(list);
        after.apply(splices);
        found.push({ beads: after.beads, at: Math.max(0, after.index("beads").get(focus) ?? 0), side: of, cut: null });
      } catch (error) {
        if (!(error instanceof ChangeRefused)) throw error;
      }
    };
    const bead = list[at];
    if (wanted.has(spelled(bead)) && bead.state === "proposed") {
      const after = list.map((each, k) => (k === at ? { ...each, state: "confirmed" } : each));
      const below = after.findIndex((each, k) => k > at && each.state === "proposed");
      found.push({ beads: after, at: below < 0 ? at : below, side: of, cut: null });
    }
    change(() => o.merge(state, at));
    change(() => o.merge(state, at - 1, at));
    change(() => o.split(state, at, of, cut));
    change(() => o.shiftDown(state, at, of));
    change(() => o.shiftUp(state, at, of));
    for (const step of [1, -1]) {
      change(() => o.give(state, at, of, step));
      change(() => o.take(state, at, of, step));
    }
    found.push({ ...node, side: of === "source" ? "target" : "source", cut: null });
    if (at + 1 < list.length) found.push({ ...node, at: at + 1, cut: null });
    if (at > 0) found.push({ ...node, at: at - 1, cut: null });
    const sentence = cut === null ? 0 : cut + 1; // Shift and arrow: the next sentence of the side
    if (sentence < bead[of].length) found.push({ ...node, cut: sentence });
    return found;
  };
  const begin = { beads, at: 0, side, cut: null };
  return least(begin, name, ({ beads: list }) => !open(list), next, ({ beads: list }) => {
    const confirmed = list.filter((bead) => bead.state === "confirmed").length;
    return wanted.size - confirmed; // each needs one more key
  });
};

// InterText, by its guide: two columns; a key moves a column or both from the cursor on, or one
// sentence to the neighbour. The cursor is where it helps most after a column has moved; reading on
// takes one arrow key a row. What is confirmed it marks by itself with each correction.
const interText = ({ proposed, gold }, side) => {
  const want = JSON.stringify(cells(gold));
  const count = gold.length;
  const name = ({ columns, at, side: of }) => `${JSON.stringify(columns)}/${at}${of}`;
  const rest = "*"; // the text behind the stretch: its columns must be beside each other again
  const columns = [0, 1].map((n) => [...cells(proposed).map((bead) => bead[n]), [rest]]);
  const pad = (lists) => {
    const size = Math.max(lists[0].length, lists[1].length);
    return lists.map((list) => [...list, ...Array.from({ length: size - list.length }, () => [])]);
  };
  const isDone = ({ columns: [a, b], at }) => {
    if (at !== count || a.length !== count + 1 || b.length !== count + 1) return false;
    return a[count][0] === rest && b[count][0] === rest && JSON.stringify(a.slice(0, count).map((cell, k) => [cell, b[k]])) === want;
  };
  const down = (list, at) => [...list.slice(0, at), [], ...list.slice(at)];
  const up = (list, at) => [...list.slice(0, at - 1), [...list[at - 1], ...list[at]], ...list.slice(at + 1)];
  const next = ({ columns: lists, at, side: of }) => {
    const found = [];
    const size = lists[0].length;
    const give = (changed, places) => {
      const even = pad(changed);
      // Rows that are empty at the end do not count.
      let end = even[0].length;
      while (end > 1 && !even[0][end - 1].length && !even[1][end - 1].length) end -= 1;
      const cut = even.map((list) => list.slice(0, end));
      for (const place of places) if (place >= 0 && place < end) found.push({ columns: cut, at: place, side: of });
    };
    const one = (list) => lists.map((each, n) => (n === of ? list : each));
    const cell = lists[of][at];
    if (size < 24) {
      give(one(down(lists[of], at)), [at, at + 1]);
      give(lists.map((each) => down(each, at)), [at, at + 1]);
    }
    if (at > 0) {
      give(one(up(lists[of], at)), [at - 1, at]);
      give(lists.map((each) => up(each, at)), [at - 1, at]);
      if (cell.length && cell[0] !== rest) {
        give(one(lists[of].map((each, k) => (k === at - 1 ? [...each, cell[0]] : k === at ? cell.slice(1) : each))), [at - 1, at]);
      }
    }
    if (at + 1 < size && cell.length && cell.at(-1) !== rest) {
      give(one(lists[of].map((each, k) => (k === at + 1 ? [cell.at(-1), ...each] : k === at ? cell.slice(0, -1) : each))), [at, at + 1]);
    }
    found.push({ columns: lists, at, side: 1 - of });
    if (at + 1 < size) found.push({ columns: lists, at: at + 1, side: of });
    if (at > 0) found.push({ columns: lists, at: at - 1, side: of });
    return found;
  };
  return least({ columns, at: 0, side }, name, isDone, next, ({ at }) => Math.abs(count - at));
};

let [ownSide, otherSide] = ["source", 0];
const totals = { ours: 0, interText: 0, failed: [], worse: [], each: [] };
for (const region of REGIONS) {
  const a = ours(region, ownSide);
  const b = interText(region, otherSide);
  if (!a || !b) {
    totals.failed.push([region.proposed, region.gold, a?.cost ?? null, b?.cost ?? null]);
    totals.each.push(null);
    continue;
  }
  totals.each.push(a.cost);
  if (a.cost > b.cost) totals.worse.push([a.cost, b.cost, region.proposed.join(" "), region.gold.join(" "), `side ${ownSide}`]);
  ownSide = a.state.side;
  otherSide = b.state.side;
  totals.ours += a.cost;
  totals.interText += b.cost;
}
return totals;
