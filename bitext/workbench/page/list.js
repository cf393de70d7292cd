// A list of which only the rows in view exist, with rows of any height.
//
// Heights are estimated and, once a row was in view, measured. Rows lie in the ordinary flow of one
// block, which stands where the first of them belongs: so a wrong estimate never lets rows overlap,
// and the browser lays out a few dozens of rows, however many there are.

const MARGIN = 400; // pixels above and below the view in which rows are kept ready, set by hand

export class VirtualList {
  // `frame` is the element that scrolls; `estimate(k)` a height in pixels; `draw(k)` an element for a
  // row, which may be the one that it gave before; `rendered()` is called when rows were put in place.
  constructor(frame, { estimate, draw, rendered = () => undefined }) {
    Object.assign(this, { frame, estimate, draw, rendered });
    this.canvas = document.createElement("div");
    this.canvas.className = "canvas";
    this.canvas.setAttribute("role", "presentation");
    this.block = document.createElement("div");
    this.block.className = "rows";
    this.block.setAttribute("role", "rowgroup");
    this.canvas.append(this.block);
    frame.append(this.canvas);
    this.heights = []; // of each row, measured or estimated; undefined: not known yet
    this.starts = [0]; // the top of each row, and of what is behind the last
    this.sound = 0; // the tops up to this row are right
    this.shown = [0, 0];
    frame.addEventListener("scroll", () => this.render(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(frame);
  }

  get size() {
    return this.heights.length;
  }

  // The tops of all rows; only those behind a change are computed anew. To keep a tree of sums
  // instead would cost more: 20,000 additions take a fraction of a millisecond.
  #tops() {
    const { heights, starts } = this;
    starts.length = heights.length + 1;
    for (let k = this.sound; k < heights.length; k++) {
      heights[k] ??= this.estimate(k);
      starts[k + 1] = starts[k] + heights[k];
    }
    this.sound = heights.length;
    return starts;
  }

  #rowAt(y) {
    const starts = this.#tops();
    let low = 0;
    let high = Math.max(0, starts.length - 2);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // All rows are others: there are as many.
  reset(size) {
    this.heights = new Array(size).fill(undefined);
    this.sound = 0;
  }

  // Rows from one on were replaced by others.
  splice(at, removed, inserted) {
    const same = Math.min(removed, inserted);
    // What takes the place of a row is as high until it is in view and measured.
    if (removed > same) this.heights.splice(at + same, removed - same);
    else if (inserted > same) {
      const added = new Array(inserted - same).fill(undefined);
      this.heights = this.heights.slice(0, at + same).concat(added, this.heights.slice(at + same));
    }
    this.sound = Math.min(this.sound, at);
  }

  // The height of a row may be another.
  forget(at) {
    this.heights[at] = undefined;
    this.sound = Math.min(this.sound, at);
  }

  // A new width, or another font: all heights are others.
  resized() {
    const width = this.frame.clientWidth;
    if (width === this.width && this.block.childElementCount) {
      this.render();
      return;
    }
    const first = this.#rowAt(this.frame.scrollTop);
    this.width = width;
    this.reset(this.size);
    this.frame.scrollTop = this.#tops()[first] ?? 0;
    this.render();
  }

  // Draw the rows in view. What is at the top of the view stays where it is, though rows above it
  // turn out to have other heights than estimated.
  render() {
    const count = this.size;
    const top = this.frame.scrollTop;
    const anchor = this.#rowAt(top);
    const offset = top - this.#tops()[anchor];
    for (let round = 0; round < 3; round++) {
      const starts = this.#tops();
      const view = starts[anchor] + offset;
      const first = count ? this.#rowAt(Math.max(0, view - MARGIN)) : 0;
      const end = count ? Math.min(count, this.#rowAt(view + this.frame.clientHeight + MARGIN) + 1) : 0;
      this.#place(first, end);
      if (!this.#measure(first, end)) break;
    }
    const starts = this.#tops();
    this.canvas.style.height = `${starts[count]}px`;
    this.block.style.transform = `translateY(${starts[this.shown[0]]}px)`;
    const wanted = starts[anchor] + offset;
    if (count && Math.abs(wanted - this.frame.scrollTop) >= 1) this.frame.scrollTop = wanted;
    this.rendered();
  }

  // Put the rows into the block. Rows that are there already are not touched: it keeps the browser
  // from laying them out again.
  #place(first, end) {
    this.shown = [first, end];
    let before = null;
    const wanted = [];
    for (let k = first; k < end; k++) wanted.push(this.draw(k));
    const keep = new Set(wanted);
    for (const child of [...this.block.children]) if (!keep.has(child)) child.remove();
    for (const row of wanted) {
      const place = before ? before.nextSibling : this.block.firstChild;
      if (place !== row) this.block.insertBefore(row, place);
      before = row;
    }
  }

  #measure(first, end) {
    let differs = false;
    const rows = this.block.children;
    for (let k = first; k < end; k++) {
      const { height } = rows[k - first].getBoundingClientRect();
      if (Math.abs(this.heights[k] - height) < 0.1) continue;
      this.heights[k] = height;
      this.sound = Math.min(this.sound, k);
      differs = true;
    }
    return differs;
  }

  // What is at the top of the view: a row, and the pixels of it that are above.
  get top() {
    const row = this.#rowAt(this.frame.scrollTop);
    return { row, above: this.frame.scrollTop - this.#tops()[row] };
  }

  set top({ row, above }) {
    if (!(row >= 0 && row < this.size)) return;
    const starts = this.#tops();
    this.canvas.style.height = `${starts.at(-1)}px`; // else the browser stops at the old end
    this.frame.scrollTop = starts[row] + above;
    this.render();
  }

  // The last row that is in view whole; one that is higher than the view, if it is the only one.
  get lastInView() {
    const bottom = this.frame.scrollTop + this.frame.clientHeight;
    const row = this.#rowAt(bottom);
    return this.#tops()[row + 1] <= bottom + 1 ? row : Math.max(row - 1, this.#rowAt(this.frame.scrollTop));
  }

  // Scroll as little as brings a row into view, with some of its neighbours.
  reveal(k) {
    if (k < 0 || k >= this.size) return;
    for (let round = 0; round < 3; round++) {
      const starts = this.#tops();
      const height = this.frame.clientHeight;
      const spare = Math.min(80, height / 5);
      const [top, bottom] = [starts[k] - spare, starts[k + 1] + spare];
      const now = this.frame.scrollTop;
      let wanted = now;
      if (bottom - top > height || top < now) wanted = top;
      else if (bottom > now + height) wanted = bottom - height;
      wanted = Math.max(0, Math.min(wanted, starts.at(-1) - height));
      if (Math.abs(wanted - now) < 1) break;
      this.canvas.style.height = `${starts.at(-1)}px`; // else the browser stops at the old end
      this.frame.scrollTop = wanted;
      this.render(); // rows that are new in view have their own heights
    }
    this.render();
  }

  // Scroll by a screen within a row that goes on beyond the view; return whether it does.
  scrollWithin(k, step) {
    const starts = this.#tops();
    const height = this.frame.clientHeight;
    const now = this.frame.scrollTop;
    const [top, bottom] = [starts[k], starts[k + 1]];
    if (bottom <= now || top >= now + height) return false;
    if (step > 0 ? bottom <= now + height + 1 : top >= now - 1) return false;
    const screen = Math.max(1, height - 40); // some lines stay, to find the place again
    this.frame.scrollTop = step > 0 ? Math.min(now + screen, bottom - height + 4) : Math.max(now - screen, top - 4);
    this.render();
    return true;
  }

  // How many rows fit into the view.
  get page() {
    const top = this.frame.scrollTop;
    return Math.max(1, this.#rowAt(top + this.frame.clientHeight) - this.#rowAt(top) - 1);
  }
}
