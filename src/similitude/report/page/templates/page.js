// Without JavaScript the page reads the same: best system first, every measure, every system.

// Sorting for tables that say so.
const sorters = new Map();
for (const table of document.querySelectorAll("table.sortable")) sorters.set(table, sortable(table));

// One option at a time, such as the figure of one measure; a table beside it is sorted by the same measure.
for (const group of document.querySelectorAll(".options")) {
  const options = [...group.querySelectorAll(":scope > .option")];
  if (options.length < 2) continue;
  group.classList.add("chosen");
  const select = made("select", {}, ...options.map((option) => made("option", {}, option.dataset.name)));
  const show = () => options.forEach((option) => (option.hidden = option.dataset.name !== select.value));
  const label = made("label", { className: "control" }, `${group.dataset.label} `, select);
  group.prepend(label);
  select.addEventListener("change", () => {
    show();
    for (const [table, { heads, sort }] of sorters) {
      if (table.closest("section") !== group.closest("section")) continue;
      const column = heads.findIndex((head) => head.dataset.name === select.value);
      if (column >= 0) sort(column, heads[column].dataset.better === "higher");
    }
  });
  show();
}

// Filter and hide systems, everywhere on the page.
const standing = document.querySelector("table[data-filter]");
const systems = standing ? [...standing.tBodies[0].rows].map((row) => row.dataset.system).filter(Boolean) : [];
if (systems.length > 2) {
  const hidden = new Set();
  const filter = made("input", { type: "search", placeholder: "part of a name", autocomplete: "off" });
  const status = made("span", { className: "status" });
  status.setAttribute("role", "status");
  const boxes = systems.map((name) => {
    const box = made("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => (box.checked ? hidden.delete(name) : hidden.add(name), apply()));
    return { name, box };
  });
  const all = (checked) => {
    boxes.forEach(({ name, box }) => {
      box.checked = checked;
      checked ? hidden.delete(name) : hidden.add(name);
    });
    apply();
  };
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const known = new Set(systems);
    const shown = new Set(
      systems.filter((name) => !hidden.has(name) && words.every((word) => name.toLowerCase().includes(word))),
    );
    for (const element of document.querySelectorAll("[data-system]")) {
      const name = element.dataset.system;
      if (known.has(name)) element.toggleAttribute("data-hidden", !shown.has(name));
    }
    for (const plot of document.querySelectorAll("svg.intervals")) stack(plot);
    status.textContent = shown.size === systems.length ? "" : `${shown.size} of ${systems.length} systems are shown`;
  };
  const stack = (plot) => {
    let top = 0;
    for (const row of plot.querySelectorAll("svg.row:not([data-hidden])")) {
      row.setAttribute("y", top);
      top += Number(row.getAttribute("height"));
    }
    const [before, foot] = [Number(plot.dataset.bottom), Number(plot.dataset.height) - Number(plot.dataset.bottom)];
    for (const line of plot.querySelectorAll(":scope > .grid")) line.setAttribute("y2", top);
    for (const tick of plot.querySelectorAll(":scope > .tick")) {
      tick.dataset.shift ??= Number(tick.getAttribute("y")) - before;
      tick.setAttribute("y", top + Number(tick.dataset.shift));
    }
    plot.setAttribute("height", top + foot);
  };
  for (const plot of document.querySelectorAll("svg.intervals")) {
    plot.dataset.height = plot.getAttribute("height");
    plot.dataset.bottom = [...plot.querySelectorAll("svg.row")].reduce((sum, row) => sum + Number(row.getAttribute("height")), 0);
  }
  filter.addEventListener("input", apply);
  const choices = made(
    "details",
    { className: "choices" },
    made("summary", {}, "Hide systems"),
    made("button", { type: "button", onclick: () => all(true) }, "show all"),
    made("button", { type: "button", onclick: () => all(false) }, "hide all"),
    made("ul", {}, ...boxes.map(({ name, box }) => made("li", {}, made("label", {}, box, " ", made("code", {}, name))))),
  );
  const bar = made("div", { className: "controls" }, made("label", { className: "control" }, "filter systems ", filter), status, choices);
  standing.closest("section").querySelector("h2").after(bar);
}

// Files that the page holds.
for (const data of document.querySelectorAll("script[data-file]")) {
  const button = made("button", { type: "button", className: "download" }, `download ${data.dataset.file}`);
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([JSON.parse(data.textContent)], { type: "text/csv" }));
    made("a", { href: address, download: data.dataset.file }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
  data.after(button);
}

// Print what is on the page, unfolded.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not(.choices)")) details.open = true;
});
