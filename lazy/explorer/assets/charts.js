"use strict";
// The roofline and the memory over time.

page.view({
  id: "roofline", label: "Roofline", needs: "array",
  async draw(panel) {
    const program = await page.part("program"), points = program.roofline || [];
    if (!points.length) { panel.append(el("p", {}, "No kernel of the program computes on the array.")); return; }
    const left = 78, right = 16, top = 12, bottom = 44, wide = 660, high = 380;
    const decades = (low, high, values) => [Math.floor(Math.log10(Math.min(low, ...values))), Math.ceil(Math.log10(Math.max(high, ...values)))];
    const [x0, x1] = decades(0.1, 10, points.flatMap((p) => [p.intensity, 2 * p.peak / p.memory])), [y0, y1] = decades(1e9, 1e12, points.flatMap((p) => [p.rate, p.peak]));
    const px = (v) => left + wide * (Math.log10(v) - x0) / (x1 - x0), py = (v) => top + high * (1 - (Math.log10(v) - y0) / (y1 - y0));
    const out = svg("svg", { class: "chart", viewBox: `0 0 ${left + wide + right} ${top + high + bottom}`, width: left + wide + right, height: top + high + bottom, role: "group",
      "aria-label": "Roofline: operations per second against operations per byte, both logarithmic" });
    for (let e = x0; e <= x1; e++) out.append(svg("line", { class: "gridline", x1: px(10 ** e), x2: px(10 ** e), y1: top, y2: top + high }), svg("text", { class: "soft", x: px(10 ** e), y: top + high + 17, "text-anchor": "middle" }, 10 ** e));
    for (let e = y0; e <= y1; e++) out.append(svg("line", { class: "gridline", x1: left, x2: left + wide, y1: py(10 ** e), y2: py(10 ** e) }), svg("text", { class: "soft", x: left - 8, y: py(10 ** e) + 4, "text-anchor": "end" }, units.rate(10 ** e)));
    out.append(svg("text", { class: "soft", x: left + wide / 2, y: top + high + 38, "text-anchor": "middle" }, "operations per byte that comes from outside or goes there"));
    for (const peak of new Set(points.map((p) => p.peak))) {
      const memory = points.find((p) => p.peak === peak).memory, ridge = Math.min(Math.max(peak / memory, 10 ** x0), 10 ** x1), from = Math.max(10 ** x0, 10 ** y0 / memory);
      const name = points.find((p) => p.peak === peak).arithmetic;
      out.append(svg("text", { class: "soft", x: left + wide - 4, y: py(peak) - 5, "text-anchor": "end" }, `${name}, ${units.rate(peak)}`));
      out.append(svg("path", { class: "roof", d: `M${px(from)} ${py(from * memory)}L${px(ridge)} ${py(Math.min(peak, ridge * memory))}L${px(10 ** x1)} ${py(peak)}` }));
    }
    const of = (p) => p.rate / Math.min(p.peak, p.intensity * p.memory);
    const circles = points.map((p) => {
      const k = program.kernels[p.kernel], choose = () => page.select(k.calls, p.kernel, "roofline");
      return svg("circle", { class: "point", cx: px(p.intensity), cy: py(p.rate), r: 4 + 14 * Math.sqrt(p.share), tabindex: "0", role: "button", "aria-label": `${k.name}: ${units.rate(p.rate)}, ${units.percent(of(p))} of its roof`, onclick: choose,
        onkeydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); choose(); } } }, svg("title", {}, `${k.name}: ${units.rate(p.rate)}, ${units.percent(of(p))} of its roof, bound by ${k.bound}`));
    });
    out.append(...circles);
    const mark = () => points.forEach((p, i) => circles[i].classList.toggle("marked", page.selection.kernel !== null ? page.selection.kernel === p.kernel : program.kernels[p.kernel].calls.some((c) => page.selection.calls.has(c))));
    page.onSelect(mark); mark();
    panel.append(el("p", { class: "quiet" }, "Every kernel under the roofs of its types and of the memory; the area of a circle grows with the kernel's time."),
      el("figure", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Roofline" }, out),
      el("details", {}, el("summary", {}, "The points as a table"), table("Kernels under their roofs", [
        { title: "Kernel", cell: (p) => program.kernels[p.kernel].name }, { title: "Operations per byte", number: true, sort: (p) => p.intensity, cell: (p) => units.number(p.intensity) },
        { title: "Rate", number: true, sort: (p) => p.rate, cell: (p) => units.rate(p.rate) }, { title: "Of its roof", number: true, sort: of, cell: (p) => units.percent(of(p)) }], points)));
  },
});

const memoryUses = [["kept", "weights and what is kept", "series1"], ["inputs", "inputs", "series4"], ["results", "results", "series3"], ["between", "between kernels", "series2"]];

page.view({
  id: "memory", label: "Memory",
  async draw(panel) {
    const [memory, program] = await Promise.all([page.part("memory"), page.part("program")]);
    const steps = memory.steps;
    panel.append(el("p", {}, `A run takes ${units.bytes(memory.run)} at its peak beside its inputs; the program keeps ${units.bytes(memory.kept)} between runs.`));
    if (!steps.length) return;
    const off = new Set(["kept", "inputs"]), slot = el("div");
    const draw = () => slot.replaceChildren(memoryChart(steps, program, off));
    panel.append(el("div", { class: "bar", role: "group", "aria-label": "What is shown" }, memoryUses.map(([key, text, color]) => {
      const swatch = el("i", { "aria-hidden": "true" });
      swatch.style.background = `var(--${color})`;
      return el("button", { type: "button", class: "key", "aria-pressed": off.has(key) ? "false" : "true", onclick: (e) => { off.has(key) ? off.delete(key) : off.add(key); e.currentTarget.setAttribute("aria-pressed", !off.has(key)); draw(); } }, swatch, text);
    })), slot, el("details", {}, el("summary", {}, "The steps as a table"), table("Memory in use while each kernel runs", [
      { title: "Kernel", cell: (s) => program.kernels[s.kernel].name }, ...memoryUses.map(([key, text]) => ({ title: text, number: true, sort: (s) => s[key], cell: (s) => units.bytes(s[key]) }))], steps)),
      memory.largest ? table("The largest values", [
        { title: "Value", cell: (v) => (v.calls?.length ? el("button", { type: "button", class: "link", onclick: () => page.select(v.calls, null, "memory") }, v.op) : v.op) }, { title: "Bytes", number: true, cell: (v) => units.bytes(v.bytes) },
        { title: "Made by", cell: (v) => (v.calls || []).map((c) => page.label(page.model.calls[c - 1])).join(", ") }], memory.largest) : null);
    page.onSelect(draw);
    draw();
  },
});

function memoryChart(steps, program, off) {
  const each = Math.max(10, Math.min(44, 760 / steps.length)), left = 70, high = 260, top = 10, width = left + each * steps.length + 12;
  const shown = memoryUses.filter(([key]) => !off.has(key)), most = Math.max(1, ...steps.map((s) => shown.reduce((sum, [key]) => sum + s[key], 0)));
  const out = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${top + high + 24}`, width, height: top + high + 24, role: "img", "aria-label": `Memory over ${steps.length} kernels, at most ${units.bytes(most)}; the table below has the same numbers.` });
  for (let i = 0; i <= 4; i++) { const y = top + high * (1 - i / 4); out.append(svg("line", { class: "gridline", x1: left, x2: width, y1: y, y2: y }), svg("text", { class: "soft", x: left - 6, y: y + 4, "text-anchor": "end" }, units.bytes(most * i / 4))); }
  steps.forEach((s, i) => {
    let y = top + high;
    const k = program.kernels[s.kernel], on = page.selection.kernel === s.kernel || page.selection.kernel === null && k.calls.some((c) => page.selection.calls.has(c));
    const g = svg("g", {}, svg("title", {}, `${k.name}: ` + memoryUses.map(([key, text]) => `${units.bytes(s[key])} ${text}`).join(", ")));
    for (const [key, , color] of shown) {
      const h = high * s[key] / most;
      y -= h;
      const bar = svg("rect", { x: left + i * each + 1, y, width: each - 2, height: h });
      bar.style.fill = `var(--${color})`;
      g.append(bar);
    }
    if (on) g.append(svg("rect", { class: "marked", x: left + i * each, y: top, width: each, height: high, fill: "none" }));
    g.addEventListener("click", () => page.select(k.calls, s.kernel, "memory"));
    out.append(g);
  });
  out.append(svg("text", { class: "soft", x: left, y: top + high + 18 }, "kernels in the order in which they run"));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Memory over time" }, out);
}
