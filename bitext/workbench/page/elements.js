// Elements, and text that is made harmless to show.

// Attributes that are null, undefined or false are left out.
export const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

const PLAIN = /^[\x20-\x7e]*$/;
const STEERING = /(?![\u200c\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;
const STACK = /(\p{M}{4})(\p{M}+)/gu; // no word has more marks on a letter, and a tower covers its neighbours

const picture = (sign) => {
  const code = sign.codePointAt(0);
  if (code < 32) return String.fromCodePoint(0x2400 + code);
  if (code === 127) return "\u2421";
  if ((code >= 0xd800 && code < 0xe000) || code === 0xfffe || code === 0xffff) return "\ufffd";
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
};

// Characters that control a page or hide in it become visible, as in `bitext/reports/lettering.py`.
export const visible = (text) => (PLAIN.test(text) ? text
  : text.replace(STACK, (_, four, more) => `${four}[+${[...more].length} marks]`).replace(STEERING, picture));

const RIGHT_TO_LEFT = new Set("ar arc ara ckb dv div fa fas per he heb iw ks ku-arab nqo ps pus sd snd syr ug uig ur urd yi yid".split(" "));
const RTL_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LETTER = /\p{L}/gu;

// The direction of a text: that of its language, else that of most letters of its first sentences.
// Not of each sentence by itself: one that begins with a foreign name would stand the wrong way.
export const directionOf = (language, sentences) => {
  const code = (language ?? "").toLowerCase();
  if (code) return RIGHT_TO_LEFT.has(code.split(/[-_]/u)[0]) || /[-_](arab|hebr)\b/u.test(code) ? "rtl" : "ltr";
  const letters = sentences.slice(0, 50).map((row) => row.text.slice(0, 500)).join("").match(LETTER) ?? [];
  return letters.filter((letter) => RTL_LETTER.test(letter)).length * 2 > letters.length ? "rtl" : "ltr";
};

// A language as an attribute; what is no language tag is left out, as screen readers take it at its word.
export const languageTag = (language) => (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/iu.test(language ?? "") ? language : null);

export const number = new Intl.NumberFormat("en");

// "1 bead", "1,200 beads"
export const many = (count, noun) => `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`;

// What a page keeps for its next visit in the same window: where somebody was. Documents
// are told apart by their addresses. Where the browser keeps nothing, it is not missed.
export const addressNow = () => `bitext-workbench-place ${location.pathname}${location.hash}`;

export const keepPlace = (address, place) => {
  try {
    sessionStorage.setItem(address, JSON.stringify(place));
    return true;
  } catch {
    return false;
  }
};

export const keptPlace = (address) => {
  try {
    return JSON.parse(sessionStorage.getItem(address)) ?? {};
  } catch {
    return {};
  }
};

// A modal dialog with a heading; it is removed when it closes, and the focus goes back by itself.
export const openDialog = (title, kind, ...content) => {
  const heading = element("h2", { id: `${kind}-head` }, title);
  const dialog = element("dialog", { class: `dialog ${kind}`, "aria-labelledby": `${kind}-head` }, heading, ...content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
};

export const pushButton = (text, act, attributes = {}) => {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
};

// Make a toolbar of an element: it is one stop of the Tab key, and arrow keys, Home and End go from
// one of its buttons and fields to the next. Escape leaves it, by `leave`. The stop is the part that
// had the focus last.
export const makeToolbar = (toolbar, leave) => {
  const parts = () => [...toolbar.querySelectorAll("button, input")].filter((part) => !part.disabled && part.offsetParent);
  let stop = null;
  let place = 0; // of the stop: parts that are drawn anew take each other's
  const choose = (part) => {
    stop = part;
    place = Math.max(0, parts().indexOf(part));
    for (const each of toolbar.querySelectorAll("button, input")) each.tabIndex = each === part ? 0 : -1;
  };
  const settle = () => {
    if (stop?.isConnected && [...toolbar.querySelectorAll("button, input")].every((each) => each === stop || each.tabIndex < 0)) return;
    const all = parts();
    const part = all[Math.min(place, all.length - 1)] ?? toolbar.querySelector("button");
    if (part) choose(part);
  };
  const go = (part) => {
    choose(part);
    part.focus();
    part.select?.();
  };
  toolbar.setAttribute("role", "toolbar");
  toolbar.addEventListener("focusin", (event) => event.target.matches("button, input") && choose(event.target));
  toolbar.addEventListener("keydown", (event) => {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = parts();
    const at = all.indexOf(event.target);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || (next === undefined && (event.key !== "Escape" || !leave))) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) leave();
    else go(all[next % all.length]);
  });
  new MutationObserver(settle).observe(toolbar, { childList: true, subtree: true });
  settle();
  return toolbar;
};

// Hand a file to the user as a download.
export const download = (name, content, type) => {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = element("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser reads it after the click
};
