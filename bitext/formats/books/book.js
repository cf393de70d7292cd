(() => {
  "use strict";
  const main = document.querySelector("main");
  let columns = null, at = main.querySelector(".s");
  if (!at) return;
  at.tabIndex = 0;
  const go = (sentence) => {
    if (!sentence) return;
    at.removeAttribute("tabindex");
    at = sentence;
    at.tabIndex = 0;
    at.focus({ preventScroll: true });
    at.scrollIntoView({ block: "nearest" });
  };
  const beside = (step) => {
    columns ??= ["a", "b"].map((side) => [...main.querySelectorAll(`.${side} .s`)]);
    const own = columns.find((each) => each.includes(at));
    return own[own.indexOf(at) + step];
  };
  const other = () => {
    const bead = [...at.classList].find((name) => /^b\d/.test(name));
    const side = at.closest(".a") ? ".b" : ".a";
    return bead && at.closest(".row").querySelector(`${side} .${bead}`);
  };
  main.addEventListener("click", (event) => {
    const sentence = event.target.closest(".s");
    if (sentence && !event.target.closest("a") && getSelection().isCollapsed) go(sentence);
  });
  main.addEventListener("keydown", (event) => {
    if (document.activeElement !== at || event.altKey || event.ctrlKey || event.metaKey) return;
    const found = {
      ArrowDown: () => beside(1), ArrowUp: () => beside(-1), ArrowLeft: other, ArrowRight: other,
    }[event.key];
    if (found) {
      event.preventDefault();
      go(found());
    } else if (event.key === "Escape") {
      at.blur();
    }
  });
})();
