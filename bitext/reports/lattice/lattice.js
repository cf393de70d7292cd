"use strict";
(() => {
  const root = document.documentElement;
  const view = document.querySelector(".view");
  const svg = view.querySelector("svg.lattice");
  const drawing = document.getElementById("lattice-drawing");
  const said = document.querySelector(".said");
  root.classList.add("js");

  const numbers = (text) => (text ? text.split(" ").map(Number) : []);
  const parts = [...svg.querySelectorAll("[data-sentences]")].map((element) => ({
    element,
    elements: [element],
    sentences: numbers(element.dataset.sentences),
    node: element.dataset.node === undefined ? null : Number(element.dataset.node),
    arc: element.dataset.arc || null,
    plain: element.querySelector(".plain"),
    breadth: Number(element.querySelector(".plain")?.getAttribute("stroke-width")),
    lanes: [...element.querySelectorAll("[data-s]")],
  }));

  // Zoom: the drawing is as large as it says, and the frame around it scrolls.
  const width = svg.viewBox.baseVal.width;
  const height = svg.viewBox.baseVal.height;
  let scale = 1;
  const zoom = (wanted, x = view.clientWidth / 2, y = view.clientHeight / 2) => {
    const before = scale;
    scale = Math.min(4, Math.max(Math.min(0.1, view.clientWidth / width), wanted));
    svg.setAttribute("width", width * scale);
    svg.setAttribute("height", height * scale);
    view.scrollLeft = ((view.scrollLeft + x) * scale) / before - x;
    view.scrollTop = ((view.scrollTop + y) * scale) / before - y;
    follow();
    keepClear();
  };

  // Above it stands all of the drawing, with a window where the frame is.
  const make = (name, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return parent.appendChild(element);
  };
  const overview = make("svg", { class: "overview lattice", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, document.body);
  view.before(overview);
  const small = overview.appendChild(drawing.cloneNode(true));
  small.removeAttribute("id");
  for (const spare of small.querySelectorAll(".words, title")) spare.remove();
  const twins = small.querySelectorAll("[data-sentences]");
  parts.filter((part) => !part.element.classList.contains("word")).forEach((part, k) => {
    part.elements.push(twins[k]);
    part.lanes.push(...twins[k].querySelectorAll("[data-s]"));
  });
  const shown = make("rect", { class: "window" }, overview);
  const follow = () => {
    const box = { x: view.scrollLeft, y: view.scrollTop, width: view.clientWidth, height: view.clientHeight };
    for (const [key, value] of Object.entries(box)) shown.setAttribute(key, value / scale);
    overview.classList.toggle("spare", width * scale <= view.clientWidth * 1.05);
  };
  view.addEventListener("scroll", follow);
  // Where the frame stays at the top, nothing is scrolled to a place behind it.
  const keepClear = () => {
    const stays = getComputedStyle(view).position === "sticky";
    root.style.scrollPaddingTop = stays ? `${view.offsetHeight + 8}px` : "";
  };
  window.addEventListener("resize", () => {
    follow();
    keepClear();
  });
  const jump = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(overview.getScreenCTM().inverse());
    view.scrollLeft = point.x * scale - view.clientWidth / 2;
    view.scrollTop = point.y * scale - view.clientHeight / 2;
  };
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    jump(event);
  });
  overview.addEventListener("pointermove", (event) => event.buttons && jump(event));
  const fit = () => zoom((view.clientWidth - 2) / width);
  const deeds = {
    "zoom-in": () => zoom(scale * 1.25),
    "zoom-out": () => zoom(scale / 1.25),
    "zoom-fit": fit,
    "zoom-one": () => zoom(1),
    all: () => switchAll(true),
    none: () => switchAll(false),
  };
  for (const button of document.querySelectorAll("button[data-do]")) {
    button.addEventListener("click", () => deeds[button.dataset.do]());
  }
  const keys = { "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", "_": "zoom-out", "0": "zoom-one", f: "zoom-fit" };
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    deeds[keys[event.key]]();
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pinned) pin(pinned);
  });
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = view.getBoundingClientRect();
    zoom(scale * Math.exp(-event.deltaY / 400), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });
  let held = null;
  view.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    held = { x: event.clientX, y: event.clientY, left: view.scrollLeft, top: view.scrollTop };
    view.setPointerCapture(event.pointerId);
    view.classList.add("held");
  });
  view.addEventListener("pointermove", (event) => {
    if (!held) return;
    view.scrollLeft = held.left - (event.clientX - held.x);
    view.scrollTop = held.top - (event.clientY - held.y);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    view.addEventListener(kind, () => {
      held = null;
      view.classList.remove("held");
    });
  }

  // Sentences switched on and off.
  const off = new Set();
  const rows = [...document.querySelectorAll("[data-sentence]")];
  const boxes = [...document.querySelectorAll("input[data-switch]")];
  const refresh = () => {
    for (const part of parts) {
      const left = part.sentences.filter((sentence) => !off.has(sentence)).length;
      for (const element of part.elements) element.classList.toggle("gone", !left);
      if (part.plain && left) {
        part.plain.setAttribute("stroke-width", Math.max(1, (part.breadth * left) / part.sentences.length));
      }
      for (const lane of part.lanes) lane.classList.toggle("gone", off.has(Number(lane.dataset.s)));
    }
    for (const row of rows) row.classList.toggle("off", off.has(Number(row.dataset.sentence)));
    for (const box of boxes) {
      const mine = numbers(box.dataset.switch);
      const gone = mine.filter((sentence) => off.has(sentence)).length;
      box.checked = gone < mine.length;
      box.indeterminate = gone > 0 && gone < mine.length;
    }
  };
  const turn = (sentence, on) => (on ? off.delete(sentence) : off.add(sentence));
  const switchAll = (on) => {
    for (const box of boxes) for (const sentence of numbers(box.dataset.switch)) turn(sentence, on);
    refresh();
    said.textContent = on ? "All sentences are shown" : "No sentence is shown";
  };
  for (const box of boxes) {
    box.addEventListener("change", () => {
      for (const sentence of numbers(box.dataset.switch)) turn(sentence, box.checked);
      refresh();
    });
  }

  // A path stands out: of a sentence, or of a paraphrase.
  const chooser = (item) => {
    if (item.dataset.sentence !== undefined) {
      const sentence = Number(item.dataset.sentence);
      return (part) => part.sentences.includes(sentence);
    }
    const nodes = numbers(item.dataset.nodes);
    const inside = new Set(nodes);
    const steps = new Set(nodes.slice(1).map((node, k) => `${nodes[k]} ${node}`));
    return (part) => (part.arc ? steps.has(part.arc) : part.node !== null && inside.has(part.node));
  };
  const show = (item) => {
    for (const whole of [drawing, small]) whole.classList.toggle("focus", Boolean(item));
    const chosen = item ? chooser(item) : () => false;
    const sentence = item?.dataset.sentence;
    for (const part of parts) {
      const on = chosen(part);
      for (const element of part.elements) element.classList.toggle("on", on);
      for (const lane of part.lanes) {
        lane.classList.toggle("off", sentence !== undefined && lane.dataset.s !== sentence);
      }
    }
    for (const row of rows) row.classList.toggle("lit", sentence !== undefined && row.dataset.sentence === sentence);
  };
  const items = [...document.querySelectorAll("li[data-sentence], li[data-nodes]")];
  let pinned = null;
  const pin = (item) => {
    pinned = item === pinned ? null : item;
    for (const other of items) {
      other.classList.toggle("pinned", other === pinned);
      other.querySelector(".text button")?.setAttribute("aria-pressed", String(other === pinned));
    }
    show(pinned);
    said.textContent = pinned ? "Its path stands out in the drawing" : "No path stands out";
    if (pinned) {
      const first = parts.find((part) => part.node !== null && part.element.classList.contains("on"));
      if (first) {
        const box = first.element.getBoundingClientRect();
        const frame = view.getBoundingClientRect();
        view.scrollLeft += box.left - frame.left - 120;
        view.scrollTop += box.top - frame.top - frame.height / 2;
      }
    }
  };
  for (const item of items) {
    item.addEventListener("mouseenter", () => show(item));
    item.addEventListener("mouseleave", () => show(pinned));
    item.addEventListener("focusin", () => show(item));
    item.addEventListener("focusout", () => show(pinned));
    item.querySelector(".text button")?.addEventListener("click", () => pin(item));
  }
  // The other way round: a word or line in the drawing shows which sentences have it.
  svg.addEventListener("mouseover", (event) => {
    const over = event.target.closest("[data-sentences]");
    if (!over) {
      show(pinned);
      return;
    }
    const mine = new Set(numbers(over.dataset.sentences).map(String));
    for (const row of rows) row.classList.toggle("lit", mine.has(row.dataset.sentence));
  });
  svg.addEventListener("mouseleave", () => show(pinned));

  if (width > view.clientWidth) {
    const whole = view.clientWidth / width;
    zoom(whole >= 0.75 ? whole : Math.max(0.75, Math.min(1, view.clientHeight / height)), 0, 0);
  }
  // The main path begins in the middle of the frame.
  const start = svg.querySelector(".dot").getBoundingClientRect();
  const frame = view.getBoundingClientRect();
  view.scrollTop += start.top + start.height / 2 - frame.top - view.clientHeight / 2;
  follow();
  keepClear();
})();
