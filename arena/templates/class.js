// Sorts a table by the column whose button is pressed; empty cells stay at the end.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  const body = table.tBodies[0];
  const compare = (a, b) => (isNaN(a) || isNaN(b) ? a.localeCompare(b, undefined, { numeric: true }) : a - b);
  heads.forEach((head, column) => {
    head.firstElementChild.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const rises = before ? before === "descending" : head.dataset.first === "ascending";
      const value = (row) => row.cells[column].dataset.value;
      const rows = Array.from(body.rows).sort((a, b) => {
        if (!value(a) || !value(b)) return Number(!value(a)) - Number(!value(b));
        return rises ? compare(value(a), value(b)) : compare(value(b), value(a));
      });
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rises ? "ascending" : "descending");
      body.append(...rows);
    });
  });
}
