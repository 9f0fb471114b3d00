"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const collator = new Intl.Collator("en", { numeric: true });

  // Sorting: a button in every heading; the order of the page is the third state.
  for (const table of all("table")) {
    const body = table.tBodies[0];
    const original = Array.from(body.rows);
    const headings = all("thead th[aria-sort]", table);
    for (const heading of headings) {
      heading.firstElementChild.addEventListener("click", () => {
        const isNumber = heading.classList.contains("n");
        const steps = isNumber ? ["descending", "ascending", "none"] : ["ascending", "descending", "none"];
        const state = steps[(steps.indexOf(heading.getAttribute("aria-sort")) + 1) % 3];
        for (const other of headings) other.setAttribute("aria-sort", other === heading ? state : "none");
        const key = (row) => {
          const cell = row.cells[heading.cellIndex];
          const text = cell.dataset.value ?? cell.textContent;
          if (!isNumber) return text;
          const number = parseFloat(text.replace(/,/g, ""));
          return Number.isNaN(number) ? -Infinity : number;
        };
        const rows = original.slice();
        if (state !== "none") {
          const sign = state === "ascending" ? 1 : -1;
          const keys = new Map(rows.map((row) => [row, key(row)]));
          const compare = (a, b) => (isNumber ? Math.sign(keys.get(a) - keys.get(b)) || 0 : collator.compare(keys.get(a), keys.get(b)));
          rows.sort((a, b) => sign * compare(a, b));
        }
        body.append(...rows);
      });
    }
  }

  // Filtering rows: all words must occur.
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const told = (id, shown, count) => {
    document.getElementById(id + "-count").textContent = shown === count ? "" : `${shown} of ${count}`;
  };
  const rowFilters = new Map();
  for (const input of all("input[data-filter]")) {
    const id = input.dataset.filter;
    const rows = Array.from(document.getElementById(id).tBodies[0].rows);
    const texts = new Map(rows.map((row) => [row, (row.textContent + " " + (row.dataset.words ?? "")).toLowerCase()]));
    const apply = () => {
      const wanted = words(input.value);
      let shown = 0;
      for (const row of rows) {
        row.hidden = !wanted.every((word) => texts.get(row).includes(word));
        shown += row.hidden ? 0 : 1;
        if (row.dataset.card) document.getElementById(row.dataset.card).hidden = row.hidden;
      }
      // What is folded away and found is shown; groups without anything found are not.
      for (const group of all("#cards > details")) {
        const left = all("article", group).some((card) => !card.hidden);
        group.hidden = !left;
        if (left && wanted.length > 0) group.open = true;
      }
      told(id, shown, rows.length);
    };
    input.addEventListener("input", apply);
    rowFilters.set(input, { rows, apply });
  }

  // Filtering columns of the matrix.
  for (const input of all("input[data-columns]")) {
    const table = document.getElementById(input.dataset.columns);
    const check = document.querySelector(`input[data-unkilled="${input.dataset.columns}"]`);
    const headings = Array.from(table.tHead.rows[0].cells);
    const apply = () => {
      const wanted = words(input.value);
      const hidden = headings.map((heading, at) => {
        if (at === 0) return false;
        const text = heading.dataset.words.toLowerCase();
        return !wanted.every((word) => text.includes(word)) || (check.checked && !heading.classList.contains("u"));
      });
      for (const row of table.rows) {
        for (let at = 1; at < row.cells.length; at += 1) row.cells[at].hidden = hidden[at];
      }
      told(table.id, hidden.filter((isHidden) => !isHidden).length - 1, headings.length - 1);
    };
    input.addEventListener("input", apply);
    check.addEventListener("change", apply);

    // What a cell stands for, when it is pointed at.
    table.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("td, th");
      if (!cell || cell.title || cell.cellIndex === 0) return;
      const mutant = headings[cell.cellIndex].dataset.words;
      const row = cell.parentElement.cells[0].textContent;
      cell.title = cell.tagName === "TH" ? mutant : `${row} ${cell.classList.contains("k") ? "kills" : "does not kill"} ${mutant}`;
    });
  }

  // A link to something that is folded away unfolds it; one to something that a filter hides takes the filter away.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target?.closest("details:not([open])");
    if (folded) folded.open = true;
    if (!target || !(target.hidden || folded)) return;
    for (const [input, { rows, apply }] of rowFilters) {
      if (rows.includes(target) || rows.some((row) => row.dataset.card === target.id)) {
        input.value = "";
        apply();
      }
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
