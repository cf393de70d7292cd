"use strict";
(() => {
  const root = document.documentElement;
  const said = document.querySelector(".page > .said");
  root.classList.add("js");

  // The table of systems: a head sorts by its column, once more the other way.
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const rank = (row, k) => {
      const cell = row.cells[k];
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    const sort = (k, way) => {
      const rows = [...body.rows].map((row, place) => ({ row, place, rank: rank(row, k) }));
      rows.sort((a, b) => way * (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0) || a.place - b.place);
      body.append(...rows.map(({ row }) => row));
      heads.forEach((head, at) => {
        if (at === k) head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      // Rules between granularities say something in their own order only.
      let last = null;
      for (const row of body.rows) {
        const measure = row.cells[0].textContent;
        row.classList.toggle("new", k === 0 && last !== null && measure !== last);
        last = measure;
      }
      said.textContent = `Sorted by ${heads[k].textContent}, ${way > 0 ? "least" : "greatest"} first`;
    };
    heads.forEach((head, k) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const first = head.classList.contains("n") ? -1 : 1; // figures from the greatest
        sort(k, now ? (now === "ascending" ? -1 : 1) : first);
      });
    });
    heads[0].setAttribute("aria-sort", "ascending");
  }

  // Text by text: of many rows only those in view are there.
  const list = document.getElementById("dots");
  if (!list) return;
  const data = JSON.parse(document.getElementById("data").textContent);
  const frame = list.parentElement;
  const measure = document.getElementById("measure");
  const order = document.getElementById("order");
  const find = document.getElementById("find");
  const found = document.getElementById("found");
  const count = new Intl.NumberFormat("en");
  const own = (k) => `s${k % data.colours}${Math.floor(k / data.colours) % 2 ? " hollow" : ""}`;
  const svg = (name, attributes, ...inside) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  };
  const html = (name, kind, ...inside) => {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    element.append(...inside);
    return element;
  };
  const shape = (k) => svg("path", { class: own(k), d: data.shapes[k] });
  const values = (text) => data.f1[measure.value].map((each) => each[text]);

  const row = (text) => {
    const isolated = html("bdi", "", data.texts[text]);
    const link = data.links[text] ? html("a", "", isolated) : isolated;
    if (data.links[text]) link.href = data.links[text];
    const strip = svg("svg", { class: "strip", "aria-hidden": "true" });
    const told = html("span", "told");
    values(text).forEach((value, k) => {
      if (value !== null) strip.prepend(svg("svg", { class: "dot", x: `${100 * value}%`, y: "50%" }, shape(k)));
      const icon = svg("svg", { class: "icon", viewBox: "-7 -7 14 14", "aria-hidden": "true" }, shape(k));
      const name = html("span", "said", html("bdi", "", data.systems[k]));
      told.append(html("span", "", icon, name, ` ${value === null ? "–" : value.toFixed(3)}`));
    });
    const name = html("span", "name", link);
    name.title = data.texts[text];
    return html("li", "", name, strip, told);
  };

  const FEW = 100; // that are drawn whole, and that go on paper
  const rest = document.querySelector(".rest");
  let shown = [];
  let height = 30;
  let drawn = "";
  const draw = (anew) => {
    const all = printing || shown.length <= FEW;
    const first = all ? 0 : Math.max(0, Math.floor(frame.scrollTop / height) - 10);
    const last = all ? Math.min(shown.length, FEW) : Math.min(shown.length, first + Math.ceil(frame.clientHeight / height) + 20);
    if (!anew && drawn === `${first} ${last}`) return;
    drawn = `${first} ${last}`;
    // A row that has the focus stays where it is.
    const focused = list.contains(document.activeElement) ? document.activeElement.closest("li") : null;
    const kept = !anew && focused ? Number(focused.ariaPosInSet) - 1 : -1;
    const places = [];
    for (let place = first; place < last; place++) places.push(place);
    if (kept >= 0 && (kept < first || kept >= last)) places.push(kept);
    const items = places.map((place) => {
      const item = place === kept ? focused : row(shown[place]);
      item.classList.toggle("even", place % 2 === 1);
      item.setAttribute("aria-setsize", shown.length);
      item.setAttribute("aria-posinset", place + 1);
      if (!all) item.style.top = `${place * height}px`;
      return item;
    });
    list.classList.toggle("moved", !all);
    list.style.height = all ? "" : `${shown.length * height}px`;
    if (kept >= 0) {
      for (const item of [...list.children]) if (item !== focused) item.remove();
      for (const item of items) {
        const before = Number(item.ariaPosInSet) < kept + 1;
        if (item !== focused && before) focused.before(item);
        else if (item !== focused) list.append(item);
      }
    } else list.replaceChildren(...items);
  };
  const least = (text) => Math.min(...values(text).filter((value) => value !== null), 2);
  const apart = (text) => {
    const known = values(text).filter((value) => value !== null);
    return known.length ? Math.min(...known) - Math.max(...known) : 1;
  };
  const choose = () => {
    const wanted = find.value.trim().toLocaleLowerCase();
    shown = data.texts.map((name, text) => text);
    if (wanted) shown = shown.filter((text) => data.texts[text].toLocaleLowerCase().includes(wanted));
    const by = { worst: least, apart }[order.value];
    if (by) {
      const rank = new Map(shown.map((text) => [text, by(text)]));
      shown.sort((a, b) => rank.get(a) - rank.get(b) || a - b);
    }
    found.textContent = `${count.format(shown.length)} of ${count.format(data.texts.length)} texts`;
    said.textContent = found.textContent;
    frame.scrollTop = 0;
    draw(true);
  };
  const measured = () => {
    const item = list.firstElementChild;
    if (item) height = item.getBoundingClientRect().height;
    draw(true);
  };
  let printing = false;
  frame.addEventListener("scroll", () => draw(false));
  for (const control of [measure, order]) control.addEventListener("change", choose);
  find.addEventListener("input", choose);
  window.addEventListener("resize", measured);
  window.addEventListener("beforeprint", () => {
    printing = true;
    const left = shown.length - FEW;
    if (rest) rest.textContent = left > 0 ? `${count.format(left)} more texts; those that are found or come first are printed.` : "";
    draw(true);
  });
  window.addEventListener("afterprint", () => { printing = false; draw(true); });
  choose();
  measured();
  said.textContent = "";
})();
