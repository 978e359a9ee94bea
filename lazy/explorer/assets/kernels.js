"use strict";
// Kernels and groups, as tables.

page.view({
  id: "kernels", label: "Kernels",
  async draw(panel) {
    const program = await page.part("program");
    const state = { measured: null };
    const slot = el("div");
    const adds = (k) => (k.launch || 0) + (k.array || 0);
    const most = Math.max(...program.kernels.filter((k) => !k.once).map(adds), 1e-12);
    const columns = [
      { title: "Kernel", sort: (k) => k.name, cell: (k, i) => el("button", { type: "button", class: "link mono", onclick: () => page.select(k.calls, i, "kernels") }, k.name + (k.once ? " (once)" : "")) },
      { title: "Kind", sort: (k) => k.kind, cell: (k) => k.kind },
      { title: "Launch", number: true, sort: (k) => k.launch || 0, cell: (k) => units.seconds(k.launch) },
      { title: "Array", number: true, sort: (k) => k.array || 0, cell: (k) => units.seconds(k.array) },
      { title: unseen("both as a bar, for a run"), cell: (k) => { const bar = el("span", { class: "share", "aria-hidden": "true" }); bar.style.width = `${70 * (k.once ? 0 : adds(k)) / most}px`; return bar; } },
      { title: "Bound by", sort: (k) => k.bound || "", cell: (k) => k.problem ? el("span", { class: "bad" }, k.problem) : k.bound || "–" },
      { title: "Of peak", number: true, sort: (k) => k.of_peak || 0, cell: (k) => k.of_peak ? units.percent(k.of_peak) : "–" },
      { title: "Cores", number: true, sort: (k) => k.cores || 0, cell: (k) => k.cores || "–" },
      { title: "Multiply-adds", number: true, sort: (k) => k.macs || 0, cell: (k) => (k.macs ? k.macs.toLocaleString("en") : "–") },
      { title: "Bytes", number: true, sort: (k) => k.bytes, cell: (k) => units.bytes(k.bytes) },
      { title: "On this machine", number: true, sort: (k) => state.measured?.kernels[program.kernels.indexOf(k)] || 0, cell: (k, i) => (state.measured ? units.seconds(state.measured.kernels[i]) : "…") },
      { title: "Calls", wide: true, cell: (k) => k.calls.map((c) => page.short(page.model.calls[c - 1].op)).join(", ") },
      { title: "Mapping", wide: true, cell: (k) => el("code", {}, k.mapping || "–") },
    ];
    let rows = null;
    const draw = () => { slot.replaceChildren(table("Kernels in the order in which they run", columns, program.kernels, { drawn: (b) => { rows = b; markRows(b, program); } })); };
    draw();
    panel.append(...totals(program), slot, el("h2", {}, "Groups"), ...program.groups.map((g) => groupBox(g, program)),
      ...(program.warnings || []).map((w) => el("p", { class: "bad" }, w)));
    page.onSelect(() => rows && markRows(rows, program));
    page.part("measured").then((m) => { state.measured = m; draw(); }, () => { state.measured = { kernels: [] }; draw(); });
  },
});

function markRows(body, program) {
  for (const row of body.rows) {
    const k = +row.dataset.row, s = page.selection;
    row.classList.toggle("marked", s.kernel !== null ? s.kernel === k : program.kernels[k].calls.some((c) => s.calls.has(c)));
  }
}

// totals says what the run takes.
function totals(program) {
  const t = program.total;
  if (!t) return [el("p", {}, `${program.kernels.length} kernels on ${page.model.device}; only arrays predict times.`)];
  const facts = [["Time", units.seconds(t.seconds)], ["Of peak", units.percent(t.peak_share)], ["Calls of the host", `${t.calls}, ${units.seconds(t.cost.call + t.cost.write)}`],
    ["Launches", units.seconds(t.cost.load + t.cost.switch - t.cost.hidden)], ["Array", units.seconds(t.cost.array - t.cost.early)],
    ["Memory outside", `${units.bytes(t.l3_read)} read, ${units.bytes(t.l3_write)} written`], ["Energy", `${units.number(t.joules_estimate * 1e6)} µJ (estimate)`]];
  return [el("p", {}, program.verdict), el("dl", { class: "facts" }, facts.map(([a, b]) => el("div", {}, el("dt", {}, a), el("dd", {}, b))))];
}

function groupBox(g, program) {
  const work = program.groups.reduce((s, x) => s + x.work, 0);
  return el("details", {}, el("summary", {}, `${g.title}${g.function ? " = @" + g.function : ""}: ${g.ops.length} operations, ${work ? units.percent(g.work / work) : "0%"} of the work`),
    g.problem ? el("p", { class: "bad" }, g.problem) : null,
    el("p", { class: "mono" }, g.ops.join(" ")),
    el("p", {}, g.kernels.map((k) => el("button", { type: "button", class: "link mono", onclick: () => page.select(program.kernels[k].calls, k, "kernels") }, program.kernels[k].name))));
}
