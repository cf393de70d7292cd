// The documents of a project: progress, import and export.

import { element, many, number, openDialog, pushButton, visible } from "./elements.js";
import { ask } from "./stores.js";

const base64 = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // In parts: a call has no more than some ten thousands of arguments.
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
};

const exportDialog = (alignment, formats) => {
  const format = element("select", { "aria-label": "Format" }, ...formats.map((name) => element("option", { value: name }, name)));
  const go = element("a", { class: "button", download: true }, "Download");
  const point = () => { go.href = `/api/alignments/${alignment.id}/export?format=${encodeURIComponent(format.value)}`; };
  format.addEventListener("change", point);
  point();
  openDialog(`Export ${visible(alignment.name)}`, "export", element("p", {}, format), element("div", { class: "actions" }, go,
    pushButton("Close", (event) => event.target.closest("dialog").close())));
};

const row = (alignment, formats) => {
  const { id, name, annotator, beads, confirmed, doubtful, locked_by: owner } = alignment;
  const share = beads ? confirmed / beads : 0;
  return element("tr", {},
    element("th", { scope: "row" }, element("a", { href: `#/alignments/${id}` }, element("bdi", {}, visible(name)))),
    element("td", {}, element("bdi", {}, visible(annotator ?? ""))),
    element("td", { class: "n" }, number.format(beads)),
    element("td", { class: "n" }, number.format(confirmed), " ", element("progress", { max: 1, value: share, "aria-label": `confirmed of ${visible(name)}` })),
    element("td", { class: "n" }, number.format(doubtful)),
    element("td", {}, owner ? element("bdi", {}, visible(owner)) : ""),
    element("td", {}, pushButton("Export…", () => exportDialog(alignment, formats), { "aria-label": `Export ${visible(name)}` })));
};

// Show the list of documents in an element.
export const documents = async (frame) => {
  const [project, formats] = await Promise.all([ask("GET", "/api/project"), ask("GET", "/api/formats")]);
  const files = element("input", { type: "file", multiple: true, "aria-label": "Files to import" });
  const format = element("select", { "aria-label": "Format of the files" }, element("option", { value: "" }, "format by name"),
    ...formats.read.map((name) => element("option", { value: name }, name)));
  const said = element("p", { class: "problem", role: "alert" });
  const bring = pushButton("Import", async () => {
    if (!files.files.length) {
      said.textContent = "Choose files first: an alignment, or two texts";
      return;
    }
    said.textContent = "";
    bring.disabled = true;
    try {
      const content = await Promise.all([...files.files].map(async (file) => ({ name: file.name, content: await base64(file) })));
      await ask("POST", "/api/import", { files: content, format: format.value || null, name: "" });
      await documents(frame);
    } catch (error) {
      said.textContent = error.message;
      bring.disabled = false;
    }
  });
  const heads = ["Document", "Annotator", "Beads", "Confirmed", "Doubtful", "Edited by", ""];
  const table = element("table", { class: "plain" },
    element("thead", {}, element("tr", {}, ...heads.map((head, k) => element(head ? "th" : "td", { scope: head ? "col" : null, class: k > 1 && k < 5 ? "n" : null }, head)))),
    element("tbody", {}, ...project.alignments.map((alignment) => row(alignment, formats.write))));
  frame.replaceChildren(
    element("header", {}, element("h1", {}, element("bdi", {}, visible(project.name || "Workbench"))),
      element("p", { class: "quiet" }, `${many(project.alignments.length, "document")}; you are `, element("bdi", {}, visible(project.annotator ?? "")))),
    element("main", { class: "documents" },
      element("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": "Documents" }, table),
      element("h2", {}, "Import"), element("p", {}, files, " ", format, " ", bring), said));
};
