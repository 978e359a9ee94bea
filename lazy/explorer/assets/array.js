"use strict";
// The array's floor plan: what runs where, for the whole run or a kernel.

page.view({
  id: "array", label: "Array", needs: "array",
  async draw(panel) {
    const [floor, program] = await Promise.all([page.part("array"), page.part("program")]);
    const choice = el("select", { id: "floor-kernel" }, el("option", { value: "" }, "the whole run"),
      floor.kernels.map((k) => el("option", { value: k.kernel }, program.kernels[k.kernel].name)));
    const slot = el("div");
    const draw = () => {
      const kernel = choice.value === "" ? null : floor.kernels.find((k) => k.kernel === +choice.value);
      slot.replaceChildren(...drawFloor(floor, kernel, program));
    };
    choice.addEventListener("change", () => { draw(); if (choice.value !== "") page.select(program.kernels[+choice.value].calls, +choice.value, "array"); });
    page.onSelect((selection, origin) => {
      if (origin === "array") return;
      const k = selection.kernel ?? page.kernelsOf(program, selection.calls)[0];
      if (floor.kernels.some((x) => x.kernel === k)) { choice.value = k; draw(); }
    });
    panel.append(el("p", { class: "quiet" }, "The busy share of every tile while the array works: of cores the time in kernel calls, of the others that of their busiest channel."),
      el("div", { class: "bar" }, el("label", { for: "floor-kernel" }, "Show"), choice), slot);
    draw();
  },
});

function drawFloor(floor, kernel, program) {
  const cell = 46, gap = 4, left = 78, columns = floor.columns, rows = floor.rows.length;
  const busy = new Map((kernel ? kernel.tiles : floor.tiles).map((t) => [t.column + "," + t.row, t.busy]));
  const dead = new Set((floor.dead || []).map((d) => d.join(",")));
  const width = left + columns * (cell + gap) + 8, height = rows * (cell + gap) + 24;
  const out = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `Floor plan of ${columns} columns and ${rows} rows; ${busy.size} tiles are used. The table below has the same numbers.` });
  for (let row = 0; row < rows; row++) {
    const y = (rows - 1 - row) * (cell + gap) + 2;
    out.append(svg("text", { x: 2, y: y + cell / 2 + 4, class: "soft" }, `${floor.rows[row]} ${row}`));
    for (let column = 0; column < columns; column++) {
      const key = column + "," + row, v = busy.get(key), x = left + column * (cell + gap);
      const kind = dead.has(key) ? "dead" : v === undefined ? "free" : "";
      const rect = svg("rect", { x, y, width: cell, height: cell, rx: 5 });
      if (v !== undefined) rect.style.fill = `color-mix(in oklab, var(--series2) ${Math.round(8 + 72 * Math.min(1, v))}%, var(--card))`;
      out.append(svg("g", { class: "tile " + kind }, svg("title", {}, `${floor.rows[row]} (${column}, ${row}): ${v === undefined ? (kind === "dead" ? "dead" : "not used") : units.percent(v) + " busy"}`), rect,
        v === undefined ? null : svg("text", { x: x + cell / 2, y: y + cell / 2 + 4, "text-anchor": "middle" }, Math.round(100 * v))));
    }
  }
  for (let column = 0; column < columns; column++) out.append(svg("text", { class: "soft", x: left + column * (cell + gap) + cell / 2, y: height - 6, "text-anchor": "middle" }, column));
  const parts = [el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Floor plan" }, out)];
  if (kernel) {
    const k = program.kernels[kernel.kernel];
    parts.push(el("p", {}, `${k.name} on ${k.cores} cores, ${units.seconds(k.array)} by the time model` + (kernel.seconds ? `, ${units.seconds(kernel.seconds)} by the event engine` : "") + `; bound by ${k.bound}.`), el("p", { class: "mono" }, k.mapping));
    if (kernel.problem) parts.push(el("p", { class: "bad" }, kernel.problem));
    if (kernel.used) parts.push(table("What the fullest tile of each kind holds", [
      { title: "Kind", cell: (u) => u.kind }, { title: "Tiles", number: true, cell: (u) => u.tiles },
      { title: "Memory", number: true, cell: (u) => `${units.bytes(u.memory)} of ${units.bytes(u.memory_of)}` }, { title: "Locks", number: true, cell: (u) => `${u.locks} of ${u.locks_of}` }], kernel.used));
  }
  const list = kernel ? kernel.tiles : floor.tiles;
  parts.push(el("details", {}, el("summary", {}, "The tiles as a table"), table("Tiles that are used", [
    { title: "Tile", cell: (t) => `${floor.rows[t.row]} (${t.column}, ${t.row})` }, { title: "Busy", number: true, sort: (t) => t.busy, cell: (t) => units.percent(t.busy) }], list)));
  return parts;
}
