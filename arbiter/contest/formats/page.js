"use strict";
// Everything on the page can be read without this: it sorts tables and filters the list of games.
for (const head of document.querySelectorAll("th[data-by]")) {
  head.tabIndex = 0;
  const sort = () => {
    const table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
    const up = head.getAttribute("aria-sort") === "descending" || (!head.hasAttribute("aria-sort") && head.dataset.by === "text");
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => {
      const cell = row.cells[column], text = cell.dataset.v ?? cell.textContent.trim();
      return head.dataset.by === "text" ? text : text === "" || isNaN(text) ? -Infinity : Number(text);
    };
    const order = (a, b) => (head.dataset.by === "text" ? a[0].localeCompare(b[0]) : (a[0] > b[0]) - (a[0] < b[0]));
    const rows = [...body.rows].map((row) => [value(row), row]).sort((a, b) => (up ? order(a, b) : order(b, a)));
    body.append(...rows.map((row) => row[1]));
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
}
for (const field of document.querySelectorAll("input[data-filters]")) {
  field.classList.remove("no-script");
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of document.getElementById(field.dataset.filters).tBodies[0].rows)
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
