// Which beads are looked for: by kind, by probability, by words; and replacements with their preview.

import { SIDES, isEmptyBead } from "./changes.js";

// Kinds of beads to go to; the digit is the key. `found` needs a pattern, `improbable` a limit.
export const KINDS = [
  { key: "1", name: "unconfirmed", label: "unconfirmed", test: (bead) => bead.state !== "confirmed" },
  { key: "2", name: "doubtful", label: "doubtful", test: (bead) => bead.state === "doubtful" },
  { key: "3", name: "not-1-1", label: "not 1-1", test: (bead) => bead.source.length !== 1 || bead.target.length !== 1 },
  { key: "4", name: "improbable", label: "below probability", test: (bead, { limit }) => bead.state !== "confirmed" && bead.probability !== null && bead.probability < limit },
  { key: "5", name: "empty", label: "with an empty side", test: (bead) => !bead.source.length || !bead.target.length },
  { key: "6", name: "bookmarked", label: "bookmarked", test: (bead) => bead.bookmark },
  { key: "7", name: "commented", label: "with a comment", test: (bead) => bead.comment !== "" },
  { key: "9", name: "unlinked", label: "without confirmed word links", test: (bead) => bead.source.length > 0 && bead.target.length > 0 && !bead.linked },
  { key: "8", name: "found", label: "with the text searched", test: (bead, { matches }) => matches !== null && matches(bead) },
];

// Return the place of the next bead of a kind from a place on, round the end; -1 where there is none.
export const nextOf = (state, kind, from, step, options) => {
  const count = state.beads.length;
  for (let k = 1; k <= count; k++) {
    const at = (((from + step * k) % count) + count) % count;
    if (kind.test(state.beads[at], options)) return at;
  }
  return -1;
};

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");

// A regular expression of what is searched. Throws `SyntaxError` for one that is none.
export const patternOf = ({ text, regular = false, exact = false }) => {
  if (!text) return null;
  return new RegExp(regular ? text : escaped(text), exact ? "gu" : "giu");
};

const tests = (pattern, text) => {
  pattern.lastIndex = 0;
  return pattern.test(text);
};

// Return a test of beads for what is searched: texts of their sentences, ids or comments.
export const matcher = (state, { where = "both", field = "text", ...query }) => {
  const pattern = patternOf(query);
  if (!pattern) return null;
  if (field === "comment") return (bead) => tests(pattern, bead.comment);
  const sides = SIDES.filter((side) => where === "both" || where === side);
  if (field === "id") return (bead) => tests(pattern, bead.id) || sides.some((side) => bead[side].some((id) => tests(pattern, id)));
  return (bead) => sides.some((side) => bead[side].some((id) => tests(pattern, state.sentence(side, id)?.text ?? "")));
};

// Split a text in parts that match a pattern (odd ones) and those between, to mark what was found.
export const partsOf = (pattern, text) => {
  if (!pattern) return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (!match[0]) continue;
    parts.push(text.slice(end, match.index), match[0]);
    end = match.index + match[0].length;
    if (parts.length > 200) break;
  }
  return [...parts, text.slice(end)];
};

// Return what a replacement would change: `{side, id, before, after}`, in the order of the texts.
export const previewOf = (state, query, by) => {
  const pattern = patternOf(query);
  if (!pattern) return [];
  const found = [];
  for (const side of SIDES) {
    if (query.where !== "both" && query.where !== side) continue;
    for (const { id, text } of state.rows[side]) {
      // Without a regular expression `$1` is no group, but what is meant to stand there.
      const after = query.regular ? text.replace(pattern, by) : text.replace(pattern, () => by);
      if (after !== text) found.push({ side, id, before: text, after });
    }
  }
  return found;
};

// Find a bead by what a person types: its number from 1, its id, or the id of a sentence; -1 for none.
export const placeNamed = (state, typed) => {
  const wanted = typed.trim();
  const beads = state.index("beads");
  if (beads.has(wanted)) return beads.get(wanted);
  for (const side of SIDES) {
    const [owner] = state.beadsOf(side, wanted);
    if (owner !== undefined) return beads.get(owner);
  }
  const place = /^\d+$/u.test(wanted) ? Number(wanted) - 1 : -1;
  return place < state.beads.length ? place : -1;
};

// What a screen reader says of a bead.
export const spokenBead = (bead, at, count) => [
  `Bead ${at + 1} of ${count}`,
  isEmptyBead(bead) ? "empty" : `${bead.source.length} to ${bead.target.length}`,
  bead.state,
  bead.probability === null ? "" : `probability ${bead.probability.toFixed(2)}`,
  bead.bookmark ? "bookmarked" : "",
  bead.comment ? `comment: ${bead.comment.slice(0, 200)}` : "",
].filter(Boolean).join(", ");
