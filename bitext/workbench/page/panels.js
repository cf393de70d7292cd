// The dialogs of the editor: keys, text of a sentence, comment, replacement, going to a bead, history.

import { ChangeRefused } from "./changes.js";
import { element, languageTag, many, number, openDialog, pushButton, visible } from "./elements.js";
import * as operations from "./operations.js";
import { partsOf, patternOf, previewOf } from "./search.js";
import { BASE, ask } from "./stores.js";

const USUAL = "tmx"; // the format of an export at first
const SHOWN = 500; // replacements in a preview, set by hand

// Make a change from a dialog: it closes, or says what is wrong.
export const attempt = (editor, dialog, problem, change, options) => {
  try {
    editor.make(change(), options);
    dialog.close();
    editor.grid.focus({ preventScroll: true });
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    problem.textContent = error.message;
  }
};

export const problemLine = () => element("p", { class: "problem", role: "alert" });

export const closeButton = (text = "Cancel") => pushButton(text, (event) => event.target.closest("dialog").close());

const KEYS = { " ": "Space", ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", "Shift+ArrowDown": "Shift ↓", "Shift+ArrowUp": "Shift ↑", "Shift+ArrowLeft": "Shift ←", "Shift+ArrowRight": "Shift →", "+": "+" };

export const helpDialog = (editor, commands) => {
  const letters = element("input", { type: "checkbox", checked: editor.letters });
  letters.addEventListener("change", () => { editor.letters = letters.checked; });
  const keys = (command) => command.keys.flatMap((key, k) => [...(k ? [" "] : []), element("kbd", {}, KEYS[key] ?? key.replaceAll("+", " "))]);
  const groups = new Map();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  const section = ([group, members]) => element("section", {}, element("h3", {}, group),
    element("dl", {}, ...members.filter((command) => command.keys.length).flatMap((command) =>
      [element("dt", {}, ...keys(command)), element("dd", {}, command.help)])));
  const dialog = openDialog("Keys", "help",
    element("div", { class: "keys", tabindex: "0", role: "region", "aria-label": "List of keys" },
      element("div", { class: "columns" }, ...[...groups].map(section))),
    element("p", {}, editor.mouse ?? "With the mouse: click to choose a bead or a sentence, double click to edit the sentence, Ctrl and click to mark it, drag it to move it into another bead; click the state of a bead to confirm it."),
    element("p", {}, element("label", {}, letters, " Keys of one letter work")),
    closeButton("Close"));
  dialog.addEventListener("keydown", (event) => event.key === "?" && dialog.close());
};

// Refuse to write over what somebody else has made of a sentence since it was shown.
const refuseChanged = (state, side, id, text) => {
  if (state.sentence(side, id)?.text !== text) throw new ChangeRefused(`Somebody has changed sentence ${id} since: close this, and look at it again`);
};

// Correct a sentence (Enter), or split it at the cursor (Ctrl and Enter).
export const sentenceDialog = (editor, side, id) => {
  const { state } = editor;
  const { text } = state.sentence(side, id);
  const { language } = state.texts[side];
  const field = element("textarea", { rows: "6", lang: languageTag(language), dir: editor.directions[side], "aria-label": `Text of sentence ${visible(id)}`, spellcheck: "true" });
  field.value = text;
  const problem = problemLine();
  const sentence = editor.bead?.[side].indexOf(id);
  const chosen = sentence >= 0 ? { sentence } : {};
  const make = (operation, to) => attempt(editor, dialog, problem, () => {
    refuseChanged(editor.state, side, id, text);
    return operation(editor.state, side, id, to);
  }, chosen);
  const save = () => make(operations.correct, field.value);
  const split = () => {
    if (field.value !== text) problem.textContent = "Save the correction first, then split the sentence";
    else make(operations.splitSentence, field.selectionStart);
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) split();
    else save();
  });
  const dialog = openDialog(`Sentence ${visible(id)}`, "sentence-text", field, problem,
    element("div", { class: "actions" }, pushButton("Save (Enter)", save), pushButton("Split at the cursor (Ctrl Enter)", split), closeButton()));
  field.focus();
  field.setSelectionRange(0, 0);
};

// Comment on a bead or a segment: `change` returns the change that sets a text as its comment.
export const commentDialog = (editor, title, comment, change) => {
  const field = element("textarea", { rows: "4", dir: "auto", "aria-label": "Comment" });
  field.value = comment;
  const problem = problemLine();
  const save = () => attempt(editor, dialog, problem, () => change(field.value.trim()));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    save();
  });
  const dialog = openDialog(title, "comment-text", field, problem,
    element("div", { class: "actions" }, pushButton("Save (Enter)", save), closeButton()));
  field.focus();
};

// Go to one of `count` beads or units by what is typed, of which `place` returns the place.
export const goToDialog = (editor, noun, hint, count, place) => {
  const field = element("input", { type: "text", "aria-label": "Number or id", autocomplete: "off" });
  const problem = problemLine();
  const go = () => {
    const at = place(field.value.trim());
    if (!(at >= 0 && at < count)) {
      problem.textContent = `There is none of this name: want a number from 1 to ${number.format(count)}, or an id`;
      return;
    }
    dialog.close();
    editor.goTo(at);
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    go();
  });
  const dialog = openDialog(`Go to a ${noun}`, "go-to", element("p", {}, hint), field, problem,
    element("div", { class: "actions" }, pushButton("Go (Enter)", go), closeButton()));
  field.focus();
};

// Replace with a preview: what is ticked is replaced, in one change.
export const replaceDialog = (editor) => {
  const query = editor.query;
  const option = (value, text) => element("option", { value, selected: query.where === value }, text);
  const text = element("input", { type: "text", value: query.text, "aria-label": "Text to replace" });
  const by = element("input", { type: "text", "aria-label": "Replacement" });
  const where = element("select", { "aria-label": "Side" }, option("both", "both sides"), option("source", "source"), option("target", "target"));
  const regular = element("input", { type: "checkbox", checked: query.regular });
  const exact = element("input", { type: "checkbox", checked: query.exact });
  const problem = problemLine();
  const count = element("p", { class: "quiet", role: "status" });
  const list = element("ol", { class: "preview" });
  const frame = element("div", { class: "preview-frame", tabindex: "0", role: "region", "aria-label": "Preview" }, list);
  let found = [];
  const asked = () => ({ text: text.value, where: where.value, regular: regular.checked, exact: exact.checked, field: "text" });
  const preview = () => {
    problem.textContent = "";
    let pattern = null;
    try {
      found = previewOf(editor.state, asked(), by.value);
      pattern = patternOf(asked());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      found = [];
      problem.textContent = `No regular expression: ${error.message}`;
    }
    list.replaceChildren(...found.slice(0, SHOWN).map(({ side, id, before, after }, k) => {
      const { language } = editor.state.texts[side];
      const attributes = { lang: languageTag(language), dir: editor.directions[side] };
      const old = element("del", attributes, ...partsOf(pattern, before).map((part, n) => (n % 2 ? element("mark", {}, visible(part)) : visible(part))));
      const now = element("ins", attributes, visible(after));
      return element("li", {}, element("label", {}, element("input", { type: "checkbox", checked: true, "data-k": k }), ` ${side} ${visible(id)}`), old, now);
    }));
    count.textContent = !text.value ? "" : found.length > SHOWN
      ? `${many(found.length, "sentence")}; the first ${SHOWN} are shown, all are replaced but those that you leave out`
      : many(found.length, "sentence");
  };
  const replace = () => {
    const left = new Set([...list.querySelectorAll("input:not(:checked)")].map((box) => Number(box.dataset.k)));
    const wanted = found.filter((_, k) => !left.has(k));
    attempt(editor, dialog, problem, () => {
      for (const { side, id, before } of wanted) refuseChanged(editor.state, side, id, before);
      return operations.replaceTexts(editor.state, wanted.map(({ side, id, after }) => [side, id, after]));
    });
  };
  for (const field of [text, by, where, regular, exact]) field.addEventListener("input", preview);
  const dialog = openDialog("Replace", "replace-texts",
    element("div", { class: "fields" },
      element("label", {}, "Replace ", text), element("label", {}, "by ", by), where,
      element("label", {}, regular, " regular expression ($1 is a group)"), element("label", {}, exact, " capitals as typed")),
    count, frame, problem,
    element("div", { class: "actions" }, pushButton("Replace", replace), closeButton()));
  preview();
  text.focus();
};

// Who changed what when; the last changes first.
export const historyDialog = async (editor) => {
  const list = element("ol", { class: "history" });
  const problem = problemLine();
  let before = null;
  const more = pushButton("Earlier changes", () => read());
  const read = async () => {
    try {
      const { changes } = await ask("GET", `${editor.store.address}/history?limit=100${before === null ? "" : `&before=${before}`}`);
      for (const { version, time, annotator, name, kind, undone } of changes) {
        before = version;
        const what = kind === "change" ? name : `${kind}: ${name}`;
        list.append(element("li", {}, element("time", { datetime: time }, new Date(time).toLocaleString()), " ",
          element("bdi", {}, visible(annotator ?? "")), ": ", visible(what), undone ? " (undone)" : ""));
      }
      more.hidden = changes.length < 100;
      if (!list.children.length) problem.textContent = "There is no change yet";
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  openDialog("Changes", "changes", element("div", { class: "preview-frame", tabindex: "0", role: "region", "aria-label": "List of changes" }, list),
    problem, element("div", { class: "actions" }, more, closeButton("Close")));
  await read();
};

// Export a document in a format; of a segmentation the boundaries of one of its `types`, or all.
export const exportDialog = ({ id, name }, formats, types = null) => {
  const choice = (label, rows) => element("select", { "aria-label": label }, ...rows.map(([value, text]) => element("option", { value }, text)));
  const format = choice("Format", formats.map((each) => [each, each]));
  if (!types && formats.includes(USUAL)) format.value = USUAL;
  const type = types && choice("Boundaries", [["", "all boundaries"], ...types.map((each) => [each, `of the type ${visible(each)}`])]);
  const go = element("a", { class: "button", download: true }, "Download");
  const point = () => {
    const query = new URLSearchParams({ format: format.value, ...(type?.value ? { type: type.value } : {}) });
    go.href = `${BASE}/api/alignments/${id}/export?${query}`;
  };
  for (const field of [format, type]) field?.addEventListener("change", point);
  point();
  openDialog(`Export ${visible(name)}`, "export", element("p", {}, format, " ", type), types && element("p", { class: "quiet" }, "segeval has all annotators"),
    element("div", { class: "actions" }, go, closeButton("Close")));
};
