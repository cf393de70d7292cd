"use strict";
// What the page holds, and what of it is chosen.
const data = JSON.parse(document.getElementById("data").textContent);
const { sizes, shapes, kinds, kindNames, references, systems } = data;
const find = (selector) => document.querySelector(selector);
const view = find(".view");
const said = find(".said");
const detail = find(".detail");
const list = find(".errors");
document.documentElement.classList.add("js");

const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes, parent, text) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
};
const html = (name, className, text, parent) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
};
// The first of ascending numbers that is not below a value.
const search = (numbers, value) => {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
};
const cut = (name) => ([...name].length > 28 ? `${[...name].slice(0, 27).join("")}…` : name);
const room = (text, size) => text.length * size * 0.56;

// What is chosen: text, reference, hypothesis; the error and the segment that the cursor is at.
const state = { text: 0, reference: 0, hyp: 0, scale: 20, error: -1, strip: "hyp", segment: -1 };
const off = new Set();
let text = null;
let pair = null;
let lanes = [];

const bounds = (masses) => {
  const found = [0];
  for (const mass of masses) found.push(found[found.length - 1] + mass);
  return found;
};
const prepare = (raw) => {
  if (raw.ready) return raw;
  raw.refBounds = raw.references.map(bounds);
  raw.hypBounds = raw.hyps.map(bounds);
  raw.n = raw.refBounds[0][raw.refBounds[0].length - 1];
  for (const one of raw.pairs.flat()) {
    one.count = one.edges.length / 5;
    // Segments of edges, and boundaries, come as steps from the ones before.
    for (let k = 5; k < one.edges.length; k += 1) if (k % 5 < 2) one.edges[k] += one.edges[k - 5];
    for (let k = 1; k < one.right.length; k += 1) one.right[k] += one.right[k - 1];
    one.inHyp = new Map();
    for (let k = 0; k < one.count; k += 1) {
      const hyp = one.edges[5 * k + 1];
      one.inHyp.set(hyp, (one.inHyp.get(hyp) || 0) + 1);
    }
    one.errors = one.errors.map(([kind, gold, hyp, type], number) => ({ kind, gold, hyp, type, number }));
    for (const error of one.errors) error.place = error.gold ?? error.hyp;
  }
  raw.ready = true;
  return raw;
};
const nameOf = (error) => {
  const by = kinds[error.kind] === "shifted" ? ` by ${error.hyp > error.gold ? "+" : ""}${error.hyp - error.gold}` : "";
  return kindNames[error.kind] + by + (error.type ? ` (type ${error.type})` : "");
};
const counted = (one) => {
  const told = kinds.map((_, k) => [one.errors.filter((error) => error.kind === k).length, k])
    .filter(([count]) => count).map(([count, k]) => `${count.toLocaleString("en")} ${kindNames[k]}`);
  return [...told, `${one.right.length.toLocaleString("en")} right`].join(", ");
};
const shownErrors = () => pair.errors.filter((error) => !off.has(error.kind));

// The lanes from above, as in the drawing without scripts.
const layLanes = () => {
  const found = [];
  let y = sizes.axis;
  const lane = (kind, high, more) => {
    found.push({ kind, y, high, ...more });
    y += high;
  };
  if (text.votes) {
    lane("head", sizes.head, { name: `votes of ${references.length} references`, more: "windows of WiSeBE" });
    lane("votes", sizes.votes);
  }
  references.forEach((name, k) => {
    if (k === state.reference) return;
    lane("head", sizes.head, { name });
    lane("strip", sizes.thin, { bounds: text.refBounds[k], id: `ref${k}`, name });
  });
  const reference = references[state.reference];
  lane("head", sizes.head, { name: reference, more: references.length > 1 ? "reference" : "" });
  lane("strip", sizes.strip, { bounds: text.refBounds[state.reference], id: "gold", name: reference, full: true, pair, gold: true });
  lane("edges", sizes.edges);
  const hyp = systems[state.hyp];
  lane("strip", sizes.strip, { bounds: text.hypBounds[state.hyp], id: "hyp", name: hyp, full: true, pair });
  lane("head", sizes.head + sizes.gap, { name: hyp, more: counted(pair) });
  lane("errors", sizes.errors);
  systems.forEach((name, k) => {
    if (k === state.hyp) return;
    const other = text.pairs[state.reference][k];
    lane("head", sizes.head, { name, more: counted(other) });
    lane("strip", sizes.thin, { bounds: text.hypBounds[k], id: `hyp${k}`, name, pair: other });
  });
  lanes = found;
  return y + sizes.gap;
};
let height = 0;
