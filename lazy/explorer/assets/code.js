"use strict";
// The stages as text, two side by side; lines of the selected calls are marked in both.

const stageTitles = { aten: "ATen, as recorded", torch: "torch dialect", stablehlo: "StableHLO", linalg: "linalg on tensors", kernel: "kernels", asm: "machine code of this processor", aie: "array: object FIFOs", "aie-lowered": "array: buffers, locks, flows" };

page.view({
  id: "stages", label: "Stages", fill: true,
  async draw(panel) {
    const panes = el("div", { class: "panes" });
    panel.append(panes);
    for (const [number, first] of [["Left", "aten"], ["Right", "linalg"]]) panes.append(codePane(number, first));
  },
});

function codePane(side, first) {
  const code = el("div", { class: "code", tabindex: "0", role: "region", "aria-label": `${side} stage; arrow up and down go from call to call` });
  const note = el("p", { class: "quiet" });
  const choice = el("select", { id: "stage-" + side }, page.model.stages.map((s) => el("option", { value: s, selected: s === first }, stageTitles[s] || s)));
  const pane = { code, stage: null, lines: [], at: -1 };
  const show = async () => {
    const name = choice.value;
    note.textContent = "Loading…"; note.className = "quiet"; code.replaceChildren(); pane.stage = null;
    try {
      const stage = await page.part("stage/" + name);
      if (choice.value !== name) return;
      note.textContent = `${stage.lines.length.toLocaleString("en")} lines` + (stage.more ? "; the rest is left out here: acap emit writes all" : "");
      fillCode(pane, stage);
      markCode(pane, page.selection, true);
    } catch (error) { note.textContent = error.message; note.className = "bad"; }
  };
  choice.addEventListener("change", show);
  code.addEventListener("click", (event) => {
    const line = event.target.closest(".line.of");
    if (line && !String(getSelection())) choose(pane, +line.dataset.span);
  });
  code.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !pane.stage || !pane.stage.spans.length) return;
    event.preventDefault();
    choose(pane, Math.min(pane.stage.spans.length - 1, Math.max(0, pane.at + step)));
    scrollToLine(pane, pane.stage.spans[pane.at].from);
  });
  page.onSelect((selection, origin) => markCode(pane, selection, origin !== pane));
  show();
  return el("div", { class: "pane" }, el("div", { class: "bar" }, el("label", { for: "stage-" + side }, side + " stage"), choice, note), code);
}

function choose(pane, span) {
  pane.at = span;
  page.select(pane.stage.spans[span].calls, pane.stage.spans[span].kernel, pane);
}

// fillCode shows a stage in chunks, which browsers lay out when they come into view.
function fillCode(pane, stage) {
  const spanAt = new Int32Array(stage.lines.length).fill(-1);
  stage.spans.forEach((s, i) => spanAt.fill(i, s.from, s.to));
  const each = 250, chunks = [];
  pane.lines = [];
  for (let from = 0; from < stage.lines.length; from += each) {
    const lines = stage.lines.slice(from, from + each).map((text, i) => {
      const span = spanAt[from + i];
      const line = el("span", { class: span >= 0 ? "line of" : "line", "data-n": from + i + 1, "data-span": span >= 0 ? span : null }, tokens(text));
      pane.lines.push(line);
      return line;
    });
    const chunk = el("div", { class: "chunk" }, lines);
    chunk.style.containIntrinsicSize = `auto ${lines.length * 18.75}px`;
    chunks.push(chunk);
  }
  pane.code.replaceChildren(...chunks);
  pane.stage = stage;
  pane.at = -1;
}

// markCode marks the lines of the selection.
function markCode(pane, selection, scroll) {
  if (!pane.stage) return;
  for (const line of pane.code.querySelectorAll(".marked")) line.classList.remove("marked");
  let first = -1;
  pane.stage.spans.forEach((span, i) => {
    const kernel = span.kernel === undefined || span.kernel === null ? null : span.kernel;
    const on = selection.kernel !== null && kernel !== null ? kernel === selection.kernel : span.calls.some((c) => selection.calls.has(c));
    if (!on) return;
    if (first < 0) first = i;
    for (let n = span.from; n < Math.min(span.to, kernel === null ? span.to : span.from + 1); n++) pane.lines[n]?.classList.add("marked");
  });
  if (first >= 0) { if (scroll) { pane.at = first; scrollToLine(pane, pane.stage.spans[first].from); } }
}

function scrollToLine(pane, line) {
  const at = pane.lines[line];
  if (at && pane.code.offsetParent) pane.code.scrollTop += at.getBoundingClientRect().top - pane.code.getBoundingClientRect().top - pane.code.clientHeight / 3;
}

const token = /(\/\/.*|;.*$)|("(?:[^"\\]|\\.)*")|([%@][\w.#$-]+|\^bb\d+)|(\b(?:tensor|memref|vector)<[^<>]*(?:<[^<>]*>)?[^<>]*>|!\w+\.\w+|\b(?:index|[fi](?:8|16|32|64)|bf16|i1)\b)|\b((?:func|linalg|arith|tensor|scf|math|aten|torch|stablehlo|aie|aiex|affine|memref|acap|chlo)\.[\w.]+)|(-?\b\d[\w.+]*)/g;

// tokens colours a line of MLIR.
function tokens(text) {
  const out = [];
  let at = 0;
  for (const m of text.matchAll(token)) {
    if (m.index > at) out.push(text.slice(at, m.index));
    const kind = m[1] ? "c" : m[2] ? (/^"\w+\.[\w.]+"$/.test(m[2]) ? "o" : "s") : m[3] ? "v" : m[4] ? "t" : m[5] ? "o" : "n";
    out.push(el("span", { class: "t-" + kind }, m[0]));
    at = m.index + m[0].length;
  }
  out.push(text.slice(at));
  return out;
}
