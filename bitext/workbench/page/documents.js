// The documents of a project: progress, import and export.

import { MOST } from "./comparison.js";
import { element, many, number, pushButton, visible } from "./elements.js";
import { exportDialog } from "./panels.js";
import { BASE, ask } from "./stores.js";
import { texts } from "./texts.js";

const base64 = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // In parts: a call has no more than some ten thousands of arguments.
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
};

// What somebody has made of a document: how much of its beads or segments is confirmed, and its export.
const row = ({ id, name, annotator, confirmed, doubtful, locked_by: owner }, count, exported) => {
  const share = count ? confirmed / count : 0;
  return element("tr", {},
    element("th", { scope: "row" }, element("a", { href: `#/alignments/${id}` }, element("bdi", {}, visible(name)))),
    element("td", {}, element("bdi", {}, visible(annotator ?? ""))),
    element("td", { class: "n" }, number.format(count)),
    element("td", { class: "n" }, number.format(confirmed), " ", element("progress", { max: 1, value: share, "aria-label": `confirmed of ${visible(name)}` })),
    element("td", { class: "n" }, number.format(doubtful)),
    element("td", {}, owner ? element("bdi", {}, visible(owner)) : ""),
    element("td", {}, pushButton("Export…", exported, { "aria-label": `Export ${visible(name)}` })));
};

const table = (document, rows, ...lines) => element("table", { class: "plain" },
  element("thead", {}, element("tr", {}, ...[document, "Annotator", rows, "Confirmed", "Doubtful", "Edited by", ""].map((head, k) =>
    element(head ? "th" : "td", { scope: head ? "col" : null, class: k > 1 && k < 5 ? "n" : null }, head)))),
  element("tbody", {}, ...lines));

// Choose which annotators of a document to compare: at first all but oneself, if they are two or
// more. What is decided goes into one's own alignment,
// which is begun if there is none.
const comparer = (alignments, annotator, said) => {
  const by = new Map();
  for (const each of alignments) by.set(each.document, [...(by.get(each.document) ?? []), each]);
  return [...by.values()].filter((members) => members.length > 1).map((members) => {
    const others = members.filter((each) => each.annotator !== annotator);
    const at = new Set((others.length > 1 ? others : members).slice(0, MOST));
    const boxes = members.map((each) => element("input", { type: "checkbox", value: each.id, checked: at.has(each) }));
    const labels = members.flatMap(({ annotator: who }, k) => [element("label", {}, boxes[k], " ", element("bdi", {}, visible(who))), " "]);
    const open = async (kind) => {
      try {
        const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
        if (chosen.length < 2 || chosen.length > MOST) throw new Error(`Choose 2 to ${MOST} annotators`);
        const { id } = await ask("POST", `/api/alignments/${members[0].document}/copy`, { annotator });
        location.hash = `#/${kind}/${[...chosen, id].join("/")}`;
      } catch (error) {
        said.textContent = error.message;
      }
    };
    const go = pushButton("Compare", () => open("compare"), { "aria-label": `Compare ${visible(members[0].name)}` });
    const words = members.filter((each) => each.words).length < 2 ? []
      : [" ", pushButton("Compare word links", () => open("words"), { "aria-label": `Compare word links of ${visible(members[0].name)}` })];
    return element("li", {}, element("bdi", {}, visible(members[0].name)), ": ", ...labels, go, ...words);
  });
};

// Two alignments that have one text in common give one of the other two texts: those are offered.
const composer = (alignments, said) => {
  const partners = (one) => alignments.filter((other) => one.texts.filter((text) => other.texts.includes(text)).length === 1);
  const whole = alignments.filter((each) => partners(each).length);
  if (!whole.length) return [];
  const options = (members) => members.map(({ id, name, annotator }) => element("option", { value: id }, visible(`${name} (${annotator})`)));
  const first = element("select", { "aria-label": "First alignment" }, ...options(whole));
  const second = element("select", { "aria-label": "Second alignment" });
  const offer = () => second.replaceChildren(...options(partners(whole[first.selectedIndex])));
  first.addEventListener("change", offer);
  offer();
  const go = pushButton("Compose", async () => {
    try {
      const { id } = await ask("POST", `/api/alignments/${first.value}/compose`, { with: Number(second.value) });
      location.hash = `#/alignments/${id}`;
    } catch (error) {
      said.textContent = error.message;
    }
  });
  return [element("h2", {}, "Align through a third text"), element("p", {}, first, " ", second, " ", go)];
};

const figure = (value) => (value === null || value === undefined ? "–" : value.toFixed(4));

// A table in a frame of its name that scrolls; numbers stand at the right.
const sheet = (name, heads, rows) => [element("h2", {}, name), element("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": name },
  element("table", { class: "plain" },
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...rows.map(([first, ...cells]) => element("tr", {}, element("th", { scope: "row" }, element("bdi", {}, visible(first))),
      ...cells.map((cell) => element("td", { class: /^[\d.,–-]+$/u.test(cell) ? "n" : null }, visible(cell))))))))];

// Lines for the same annotators of the same document, and a function that returns the line of a figure.
const figureLines = () => {
  const lines = new Map();
  return [lines, ({ document: name, annotators }) => {
    const key = JSON.stringify([name, annotators]);
    if (!lines.has(key)) lines.set(key, { name: name ?? "all", who: annotators.join(", ") });
    return lines.get(key);
  }];
};

// How far annotators agree, and how long they took.
const agreement = async () => {
  const { rows, alpha, progress, words = [] } = await ask("GET", "/api/agreement");
  const granularities = [...new Set(rows.map((each) => each.granularity))];
  const [lines, lineOf] = figureLines();
  for (const each of rows) Object.assign(lineOf(each), { [each.granularity]: each.f1, sentences: each.sentences });
  for (const each of alpha) lineOf(each).alpha = each.alpha;
  const heads = ["Document", "Annotators", ...granularities.map((name) => `F ${name}`), "Krippendorff's alpha", "Sentences"];
  return [
    ...(lines.size ? sheet("Agreement", heads, [...lines.values()].map((line) =>
      [line.name, line.who, ...granularities.map((name) => figure(line[name])), figure(line.alpha), number.format(line.sentences ?? 0)])) : []),
    ...(words.length ? sheet("Agreement of word links", ["Document", "Annotators", "F sure", "F all", "AER, gold the first", "AER, gold the second", "Beads"],
      words.map(({ document: name, annotators, f1_sure: sure, f1, aer, beads }) =>
        [name ?? "all", annotators.join(", "), figure(sure), figure(f1), ...aer.map(figure), number.format(beads)])) : []),
    ...(progress.length ? sheet("Progress", ["Document", "Annotator", "Beads with confirmed word links", "Changes", "Minutes", "Seconds a bead"],
      progress.map(({ document: name, annotator, linked, changes, seconds, seconds_per_bead: each }) =>
        [name, annotator, number.format(linked ?? 0), number.format(changes), (seconds / 60).toFixed(1), each === null ? "–" : each.toFixed(1)])) : []),
  ];
};

// A document that the annotator has not begun.
const newRow = ({ id, name }, said) => {
  const begin = pushButton("Begin", async () => {
    try {
      location.hash = `#/alignments/${(await ask("POST", `/api/alignments/${id}/copy`, {})).id}`;
    } catch (error) {
      said.textContent = error.message;
    }
  }, { "aria-label": `Begin ${visible(name)}` });
  const empty = Array.from({ length: 5 }, () => element("td"));
  return element("tr", {}, element("th", { scope: "row" }, element("bdi", {}, visible(name))), ...empty, element("td", {}, begin));
};

const ROLES = { alignment: "alignment", src: "source text", tgt: "target text", document: "what it points into" };

// Files to import, each with what it is: an alignment may point into texts that are files of their own.
const importer = (formats, said, done) => {
  const files = element("input", { type: "file", multiple: true, "aria-label": "Files to import" });
  const roles = element("ul", { class: "files" });
  const format = element("select", { "aria-label": "Format of the alignment" }, element("option", { value: "" }, "format: by content"),
    ...formats.map((name) => element("option", { value: name }, name)));
  files.addEventListener("change", () => roles.replaceChildren(...[...files.files].map((file) =>
    element("li", {}, element("label", {}, element("bdi", {}, visible(file.name)), " ",
      element("select", {}, ...Object.entries(ROLES).map(([value, text]) => element("option", { value }, text))))))));
  const bring = pushButton("Import", async () => {
    if (!files.files.length) {
      said.textContent = "Choose files first: an alignment, and the texts that it points into";
      return;
    }
    said.textContent = "";
    bring.disabled = true;
    try {
      const chosen = [...roles.querySelectorAll("select")].map((select) => select.value);
      const content = await Promise.all([...files.files].map(async (file, k) => ({ name: file.name, content: await base64(file), role: chosen[k] })));
      const { notes } = await ask("POST", "/api/import", { files: content, format: format.value || null, name: "" });
      await done(notes ?? []);
    } catch (error) {
      said.textContent = error.message;
      bring.disabled = false;
    }
  });
  return [element("p", {}, files, " ", format, " ", bring), roles];
};

// Show the list of documents in an element, and what is to be said of an import.
export const documents = async (frame, notes = []) => {
  const [project, formats] = await Promise.all([ask("GET", "/api/project"), ask("GET", "/api/formats")]);
  const said = element("p", { class: "problem", role: "alert" });
  said.textContent = notes.map(visible).join("; ");
  const pairs = comparer(project.alignments, project.annotator, said);
  // In a large project agreement takes seconds: the list does not wait for it.
  const agreed = pairs.length ? element("div", { class: "agreed" }, element("h2", {}, "Agreement"), element("p", { class: "quiet" }, "is being computed")) : null;
  const begun = new Set(project.alignments.filter((each) => each.annotator === project.annotator).map((each) => each.document));
  const ofTexts = await texts(project, formats, said, (found) => documents(frame, found), { base64, comparer, figure, figureLines, newRow, row, sheet, table });
  const whole = (project.documents ?? []).filter((each) => each.kind !== "segmentation");
  const some = project.alignments.length + whole.length > 0 || !(project.segmentations ?? []).length;
  const list = table("Document", "Beads", ...project.alignments.map((each) => row(each, each.beads, () => exportDialog(each, formats.write))),
    ...whole.filter((each) => !begun.has(each.id)).map((each) => newRow(each, said)));
  frame.replaceChildren(
    element("header", {}, element("h1", {}, element("bdi", {}, visible(project.name || "Workbench"))),
      BASE ? element("p", {}, element("a", { href: "/" }, "All projects")) : null,
      element("p", { class: "quiet" }, `${[[project.alignments, "alignment"], [project.segmentations ?? [], "segmentation"]].filter(([rows], k) => rows.length || (!k && some)).map(([rows, noun]) => many(rows.length, noun)).join(", ")}; you are `, element("bdi", {}, visible(project.annotator ?? "")))),
    element("main", { class: "documents" },
      ...(some ? [element("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": "Documents" }, list)] : []),
      ...(pairs.length ? [element("h2", {}, "Compare"), element("ul", { class: "pairs" }, ...pairs)] : []), agreed,
      ...composer(project.alignments, said), ...ofTexts,
      element("h2", {}, "Import alignments"), ...importer(formats.read, said, (found) => documents(frame, found)), said));
  if (agreed) agreement().then((parts) => agreed.replaceChildren(...parts), (error) => agreed.replaceChildren(element("p", { class: "problem" }, error.message)));
};
