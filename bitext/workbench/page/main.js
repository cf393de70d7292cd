// Where the page begins: one document in the page itself, or the documents of a server.

import { Coders } from "./coders.js";
import { Comparison, MOST } from "./comparison.js";
import { documents } from "./documents.js";
import { keyOf } from "./editing.js";
import { Editor } from "./editor.js";
import { element } from "./elements.js";
import { Segmenter } from "./segmenter.js";
import { HttpStore, PageStore, ask } from "./stores.js";
import { WordComparison } from "./wordcomparison.js";

const frame = element("div", { id: "app" });
document.body.append(frame);
document.documentElement.classList.add("js");

const failed = (error) => frame.replaceChildren(element("main", {},
  element("h1", {}, "Workbench"), element("p", { class: "problem", role: "alert" }, error.message),
  element("p", {}, element("a", { href: "#/" }, "All documents"))));

let editor = null;
let shown = location.hash;

// The editor of what a store holds.
const editorOf = (store, options) => new ("segments" in store.alignment.rows ? Segmenter : Editor)(store, frame, options);

// Alignments side by side; what is decided goes into another one of the same document.
const compare = async (kind, ids, into) => {
  const states = await Promise.all(ids.map((id) => ask("GET", `/api/alignments/${id}`)));
  const Compared = "segments" in states[0] ? Coders : kind === "words" ? WordComparison : Comparison;
  return new Compared(await HttpStore.open(into), frame, states, keyOf);
};

// What is shown stands behind the # of the address: `#/alignments/3` is a document, `#/compare/3/4/5`
// are the differences of 3 and 4, decided in 5; of more than two, decided in the last, likewise.
// `#/words/3/4/5` are those of their word links.
const route = async () => {
  if (editor && location.hash === shown) return; // somebody stays
  const wanted = location.hash;
  await editor?.store.flush().catch(() => undefined); // refused where the server does not answer
  if (location.hash !== wanted) return; // somebody has gone on to another document
  const { silent, pending = [], status } = editor?.store ?? {};
  if (silent && pending.length && !window.confirm(`${status.text}. Leave the document, and lose them?`)) {
    location.hash = shown;
    return;
  }
  shown = location.hash;
  editor?.close();
  editor = null;
  const [, kind, numbers = ""] = /^#\/(alignments|compare|words)((?:\/\d+)+)$/u.exec(location.hash) ?? [];
  const ids = numbers.split("/").slice(1);
  try {
    if ((kind === "compare" || kind === "words") && ids.length > 2 && ids.length <= MOST + 1) editor = await compare(kind, ids.slice(0, -1), ids.at(-1));
    else if (kind !== "alignments" || ids.length > 1) await documents(frame);
    else editor = editorOf(await HttpStore.open(ids[0]), { leave: true });
    window.editor = editor;
  } catch (error) {
    failed(error);
  }
};

if (document.getElementById("state")) {
  PageStore.open().then((store) => {
    editor = editorOf(store);
    window.editor = editor; // for the console, and for tests
  }, failed);
} else {
  window.addEventListener("hashchange", route);
  window.addEventListener("pagehide", () => editor?.close());
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // its editor was closed
  route();
}
