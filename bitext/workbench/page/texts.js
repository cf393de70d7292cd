// The texts to segment of a project, beneath its alignments in the list of documents.

import { element, number, pushButton, visible } from "./elements.js";
import { exportDialog } from "./panels.js";
import { ask } from "./stores.js";

const UNITS = ["lines", "sentences", "words"];

// Export boundaries, of one type or of all.
const exportSegments = async (segmentation, formats) => {
  const { types, segments } = await ask("GET", `/api/alignments/${segmentation.id}`);
  exportDialog(segmentation, formats, [...new Set([...types, ...segments.flatMap((row) => row.types)])]);
};

// The agreement of coders: a line for the same coders of the same text.
const agreement = async ({ figure, figureLines, sheet }) => {
  const { pairs, coefficients, progress } = (await ask("GET", "/api/agreement")).segmentations;
  const [lines, lineOf] = figureLines();
  for (const each of pairs) Object.assign(lineOf(each), { [each.metric]: each.value, units: each.units });
  for (const each of coefficients) if (each.type === null) Object.assign(lineOf(each), { [each.coefficient]: each.value, places: each.places });
  const columns = [...new Set([...pairs.map((each) => each.metric), ...coefficients.map((each) => each.coefficient)])];
  const titles = { "boundary-similarity": "B", "segmentation-similarity": "S", "alignment-similarity": "A", "boundary.f1": "F", "krippendorff-alpha": "Krippendorff's alpha", "fleiss-kappa": "Fleiss' kappa" };
  const of = coefficients.filter((each) => each.type !== null && each.coefficient === "krippendorff-alpha");
  return [
    ...(lines.size ? sheet("Agreement of segmentations", ["Text", "Annotators", ...columns.map((name) => titles[name] ?? name), "Units", "Places"],
      [...lines.values()].map((line) => [line.name, line.who, ...columns.map((name) => figure(line[name])), line.units === undefined ? "–" : number.format(line.units), number.format(line.places ?? 0)])) : []),
    ...(of.length ? sheet("Krippendorff's alpha by type", ["Text", "Annotators", "Type", "Alpha"],
      of.map(({ document: name, annotators, type, value }) => [name ?? "all", annotators.join(", "), type, figure(value)])) : []),
    ...(progress.length ? sheet("Progress of segmentations", ["Text", "Annotator", "Places decided in open segments", "Changes", "Minutes", "Seconds a segment"],
      progress.map(({ document: name, annotator, decided, changes, seconds, seconds_per_segment: each }) =>
        [name, annotator, number.format(decided ?? 0), number.format(changes), (seconds / 60).toFixed(1), each === null ? "–" : each.toFixed(1)])) : []),
  ];
};

// Texts to import, and segmentations by coders over the same units.
const importer = (formats, said, done, base64) => {
  const texts = element("input", { type: "file", multiple: true, "aria-label": "Texts to segment" });
  const codings = element("input", { type: "file", multiple: true, "aria-label": "Segmentations by coders" });
  const units = element("select", { "aria-label": "Units" }, ...UNITS.map((name) => element("option", { value: name }, name)));
  const types = element("input", { type: "text", "aria-label": "Types of boundaries", placeholder: "types: paragraph,topic" });
  const format = element("select", { "aria-label": "Notation of the texts" }, element("option", { value: "" }, "notation: by content"),
    ...formats.map((name) => element("option", { value: name }, name)));
  const bring = pushButton("Import text", async () => {
    said.textContent = "";
    bring.disabled = true;
    try {
      if (!texts.files.length && !codings.files.length) throw new Error("Choose a text, or segmentations of a text that is here");
      const files = [[texts, "alignment"], [codings, "document"]].flatMap(([field, role]) => [...field.files].map((file) => ({ file, role })));
      const content = await Promise.all(files.map(async ({ file, role }) => ({ name: file.name, role, content: await base64(file) })));
      const { notes } = await ask("POST", "/api/import", { kind: "segmentation", files: content, format: format.value || null, units: units.value, types: types.value.trim() });
      await done(notes ?? []);
    } catch (error) {
      said.textContent = error.message;
      bring.disabled = false;
    }
  });
  return [element("p", {}, element("label", {}, "Text ", texts), " in ", units, " ", types, " ", format),
    element("p", {}, element("label", {}, "By coders, of this text or of one that is here ", codings), " ", bring)];
};

// Return what the list of documents shows of segmentations. `tools` are parts of that list.
export const texts = async (project, formats, said, done, tools) => {
  const { segmentations = [], documents = [], annotator } = project;
  const begun = new Set(segmentations.filter((each) => each.annotator === annotator).map((each) => each.document));
  const fresh = documents.filter((each) => each.kind === "segmentation" && !begun.has(each.id));
  const pairs = tools.comparer(segmentations, annotator, said);
  const exported = (each) => () => exportSegments(each, formats.segments).catch((error) => { said.textContent = error.message; });
  const list = tools.table("Text", "Segments", ...segmentations.map((each) => tools.row(each, each.segments, exported(each))),
    ...fresh.map((each) => tools.newRow(each, said)));
  const some = segmentations.length + fresh.length > 0;
  return [
    ...(some ? [element("h2", {}, "Segmentations"), element("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": "Segmentations" }, list)] : []),
    ...(pairs.length ? [element("h2", {}, "Compare segmentations"), element("ul", { class: "pairs" }, ...pairs), ...await agreement(tools)] : []),
    element("h2", {}, "Import a text to segment"), ...importer(formats.spellings, said, done, tools.base64),
  ];
};
