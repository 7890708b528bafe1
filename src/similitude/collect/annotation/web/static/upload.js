// Sends the form of a new study as soon as a file is chosen. Without it there is a button.
"use strict";

for (const input of document.querySelectorAll("input[type=file][data-send]")) {
  input.addEventListener("change", () => {
    if (!input.files.length) return;
    input.form.classList.add("sending");
    input.form.requestSubmit();
  });
}
