// Where the page begins: one document in the page itself, or the documents of a server.

import { documents } from "./documents.js";
import { Editor } from "./editor.js";
import { element } from "./elements.js";
import { HttpStore, PageStore } from "./stores.js";

const frame = element("div", { id: "app" });
document.body.append(frame);
document.documentElement.classList.add("js");

const failed = (error) => frame.replaceChildren(element("main", {},
  element("h1", {}, "Workbench"), element("p", { class: "problem", role: "alert" }, error.message),
  element("p", {}, element("a", { href: "#/" }, "All documents"))));

let editor = null;

// What is shown stands behind the # of the address: `#/alignments/3` is a document.
const route = async () => {
  editor?.close();
  editor = null;
  const [, id] = /^#\/alignments\/(\d+)$/u.exec(location.hash) ?? [];
  try {
    if (id === undefined) await documents(frame);
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
