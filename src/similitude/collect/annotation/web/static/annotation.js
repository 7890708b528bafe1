// Makes the pages quicker to use: keys, saving of each answer at once, live checks. Everything works without it.
"use strict";

document.documentElement.classList.add("js");

// ---------------------------------------------------------------- the instructions, one key away
const help = document.querySelector("a[data-help]"); // stays: a next question replaces the main part only
const helpDialog = document.querySelector("dialog[data-help]");

async function openHelp() {
  const inside = helpDialog.querySelector("[data-content]");
  if (!inside.hasChildNodes()) {
    const response = await fetch(help.href);
    if (!response.ok) { location.assign(help.href); return; }
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    inside.replaceChildren(...page.querySelectorAll("[data-instructions]"));
  }
  helpDialog.showModal();
}

if (help && helpDialog) {
  help.addEventListener("click", (event) => { event.preventDefault(); openHelp().catch(() => location.assign(help.href)); });
  helpDialog.querySelector("button").addEventListener("click", () => helpDialog.close());
}

// ---------------------------------------------------------------- one question of the page
class Question {
  constructor(section) {
    this.section = section;
    this.position = section.dataset.position;
    this.fields = section.dataset.fields.split(" ");
    this.turns = section.querySelector("[data-turns]"); // number keys choose for these fields in turn
    this.dirty = false; // changed since the server last acknowledged it
    this.busy = null; // the request under way
    this.message = "";
    this.skipped = "skipped" in section.dataset; // need not be answered, but can be
    this.clock = `seconds ${form.dataset.batch} ${this.position}`;
    this.milliseconds = Number(remembered(this.clock)) || 0; // of earlier visits to this question
    if (this.turns) this.stage = this.turnFields.find((field) => !this.chosen(field)) || this.turnFields[0];
  }

  inputs(field) { return [...this.section.querySelectorAll(`[name="${this.position}.${field}"]`)]; }
  chosen(field) { return this.inputs(field).find((input) => input.checked); }
  text(field) { const input = this.inputs(field)[0]; return input ? input.value.trim() : ""; }

  get turnFields() { return this.turns.dataset.turns.split(" "); }

  answered(field) {
    const [input] = this.inputs(field);
    return input.type === "radio" ? Boolean(this.chosen(field)) : this.text(field) !== "";
  }

  // Fields inside data-when="other=value" are asked only where the other field has that value.
  asked(field) {
    const box = this.inputs(field)[0].closest("[data-when]");
    if (!box) return true;
    const [other, value] = box.dataset.when.split("=");
    return this.chosen(other)?.value === value;
  }

  get complete() {
    if (this.fields.some((field) => this.asked(field) && !this.answered(field))) return false;
    const values = this.turns ? this.turnFields.map((field) => this.chosen(field).value) : [];
    return new Set(values).size === values.length;
  }

  get empty() { return !this.fields.some((field) => this.answered(field)); }
  get settled() { return this.complete || (this.skipped && this.empty); }

  clear(field) {
    for (const input of this.inputs(field)) if (input.type === "radio") input.checked = false; else input.value = "";
  }

  tellTime() { this.inputs("seconds")[0].value = (this.milliseconds / 1000).toFixed(1); }

  body() {
    const fields = new URLSearchParams();
    fields.set("csrf", form.elements.csrf.value);
    this.tellTime();
    for (const input of this.section.querySelectorAll("[name]")) {
      if (input.type === "radio" && !input.checked) continue;
      fields.append(input.name, input.value);
    }
    return fields;
  }

  // Another form from here on: the next change is a new answer, a repeat of the last request is not.
  renew() {
    const random = crypto.getRandomValues(new Uint8Array(16));
    this.inputs("nonce")[0].value = [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  showProblems(problems, onlyWritten = false) {
    for (const place of this.section.querySelectorAll("[data-problem]")) {
      const field = place.dataset.problem;
      const quiet = onlyWritten && this.text(field) === "";
      place.textContent = quiet ? "" : problems[`${this.position}.${field}`] || "";
      for (const input of this.inputs(field)) input.setAttribute("aria-invalid", place.textContent ? "true" : "false");
    }
  }
}

// What is on the page now; `begin` sets it, also when the reply to a save brings the next questions.
let form = null;
let questions = [];
let active = null;

// Where the browser keeps nothing, time is counted from each visit anew.
function remembered(name) { try { return sessionStorage.getItem(name); } catch { return null; } }
function remember(name, value) { try { sessionStorage.setItem(name, value); } catch { /* not kept */ } }
function rememberTimes() { for (const each of questions) remember(each.clock, Math.round(each.milliseconds)); }
addEventListener("pagehide", rememberTimes);

function activate(question) {
  if (!question) return;
  active = question;
  for (const each of questions) {
    const marked = questions.length > 1 && each === active;
    each.section.classList.toggle("active", marked);
    if (marked) each.section.setAttribute("aria-current", "true"); else each.section.removeAttribute("aria-current");
  }
}

// With several questions on a page, those who use keys see which one the keys are for.
addEventListener("keydown", () => document.documentElement.classList.add("by-keys"), { capture: true });
addEventListener("pointerdown", () => document.documentElement.classList.remove("by-keys"), { capture: true });

// Time counts for the question at work, while the page is seen.
let ticked = performance.now();
setInterval(() => {
  const now = performance.now();
  if (active && !document.hidden) active.milliseconds += Math.min(now - ticked, 1000);
  ticked = now;
}, 250);

// ---------------------------------------------------------------- saving
let mark = null;
let autosave = false;
let next = null; // the page after this one, as the last save brought it
let wait = 2000;
let retry = 0;
let leaving = false; // between "go on" and the next page, keys typed ahead must not change what was answered here

function showState(state, message = "") {
  if (!mark) return;
  mark.dataset.state = state;
  mark.querySelector("span").textContent = message || mark.dataset[state] || "";
  mark.querySelector("button").hidden = state !== "failed" && state !== "offline";
}

function showAnswered(answered) {
  const place = document.querySelector("[data-answered]");
  const bar = document.querySelector("progress[data-progress]");
  if (!place || answered < bar.value) return; // replies to two questions may come in either order
  place.textContent = place.dataset.pattern.replace("{done}", answered).replace("{total}", place.dataset.total);
  bar.value = answered;
}

class Refused extends Error {}

async function post(address, body) {
  const response = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" }, credentials: "same-origin" });
  const told = await response.json();
  if (response.status === 503 || response.status === 507) throw new Error(told.message);
  return { ok: response.ok, told };
}

async function save(question) {
  const body = question.body();
  question.dirty = false;
  let reply;
  try {
    reply = await post(form.dataset.save, body);
  } catch (error) {
    question.dirty = true; // same nonce: should it have arrived after all, the server sees that it is the same form
    throw error;
  }
  if (!reply.ok) {
    question.dirty = true;
    question.showProblems(reply.told.problems || {});
    throw new Refused(Object.values(reply.told.problems || {})[0] || reply.told.message);
  }
  question.showProblems({});
  question.renew();
  showAnswered(reply.told.answered);
  next = reply.told.next || null;
}

// Saves what has changed, one request at a time for each question. True once the server has acknowledged everything.
async function saveAll(wanted) {
  clearTimeout(retry);
  let refusal = "";
  try {
    for (const question of wanted) {
      while (question.busy) await question.busy.catch(() => {});
      if (!question.dirty) continue;
      showState("busy");
      question.busy = save(question);
      try { await question.busy; } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refusal = error.message;
      } finally { question.busy = null; }
    }
  } catch (error) {
    showState(navigator.onLine ? "failed" : "offline");
    retry = setTimeout(() => saveAll(questions), wait);
    wait = Math.min(2 * wait, 30000);
    return false;
  }
  wait = 2000;
  if (refusal) { showState("refused", refusal); return false; }
  showState(questions.some((question) => question.dirty) ? "unsaved" : "saved");
  return true;
}

function changed(question) {
  question.dirty = true;
  next = null;
  showState("unsaved");
  if (autosave && question.complete) saveAll([question]);
}

// ---------------------------------------------------------------- live checks of written text
let checking = 0;

function checkSoon(question) {
  clearTimeout(checking);
  checking = setTimeout(async () => {
    const reply = await post(form.dataset.check, question.body()).catch(() => null);
    if (reply && reply.told.problems) question.showProblems(reply.told.problems, true);
  }, 500);
}

// ---------------------------------------------------------------- choices that depend on each other
function settle(question, input) {
  const field = input.name.split(".").pop();
  for (const box of question.section.querySelectorAll("[data-when]")) {
    const [other, value] = box.dataset.when.split("=");
    if (box.contains(input)) question.inputs(other).find((each) => each.value === value).checked = true;
    const asked = question.chosen(other)?.value === value;
    if (field === other && !asked) for (const each of question.fields) if (!question.asked(each)) question.clear(each);
    box.classList.toggle("muted-part", Boolean(question.chosen(other)) && !asked);
  }
  if (question.turns?.contains(input)) {
    const fields = question.turnFields;
    question.stage = fields[(fields.indexOf(field) + 1) % fields.length];
    showStage(question);
  }
}

function showStage(question) {
  const place = question.section.querySelector("[data-stage]");
  if (place) place.textContent = place.dataset[question.stage];
}

function joinSlider(question) {
  const slider = question.section.querySelector("input[type=range]");
  if (!slider) return;
  const number = question.inputs("value")[0];
  const box = slider.closest(".slider");
  const shown = box.querySelector("output");
  // Until somebody chooses, the slider has no thumb: its middle is not an answer.
  const show = () => {
    const empty = number.value === "";
    box.classList.toggle("untouched", empty);
    shown.textContent = empty ? "–" : number.value;
    slider.setAttribute("aria-valuetext", empty ? box.dataset.empty : number.value);
  };
  const take = () => { number.value = slider.value; show(); };
  slider.hidden = shown.hidden = false;
  if (number.value !== "") slider.value = number.value;
  show();
  slider.addEventListener("input", take);
  slider.addEventListener("change", () => { settle(question, number); changed(question); });
  // The number under the invisible thumb is chosen by a click or the space bar: the browser sees no change there.
  const settleHere = () => { if (number.value === "") { take(); settle(question, number); changed(question); } };
  slider.addEventListener("click", settleHere);
  slider.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); settleHere(); } });
  number.addEventListener("input", () => { if (number.value !== "") slider.value = number.value; show(); });
  question.section.addEventListener("change", () => setTimeout(show));
}

// ---------------------------------------------------------------- keys
function choose(question, key) {
  if (!(question.turns ? chooseInTurn(question, key) : chooseAny(question, key))) return false;
  if (question.complete && (!question.turns || question.stage === question.turnFields[0])) {
    const next = questions[questions.indexOf(question) + 1];
    if (next && !next.settled) { activate(next); next.section.scrollIntoView(); }
  }
  return true;
}

function chooseAny(question, key) {
  const input = [...question.section.querySelectorAll("input[data-key]")].find((each) => each.dataset.key === key);
  if (input) input.click();
  return Boolean(input);
}

// One option cannot stand in two fields: a later turn refuses it, the first turn takes it away from the others.
function chooseInTurn(question, key) {
  const input = question.inputs(question.stage).find((each) => each.dataset.key === key);
  if (!input) return false;
  const others = question.turnFields.filter((field) => field !== question.stage).map((field) => question.chosen(field));
  const same = others.filter((other) => other && other.value === input.value);
  if (same.length && question.stage !== question.turnFields[0]) {
    question.showProblems({ [`${question.position}.${question.stage}`]: question.turns.dataset.same });
    return true;
  }
  for (const other of same) other.checked = false;
  question.showProblems({});
  input.click();
  return true;
}

const BACK = new Set(["Backspace", "ArrowLeft"]);

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
  // For a moment after the instructions are closed the browser still has the focus inside them.
  const target = event.target.closest("dialog:not([open])") ? document.body : event.target;
  const writing = target.matches("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select");
  if (helpDialog?.open) {
    if (event.key === "?") helpDialog.close();
    return;
  }
  if (writing) return;
  if (leaving) { event.preventDefault(); return; }
  if (event.key === "?" && help) { event.preventDefault(); help.click(); return; }
  const steering = target.matches("input[type=range], input[type=radio]") && event.key === "ArrowLeft";
  const back = document.querySelector("a[data-back]");
  if (BACK.has(event.key) && back && !steering) { event.preventDefault(); back.click(); return; }
  if (event.key === "Enter" && !target.matches("a, button, summary, input")) {
    const go = document.querySelector("[data-go]");
    if (go) { event.preventDefault(); go.click(); }
    return;
  }
  const key = event.key.toLowerCase();
  if (active && choose(active, key)) { event.preventDefault(); return; }
  const chosen = document.querySelector(`[data-choose="${CSS.escape(key)}"]`);
  const link = { s: active?.section.querySelector("a[data-skip]"), u: document.querySelector("a[data-undo]") }[key];
  if (chosen || link) { event.preventDefault(); (chosen || link).click(); }
}

document.addEventListener("keydown", onKey);

// ---------------------------------------------------------------- from page to page
// The next questions came with the reply to the last save: show them without another request.
function showNext() {
  const page = new DOMParser().parseFromString(next.html, "text/html");
  history.pushState({ questions: true }, "", next.address);
  document.title = next.title;
  rememberTimes();
  document.querySelector("main").replaceChildren(...page.body.childNodes);
  begin();
  scrollTo(0, 0);
  const heading = form.querySelector("h1");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function goOn() {
  if (next?.html) { showNext(); leaving = false; return; }
  location.assign(form.dataset.next);
  setTimeout(() => { leaving = false; }, 5000);
}

async function onSubmit(event) {
  event.preventDefault();
  if (leaving) return;
  leaving = true;
  for (const question of questions) if (!question.settled) question.dirty = true;
  if (await saveAll(questions)) { goOn(); return; }
  leaving = false;
  form.querySelector("[aria-invalid=true]")?.focus();
}

// ---------------------------------------------------------------- wiring
function wire(question) {
  joinSlider(question);
  question.section.addEventListener("focusin", () => activate(question));
  question.section.addEventListener("change", (event) => {
    if (!event.target.name) return;
    settle(question, event.target);
    changed(question);
  });
  question.section.addEventListener("input", (event) => {
    if (!["text", "number", "textarea"].includes(event.target.type)) return;
    question.dirty = true;
    showState("unsaved");
    if (event.target.type === "text") checkSoon(question);
  });
  if (question.turns) showStage(question);
}

function begin() {
  form = document.querySelector("form[data-questions]");
  questions = form ? [...form.querySelectorAll(".question")].map((section) => new Question(section)) : [];
  mark = document.querySelector("[data-saving]");
  autosave = Boolean(form && form.dataset.save);
  next = null;
  for (const question of questions) wire(question);
  activate(questions.find((question) => !question.settled) || questions[0]);
  if (!form) return;
  if (autosave) {
    form.addEventListener("submit", onSubmit);
    mark.querySelector("button").addEventListener("click", () => saveAll(questions));
  } else {
    form.addEventListener("submit", () => { for (const question of questions) question.tellTime(); });
  }
}

begin();
addEventListener("popstate", () => location.reload()); // what was answered there is shown as it is kept
addEventListener("online", () => { if (autosave) saveAll(questions); });
addEventListener("offline", () => { if (questions.some((question) => question.dirty)) showState("offline"); });
addEventListener("beforeunload", (event) => {
  const unsaved = (question) => (question.dirty && question.complete) || question.busy;
  if (autosave && questions.some(unsaved)) event.preventDefault();
});
