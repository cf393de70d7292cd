// Where the page begins: one document in the page itself, or the documents of a server.

import { Comparison } from "./comparison.js";
import { documents } from "./documents.js";
import { Editor, keyOf } from "./editor.js";
import { element } from "./elements.js";
import { HttpStore, PageStore, ask } from "./stores.js";

const frame = element("div", { id: "app" });
document.body.append(frame);
document.documentElement.classList.add("js");

const failed = (error) => frame.replaceChildren(element("main", {},
  element("h1", {}, "Workbench"), element("p", { class: "problem", role: "alert" }, error.message),
  element("p", {}, element("a", { href: "#/" }, "All documents"))));

let editor = null;

// Two alignments side by side; what is decided goes into a third of the same document.
const compare = async (left, right, into) => {
  const states = await Promise.all([left, right].map((id) => ask("GET", `/api/alignments/${id}`)));
  return new Comparison(await HttpStore.open(into), frame, ...states, keyOf);
};

// What is shown stands behind the # of the address: `#/alignments/3` is a document, `#/compare/3/4/5`
// are the differences of 3 and 4, decided in 5.
const route = async () => {
  editor?.close();
  editor = null;
  const [, kind, id, ...more] = /^#\/(alignments|compare)\/(\d+)(?:\/(\d+)\/(\d+))?$/u.exec(location.hash) ?? [];
  try {
    if (kind === "compare" && more[1]) editor = await compare(id, ...more);
    else if (kind !== "alignments") await documents(frame);
    else editor = new Editor(await HttpStore.open(id), frame, { leave: true });
    window.editor = editor;
  } catch (error) {
    failed(error);
  }
};

if (document.getElementById("state")) {
  PageStore.open().then((store) => {
    editor = new Editor(store, frame);
    window.editor = editor; // for the console, and for tests
  }, failed);
} else {
  window.addEventListener("hashchange", route);
  window.addEventListener("pagehide", () => editor?.close());
  route();
}
