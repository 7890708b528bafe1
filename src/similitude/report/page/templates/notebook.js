// Every output of a notebook brings this script, so each table is made sortable only once.
for (const table of document.querySelectorAll(".SCOPE table.sortable:not([data-ready])")) {
  table.dataset.ready = "";
  sortable(table);
}
