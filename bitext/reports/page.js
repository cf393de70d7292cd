"use strict";
// What the scripts of alignments and of word links share: elements, and the dialog of keys.
const SVG = "http://www.w3.org/2000/svg";

// Attributes that are null, undefined or false are left out.
const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
};

// List the keys in a dialog, and listen to them. Keys of one letter can be switched off there:
// they are in the way of those who dictate. Deeds are named by `keys`, or by `deedAt` of an event.
const listenToKeys = (help, { rows, close, keys, deeds, deedAt }) => {
  const letters = element("input", { type: "checkbox", checked: true });
  help.append(
    element("h2", { id: "help-head" }, "Keys"),
    element("dl", {}, ...rows.flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)])),
    element("p", {}, element("label", {}, letters, " Keys of one letter work")),
    close,
  );
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.matches("select, input:not([type=checkbox])") || (help.open && event.key !== "?")) return;
    const deed = event.key === "Escape" ? "clear" : deedAt?.(event) || (letters.checked ? keys[event.key] : undefined);
    if (!deed) return;
    event.preventDefault();
    deeds[deed]();
  });
};
