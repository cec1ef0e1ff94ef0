/* The timeline of a finding: a lane for each thread, time from top to bottom.

   It is drawn from the table of steps, whose rows say who does what, what that thread holds then
   (chips in the fourth cell), and after which steps of others it came. Rows have one height, so
   that places follow from numbers and only what can be seen is in the document: a schedule of ten
   thousand steps costs as much as one of twenty.

   The two accesses of a race stand in one row, facing each other, where both are next; and so do
   threads that are blocked for good. */
"use strict";

const heddleTimeline = (() => {
  const ROW = 64, BOX = 50, NUMBER = 34, GAP = 22, SPARE = 8, LEAST = 150;
  const SVG = "http://www.w3.org/2000/svg";

  function make(name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function draw(name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  /* ---- what the table says ---- */

  /* "2-14" of a link to line 14 of file 2. */
  function lineOf(link) {
    return link ? link.getAttribute("href").slice(2) : "";
  }

  function readStep(row, at) {
    const cells = row.cells;
    return {
      at, row: at,
      thread: Number(row.dataset.thread),
      name: cells[1].textContent,
      what: cells[2].textContent,
      locks: Array.from(cells[3].querySelectorAll(".lock"), chip => ({
        number: Number(chip.dataset.lock), name: chip.textContent,
        color: chip.classList.item(1) })),
      after: (row.dataset.after || "").split(" ").filter(Boolean).map(Number),
      line: lineOf(cells[5].firstElementChild),
      where: cells[5].textContent,
      source: cells[6].textContent,
      mark: Number(row.dataset.mark || 0),
      kind: Array.from(row.classList).find(name => name.startsWith("k-")) || "k-other",
    };
  }

  /* Steps at the end that are all next at the same time share a row. */
  function shareLastRow(steps, meet) {
    const together = step => meet ? step.mark > 0 : step.kind === "k-blocked" && step.mark > 0;
    let first = steps.length;
    const lanes = new Set();
    while (first > 0 && together(steps[first - 1]) && !lanes.has(steps[first - 1].thread))
      lanes.add(steps[--first].thread);
    for (let i = first; i < steps.length; i++) steps[i].row = first;
    return steps.length ? steps[steps.length - 1].row + 1 : 0;
  }

  /* From where to where each thread holds each lock, in rows. */
  function readSpans(steps) {
    const spans = [], open = new Map();
    for (const step of steps) {
      const now = new Map(step.locks.map(lock => [`${step.thread}/${lock.number}`, lock]));
      for (const [key, span] of open)
        if (span.thread === step.thread && !now.has(key)) {
          span.to = step.row;
          open.delete(key);
        }
      for (const [key, lock] of now)
        if (!open.has(key)) {
          const others = Array.from(open.values()).filter(span => span.thread === step.thread);
          let slot = 0;
          while (others.some(span => span.slot === slot)) slot++;
          const span = { thread: step.thread, from: step.row, to: Infinity, lock, slot };
          open.set(key, span);
          spans.push(span);
        }
    }
    return spans;
  }

  function read(finding) {
    const schedule = finding.querySelector(".schedule");
    const rows = schedule ? Array.from(schedule.querySelectorAll("tbody tr")) : [];
    const steps = rows.map(readStep);
    const meet = schedule !== null && "meet" in schedule.dataset;
    const threads = [];
    for (const step of steps) threads[step.thread] = step.name;
    return { schedule, steps, meet, threads,
             rowCount: shareLastRow(steps, meet), spans: readSpans(steps) };
  }

  /* ---- the source beside it ---- */

  function sourceOf(number) {
    const file = document.getElementById(`s${number}`);
    if (file) unfold(file);
    return file;
  }

  /* The lines of the files that the finding names, those of its accesses marked. */
  function fillPanel(panel, finding, steps) {
    const marked = new Map();
    for (const access of finding.querySelectorAll(".access[data-line]"))
      marked.set(access.dataset.line, access.querySelector("pre code"));
    const files = new Set([...marked.keys(), ...steps.map(step => step.line).filter(Boolean)]
      .map(line => line.split("-")[0]));
    for (const number of files) {
      const file = sourceOf(number);
      const text = file && file.querySelector("pre");
      if (!text || !text.firstChild) continue;
      const copy = text.cloneNode(true);
      for (const line of copy.querySelectorAll(".l")) {
        line.dataset.line = line.id.slice(1);
        line.removeAttribute("id");
        if (marked.has(line.dataset.line)) markLine(line, marked.get(line.dataset.line));
      }
      copy.tabIndex = 0;
      copy.setAttribute("aria-label",
        `${file.firstElementChild.textContent}, beside the timeline of ${finding.id}`);
      copy.setAttribute("role", "region");
      panel.append(make("p", "where", file.firstElementChild.textContent), copy);
    }
  }

  function markLine(line, code) {
    line.classList.add("place-of");
    const text = line.lastChild;
    if (!code || !text || text.nodeType !== Node.TEXT_NODE) return;
    const blank = /^ */.exec(text.data)[0];
    const copy = code.cloneNode(true);
    line.replaceChild(document.createTextNode("\n"), text);
    line.lastChild.before(blank, ...copy.childNodes);
  }

  /* ---- the drawing ---- */

  class Timeline {
    constructor(finding, data) {
      Object.assign(this, data);
      this.finding = finding;
      this.selected = 0;
      this.stage = make("div", "stage");
      this.box = make("div", "timeline");
      this.heads = make("div", "heads");
      this.rows = make("div", "rows");
      this.panel = make("div", "panel");
      this.place = make("output", "", "");
      this.build();
    }

    build() {
      const { box } = this;
      box.tabIndex = 0;
      box.setAttribute("role", "listbox");
      box.setAttribute("aria-label", `Timeline of ${this.finding.id}: ${this.steps.length} steps`);
      this.heads.setAttribute("aria-hidden", "true");
      this.rows.setAttribute("role", "presentation");
      box.append(this.heads, this.rows);
      const left = make("div");
      left.append(make("h4", "", "Timeline"), box, this.controls());
      this.panel.append(make("h4", "", "Source"));
      fillPanel(this.panel, this.finding, this.steps);
      const source = this.panel.querySelector("pre") !== null;
      this.stage.append(left, ...(source ? [this.panel] : []));
      this.stage.classList.toggle("alone", !source);
      box.addEventListener("keydown", event => this.key(event));
      box.addEventListener("scroll", () => this.render(), { passive: true });
      new ResizeObserver(() => this.measure()).observe(box);
    }

    controls() {
      const bar = make("div", "controls");
      for (const [text, label, step] of [["\u2191", "Step back", -1], ["\u2193", "Step on", 1]]) {
        const button = make("button", "", text);
        button.type = "button";
        button.setAttribute("aria-label", label);
        button.addEventListener("click", () => this.select(this.selected + step));
        bar.append(button);
      }
      const legend = make("span", "legend", this.spans.length ? "held: " : "");
      const names = new Map();
      for (const span of this.spans) names.set(span.lock.number, span.lock);
      for (const lock of names.values())
        legend.append(make("span", `lock ${lock.color}`, lock.name));
      bar.append(this.place, legend);
      return bar;
    }

    /* Lanes share the width as long as a box can be read. */
    measure() {
      const width = this.box.clientWidth;
      if (!width || width === this.width) return;
      this.width = width;
      this.lane = Math.max(LEAST, (width - NUMBER) / this.threads.length);
      const full = `${NUMBER + this.lane * this.threads.length}px`;
      this.rows.style.width = this.heads.style.width = full;
      this.rows.style.height = `${this.rowCount * ROW + SPARE}px`;
      this.heads.replaceChildren(...this.threads.map((name, i) => {
        const head = make("span", "", name);
        head.style.left = `${NUMBER + i * this.lane}px`;
        head.style.width = `${this.lane}px`;
        return head;
      }));
      this.drawn = "";
      this.render();
    }

    x(thread) { return NUMBER + thread * this.lane + GAP; }
    y(row) { return row * ROW + SPARE; }
    boxWidth() { return this.lane - GAP - 12; }

    render() {
      if (!this.lane) return;
      const from = Math.floor(this.box.scrollTop / ROW) - SPARE;
      const to = from + Math.ceil(this.box.clientHeight / ROW) + 2 * SPARE;
      const key = `${from} ${to} ${this.selected} ${this.lane}`;
      if (key === this.drawn) return;
      this.drawn = key;
      const seen = row => row >= from && row <= to;
      const boxes = this.steps.filter(step => seen(step.row)).map(step => this.drawStep(step));
      this.rows.replaceChildren(this.drawBelow(from, to), ...boxes, this.drawAbove(from, to));
      this.box.setAttribute("aria-activedescendant", this.idOf(this.selected));
    }

    idOf(at) { return `${this.finding.id}-step-${at + 1}`; }

    drawStep(step) {
      const box = make("div", `step ${step.kind}${step.mark ? " marked" : ""}`);
      box.id = this.idOf(step.at);
      box.setAttribute("role", "option");
      box.setAttribute("aria-selected", String(step.at === this.selected));
      box.setAttribute("aria-posinset", String(step.at + 1));
      box.setAttribute("aria-setsize", String(this.steps.length));
      const line = /:(\d+)$/.exec(step.where);
      box.title = `${step.name}: ${step.what}\n${step.where}\n${step.source}`;
      box.append(make("span", "hidden", `Step ${step.at + 1}, ${step.name}: `),
                 make("span", "", step.what),
                 make("small", "", (line ? line[1] + "  " : "") + step.source));
      box.style.left = `${this.x(step.thread)}px`;
      box.style.top = `${this.y(step.row)}px`;
      box.style.width = `${this.boxWidth()}px`;
      box.addEventListener("click", () => this.select(step.at));
      return box;
    }

    /* Lanes, locks that are held, arrows, the numbers of the rows. */
    drawBelow(from, to) {
      const svg = draw("svg", { "aria-hidden": "true" });
      this.threads.forEach((name, i) => {
        const x = NUMBER + i * this.lane + 4;
        svg.append(draw("line", { class: "lane", x1: x, x2: x, y1: 0, y2: this.rowCount * ROW }));
      });
      for (const span of this.spans) {
        const end = Math.min(span.to, this.rowCount - 1);
        if (end < from || span.from > to) continue;
        const x = NUMBER + span.thread * this.lane + 4 + span.slot * 7;
        const top = Math.max(span.from, from), bottom = Math.min(end, to);
        const path = draw("path", { class: `span ${span.lock.color}`,
          d: `M${x} ${this.y(top) + BOX / 2}V${this.y(bottom) + BOX / 2 + 1}` });
        path.append(draw("title", {}, span.lock.name));
        svg.append(path);
      }
      this.drawArrows(svg, from, to);
      for (let row = Math.max(0, from); row <= Math.min(to, this.rowCount - 1); row++)
        svg.append(this.drawNumber(row));
      return svg;
    }

    drawNumber(row) {
      const number = draw("text", { x: NUMBER / 2 - 2, y: this.y(row) + BOX / 2 + 4 }, row + 1);
      number.style.fill = "var(--soft)";
      number.style.fontWeight = "400";
      return number;
    }

    /* What had to come before what: behind the boxes that they pass. */
    drawArrows(svg, from, to) {
      for (const step of this.steps)
        for (const before of step.after) {
          const first = this.steps[before];
          if (step.row < from || first.row > to) continue;
          svg.append(this.drawArrow(first, step));
        }
    }

    /* What nothing orders. */
    drawAbove(from, to) {
      const svg = draw("svg", { class: "above", "aria-hidden": "true" });
      this.drawRace(svg, from, to);
      return svg;
    }

    /* From the side of one box to the nearer side of the other. */
    ends(a, b) {
      const right = b.thread > a.thread;
      return [this.x(a.thread) + (right ? this.boxWidth() : 0),
              this.x(b.thread) + (right ? 0 : this.boxWidth())];
    }

    drawArrow(a, b) {
      const [x1, x2] = this.ends(a, b);
      const y1 = this.y(a.row) + BOX / 2 + 8, y2 = this.y(b.row) + BOX / 2 - 6;
      const bend = Math.max(30, Math.abs(x2 - x1) / 2) * (b.thread > a.thread ? 1 : -1);
      const on = a.at === this.selected || b.at === this.selected;
      return draw("path", { class: on ? "arrow on" : "arrow", "marker-end": "url(#tip-after)",
        d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
    }

    drawRace(svg, from, to) {
      const pair = this.steps.filter(step => step.mark);
      if (this.finding.dataset.property !== "race" || pair.length !== 2) return;
      const [a, b] = pair[0].thread < pair[1].thread ? pair : [pair[1], pair[0]];
      if (Math.max(a.row, b.row) < from || Math.min(a.row, b.row) > to) return;
      const [x1, x2] = this.ends(a, b);
      const y1 = this.y(a.row) + BOX / 2, y2 = this.y(b.row) + BOX / 2;
      svg.append(draw("path", { class: this.meet ? "race" : "race apart",
        d: `M${x1} ${y1}L${x2} ${y2}`,
        "marker-start": "url(#tip-race)", "marker-end": "url(#tip-race)" }));
      if (x2 - x1 > 60 || !this.meet)
        svg.append(draw("text", { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 8 },
                        this.meet ? "race" : "unordered"));
    }

    /* ---- stepping ---- */

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1);
      const to = { j: 1, ArrowDown: 1, ArrowRight: 1, k: -1, ArrowUp: -1, ArrowLeft: -1,
                   PageDown: page, PageUp: -page,
                   Home: -Infinity, End: Infinity }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.select(this.selected + to);
    }

    select(at) {
      this.selected = Math.max(0, Math.min(this.steps.length - 1, at));
      const step = this.steps[this.selected];
      this.place.value = `Step ${this.selected + 1} of ${this.steps.length}: ` +
        `${step.name}, ${step.what}`;
      this.scrollTo(step);
      this.render();
      this.showLine(step);
    }

    scrollTo(step) {
      const { box } = this, head = this.heads.offsetHeight;
      const top = this.y(step.row), bottom = top + BOX + head + SPARE;
      if (top < box.scrollTop) box.scrollTop = top - SPARE;
      else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
      const left = this.x(step.thread) - GAP, right = left + this.lane;
      if (left < box.scrollLeft + NUMBER) box.scrollLeft = left - NUMBER;
      else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
    }

    showLine(step) {
      for (const line of this.panel.querySelectorAll(".current")) line.classList.remove("current");
      const line = step.line && this.panel.querySelector(`[data-line="${step.line}"]`);
      if (!line) return;
      line.classList.add("current");
      const pre = line.closest("pre");
      const top = line.offsetTop - pre.offsetTop;
      if (top < pre.scrollTop || top + line.offsetHeight > pre.scrollTop + pre.clientHeight)
        pre.scrollTop = top - pre.clientHeight / 2;
    }
  }

  /* Puts the timeline before the table, which stays, folded, for those who like it better. */
  return finding => {
    const data = read(finding);
    if (!data.steps.length) return;
    const timeline = new Timeline(finding, data);
    const table = make("details", "as-table");
    table.append(make("summary", "", "The same as a table"));
    data.schedule.before(timeline.stage, table);
    table.append(data.schedule);
    timeline.measure();
    timeline.select(data.steps.length - 1);
  };
})();
