// Where every row stands. Heights are estimated, and measured once a row has been in view.
const GAP = 6;

const layRows = (heights, gap) => {
  const tops = heights.map((side) => new Float64Array(side.length));
  const next = [0, 0];
  let level = 0;
  const ends = [held.sides[0].size, held.sides[1].size];
  for (let n = 0; n <= held.levels.length; n += 2) {
    const until = n < held.levels.length ? [held.levels[n], held.levels[n + 1]] : ends;
    const reached = [0, 1].map((side) => {
      let y = level;
      for (; next[side] < until[side]; next[side]++) {
        tops[side][next[side]] = y;
        y += heights[side][next[side]] + gap;
      }
      return y;
    });
    level = Math.max(...reached);
  }
  return { tops, total: level };
};

// Signs that take two places, counted roughly: from the first CJK block on.
const breadth = (text) => {
  let wide = 0;
  for (let k = 0; k < text.length; k++) if (text.charCodeAt(k) >= 0x2e80) wide++;
  return text.length + wide;
};
const breadths = held.sides.map((side) =>
  Float64Array.from({ length: side.size }, (_, k) => (side.texts ? breadth(side.texts[k]) : 0)),
);

class Layout {
  constructor() {
    this.heights = [0, 1].map((side) => new Float64Array(held.sides[side].size));
    this.estimate(300, 7.6, 21, 8);
  }
  // Signs of so many pixels in columns of that width, in lines of that height, with what is around.
  estimate(width, sign, line, around) {
    this.heights.forEach((heights, side) => {
      for (let k = 0; k < heights.length; k++) {
        const lines = Math.ceil(((breadths[side][k] + 5) * sign) / width);
        heights[k] = Math.min(8, Math.max(1, lines)) * line + around;
      }
    });
    this.renew();
  }
  renew() {
    const { tops, total } = layRows(this.heights, GAP);
    this.tops = tops;
    this.total = total;
  }
  bottom(side, k) {
    return this.tops[side][k] + this.heights[side][k];
  }
  // The first row of a side that ends below y.
  at(side, y) {
    let low = 0;
    let high = this.tops[side].length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.bottom(side, middle) > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }
  span(bead) {
    let top = Infinity;
    let bottom = -Infinity;
    bead.sides.forEach((members, side) => {
      if (!members.length) return;
      top = Math.min(top, this.tops[side][members[0]]);
      bottom = Math.max(bottom, this.bottom(side, members.at(-1)));
    });
    return [top, bottom];
  }
}

// The order along the text, which no measuring changes: as if each row were one high.
const inOrder = (beads) => {
  const { tops } = layRows(held.sides.map((side) => new Float64Array(side.size).fill(1)), 0);
  for (const bead of beads) {
    const first = bead.sides.map((members, side) => (members.length ? tops[side][members[0]] : Infinity));
    bead.order = Math.min(...first);
  }
  return beads.sort((a, b) => a.order - b.order || a.number - b.number || a.k - b.k);
};
