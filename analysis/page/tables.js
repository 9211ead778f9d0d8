// Tables whose rows readers sort and choose. Without the script they stay as written.

import { element } from "./words.js";

const FEW = 5; // rows that readers see at once

const lines = (cell) => cell.textContent === "" ? [] : cell.innerText.split("\n").map((line) => line.trim());
const numberOf = (cell) => Number(cell.querySelector("data")?.value ?? NaN);

// A choice is a line of the cell, or the beginning of a line before a "/" or ",".
export const isChosen = (cellLines, choice) => cellLines.some(
  (line) => line === choice || line.startsWith(`${choice}/`) || line.startsWith(`${choice},`));

// By number if both cells have one, else by their words. Numbers within words count as numbers.
export function compared(one, other) {
  if (!Number.isNaN(one.number) && !Number.isNaN(other.number)) return one.number - other.number;
  return one.text.localeCompare(other.text, "en", { numeric: true });
}

function selection(name, options, act) {
  const select = element("select", { "aria-label": name, onchange: (event) => act(event.target.value) },
    element("option", { value: "" }, `${name}: all`),
    ...options.map((option) => element("option", { value: option }, option)));
  return select;
}

export function enhance(box) {
  const table = box.querySelector("table");
  const rows = [...table.tBodies[0].rows].map((row) => ({
    row, text: row.textContent.toLowerCase(),
    cells: [...row.cells].map((cell) => ({ lines: lines(cell), text: cell.textContent, number: numberOf(cell) })),
  }));
  const filters = JSON.parse(box.dataset.filters);
  const wanted = { text: "", choices: filters.map(([, column]) => ({ column, choice: "" })) };
  const count = element("span", { "aria-live": "polite" });

  function show() {
    let shown = 0;
    for (const { row, text, cells } of rows) {
      const fits = wanted.text.split(/\s+/).every((word) => text.includes(word)) &&
        wanted.choices.every(({ column, choice }) => !choice || isChosen(cells[column].lines, choice));
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
  }

  function sort(column, isDescending) {
    const sign = isDescending ? -1 : 1;
    rows.sort((one, other) => sign * compared(one.cells[column], other.cells[column]));
    table.tBodies[0].append(...rows.map(({ row }) => row));
    for (const [index, head] of [...table.tHead.rows[0].cells].entries()) {
      if (index === column) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    if (head.querySelector("svg")) continue;
    const button = element("button", { type: "button",
      onclick: () => sort(column, head.getAttribute("aria-sort") === "ascending") }, ...head.childNodes);
    head.replaceChildren(button);
  }
  const selects = filters.map(([name, , options], index) => selection(name, options, (choice) => {
    wanted.choices[index].choice = choice;
    show();
  }));
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  const isSortable = [...table.tHead.rows[0].cells].map((head) => !head.querySelector("svg"));
  const order = element("select", { class: "order", "aria-label": "Order by",
    onchange: (event) => event.target.value && sort(Number(event.target.value), false) },
  element("option", { value: "" }, "Order by"),
  ...heads.map((name, column) => isSortable[column] ? element("option", { value: column }, name) : null));
  if (rows.length <= FEW) return;
  box.before(element("div", { class: "filters" },
    element("input", { type: "search", placeholder: "Filter", "aria-label": "Filter rows",
      oninput: (event) => { wanted.text = event.target.value.toLowerCase().trim(); show(); } }),
    ...selects, order, count));
  show();
}
