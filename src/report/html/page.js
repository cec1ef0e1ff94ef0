/* What makes the report better than paper: bodies that are unfolded when they are opened, filter
   and search, keys, the theme. Everything is read from the document itself; nothing that the
   program under test says is ever more than text in it. */
"use strict";

/* The body of a finding, the rows of a table and the lines of a file wait as the text of a
   <noscript> (a browser with scripts does not parse it). The report wrote it as markup with every
   text escaped; now it becomes a part of the document. */
function unfold(details) {
  const waiting = details.querySelector(":scope > noscript");
  if (!waiting) return;
  const holder = document.createElement("template");
  holder.innerHTML = waiting.textContent;
  waiting.replaceWith(holder.content);
  if (details.classList.contains("finding")) heddleTimeline(details);
}

const findings = Array.from(document.querySelectorAll("details.finding"));

document.addEventListener("toggle", event => {
  if (event.target.open && event.target.matches("details")) unfold(event.target);
}, true);

/* ---- filter and search ---- */

const KINDS = ["property", "verdict", "evidence", "engine"];
const wanted = new Map(KINDS.map(kind => [kind, new Set()]));
let texts = null;

function textOf(finding) {
  const cause = finding.parentElement.querySelector("h3");
  return (cause.textContent + " " + finding.firstElementChild.textContent).toLowerCase();
}

function fits(finding, at, words) {
  for (const [kind, values] of wanted)
    if (values.size && !values.has(finding.dataset[kind])) return false;
  return words.every(word => texts[at].includes(word));
}

function filter() {
  const words = document.getElementById("query").value.toLowerCase().split(/\s+/).filter(Boolean);
  texts = texts || findings.map(textOf);
  const seen = new Map();
  let count = 0;
  findings.forEach((finding, at) => {
    const good = fits(finding, at, words);
    if (finding.hidden === good) finding.hidden = !good;
    const cause = finding.parentElement;
    seen.set(cause, (seen.get(cause) || false) || good);
    count += good;
  });
  for (const [cause, any] of seen) if (cause.hidden === any) cause.hidden = !any;
  document.getElementById("shown").value = `${count} of ${findings.length}`;
  document.getElementById("nothing").hidden = count > 0;
}

function addChoice(kind, value, count) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `${kind === "evidence" && value === "none" ? "no evidence" : value} ${count}`;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    if (on) wanted.get(kind).add(value);
    else wanted.get(kind).delete(value);
    filter();
  });
  document.getElementById("choices").append(button);
}

/* A kind of which there is only one value divides nothing. */
function addChoices() {
  for (const kind of KINDS) {
    const counts = new Map();
    for (const finding of findings) {
      const value = finding.dataset[kind];
      counts.set(value, (counts.get(value) || 0) + 1);
    }
    if (counts.size > 1)
      for (const [value, count] of counts) addChoice(kind, value, count);
  }
  document.querySelector("#filter fieldset").hidden = !document.querySelector("#choices button");
}

if (findings.length) {
  const form = document.getElementById("filter");
  let waiting = 0;
  addChoices();
  form.hidden = false;
  form.addEventListener("submit", event => event.preventDefault());
  document.getElementById("query").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, findings.length > 2000 ? 150 : 0);
  });
}

/* ---- ways through the page ---- */

function show(finding) {
  finding.open = true;
  unfold(finding);
  const summary = finding.firstElementChild;
  summary.focus();
  summary.scrollIntoView({ block: "start" });
}

function go(step) {
  const visible = findings.filter(finding => !finding.hidden && !finding.parentElement.hidden);
  if (!visible.length) return;
  const here = document.activeElement.closest("details.finding");
  const at = visible.indexOf(here);
  const next = at < 0 ? (step > 0 ? 0 : visible.length - 1) : at + step;
  if (visible[next]) show(visible[next]);
}

/* A link to a line of a file that is still folded. */
function follow() {
  const name = decodeURIComponent(location.hash.slice(1));
  const line = /^(s\d+)-\d+$/.exec(name);
  const file = line && document.getElementById(line[1]);
  if (file) {
    file.open = true;
    unfold(file);
  }
  const target = document.getElementById(name);
  if (!target) return;
  if (target.matches("details.finding")) show(target);
  else if (file) target.scrollIntoView({ block: "center" });
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "/" && findings.length) {
    event.preventDefault();
    document.getElementById("query").focus();
  } else if (event.key === "n") {
    go(1);
  } else if (event.key === "p") {
    go(-1);
  }
});
window.addEventListener("hashchange", follow);
document.getElementById("keys").hidden = false;

/* ---- theme ---- */

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  const button = document.getElementById("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.textContent = `Theme: ${theme}`;
  button.dataset.theme = theme;
}

function keptTheme() {
  try { /* a page of a file may have no storage */
    const kept = localStorage.getItem("heddle-theme");
    return THEMES.includes(kept) ? kept : "auto";
  } catch (error) {
    return "auto";
  }
}

document.getElementById("theme").hidden = false;
document.getElementById("theme").addEventListener("click", event => {
  const next = THEMES[(THEMES.indexOf(event.target.dataset.theme) + 1) % THEMES.length];
  setTheme(next);
  try {
    localStorage.setItem("heddle-theme", next);
  } catch (error) {
    /* it holds until the page is closed */
  }
});
setTheme(keptTheme());

/* What is open from the beginning, when the timeline is there, too. */
window.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("details[open]").forEach(unfold);
  follow();
});
