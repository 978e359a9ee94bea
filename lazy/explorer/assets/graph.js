"use strict";
// The graph of the model, laid out by dagre. Layers are folded or open.

page.view({
  id: "graph", label: "Graph", fill: true,
  async draw(panel) {
    const tree = layerTree(page.model);
    const state = { open: new Set(["layer:"]), zoom: 1, program: null, focus: null };
    openLone(tree, state.open);
    const box = el("div", { class: "canvas", role: "group", "aria-label": "Graph of the model; arrow keys move between nodes, Enter opens a layer or selects a call" });
    const button = (text, label, f) => el("button", { type: "button", "aria-label": label, onclick: f }, text);
    const scale = (z) => { state.zoom = Math.min(3, Math.max(0.15, z)); size(box, state); };
    panel.append(
      el("div", { class: "bar" },
        button("Fold all", "Fold all layers", () => { state.open = new Set(["layer:"]); openLone(tree, state.open); draw(); }),
        button("Open all", "Open all layers", () => { openAll(tree, state.open); draw(); }),
        button("−", "Zoom out", () => scale(state.zoom / 1.25)), button("+", "Zoom in", () => scale(state.zoom * 1.25)),
        button("Fit", "Fit the graph to the window", () => scale(Math.min(1.2, (box.clientWidth - 20) / state.width, (box.clientHeight - 20) / state.height)))),
      box,
      el("ul", { class: "legend", "aria-label": "Colours" }, Object.entries(families).map(([c, text]) =>
        el("li", {}, svg("svg", { "aria-hidden": "true" }, svg("rect", { class: c, width: "100%", height: "100%" })), text))));
    const draw = () => drawGraph(box, tree, state, (layer) => {
      state.open.has(layer.id) ? state.open.delete(layer.id) : state.open.add(layer.id);
      state.focus = layer.id;
      draw();
    });
    draw();
    if (state.width * state.zoom > box.clientWidth) scale(Math.max(0.5, (box.clientWidth - 20) / state.width));
    page.onSelect((selection, origin) => {
      if (origin !== "graph") reveal(tree, state.open, selection) && draw();
      markGraph(box, selection, origin !== "graph");
    });
    page.part("program").then((p) => { state.program = p; draw(); }).catch(() => {});
  },
});

// openLone opens a layer that stands alone at the top.
function openLone(tree, open) {
  for (let at = tree; at && at.children; at = at.children.filter((c) => c.children).length === 1 && at.children.length === 1 ? at.children[0] : null) open.add(at.id);
}
function openAll(node, open) { if (node.children) { open.add(node.id); node.children.forEach((c) => openAll(c, open)); } }

// reveal opens the layers of a selected call if it is the only one.
function reveal(tree, open, selection) {
  if (selection.calls.size !== 1) return false;
  const [id] = selection.calls;
  let changed = false, at = tree;
  while (at && at.children) {
    if (!open.has(at.id)) { open.add(at.id); changed = true; }
    at = at.children.find((c) => c.calls.includes(id));
  }
  return changed;
}

const nodeText = (node) => node.call ? page.short(node.call.op) : node.name;
function nodeNote(node, program) {
  const time = shareOf(node, program);
  if (node.call) return [node.label && !node.label.includes("\u0000") ? node.label : "", time].filter(Boolean).join(" · ") || (node.call.types[0] || "");
  return [`${node.calls.length} calls`, time].filter(Boolean).join(" · ");
}

// shareOf is the share of the predicted time that is spent in the calls of a node.
function shareOf(node, program) {
  if (!program) return "";
  const all = program.kernels.reduce((s, k) => s + (k.once ? 0 : k.seconds || 0), 0);
  if (!all) return "";
  const mine = new Set(node.calls);
  let sum = 0;
  for (const k of program.kernels) if (!k.once && k.seconds && k.calls.length) sum += k.seconds * k.calls.filter((c) => mine.has(c)).length / k.calls.length;
  return sum > 0 ? units.percent(sum / all) + " of time" : "";
}

// drawGraph lays out what is visible and draws it.
function drawGraph(box, tree, state, toggle) {
  const g = new dagre.graphlib.Graph({ compound: true });
  g.setGraph({ rankdir: "TB", nodesep: 22, ranksep: 34, edgesep: 12, marginx: 16, marginy: 16 });
  g.setDefaultEdgeLabel(() => ({}));
  const shown = new Map(); // of a call, the node that stands for it
  const nodes = [], layers = [];
  (function visit(node) {
    if (node.children && state.open.has(node.id)) {
      if (node !== tree) { layers.push(node); g.setNode(node.id, { label: node.name, paddingTop: 20 }); if (node.parent !== tree) g.setParent(node.id, node.parent.id); }
      node.children.forEach(visit);
      return;
    }
    const width = Math.max(7.2 * nodeText(node).length, 5.6 * nodeNote(node, state.program).length) + 26;
    g.setNode(node.id, { width: Math.min(260, Math.max(90, width)), height: 40 });
    if (node.parent && node.parent !== tree) g.setParent(node.id, node.parent.id);
    node.calls.forEach((c) => shown.set(c, node.id));
    nodes.push(node);
  })(tree);
  const inputs = page.model.inputs.map((input, i) => ({ id: "input:" + i, input, calls: [] }));
  for (const n of inputs) {
    g.setNode(n.id, { width: Math.max(90, 7.2 * n.input.name.length + 26, 5.6 * n.input.type.length + 26), height: 40 });
    n.input.users.forEach((u) => g.setEdge(n.id, shown.get(u)));
  }
  for (const call of page.model.calls) {
    for (const from of call.in || []) {
      const a = shown.get(from), b = shown.get(call.id);
      if (a !== b) g.setEdge(a, b);
    }
  }
  dagre.layout(g);
  state.width = g.graph().width; state.height = g.graph().height;
  const edges = g.edges().map((e) => svg("path", { class: "edge", d: curve(g.edge(e).points), "marker-end": "url(#arrow)", "data-from": e.v, "data-to": e.w }));
  const frames = layers.map((layer) => {
    const at = g.node(layer.id);
    const frame = svg("g", { class: "layer", role: "button", tabindex: "-1", "data-id": layer.id, "aria-expanded": "true",
      transform: `translate(${at.x - at.width / 2} ${at.y - at.height / 2})`, onclick: () => toggle(layer) },
      svg("rect", { width: at.width, height: at.height, rx: 10 }), svg("text", { x: 10, y: 15 }, "▾ " + layer.name));
    frame.activate = () => toggle(layer);
    return frame;
  });
  const boxes = nodes.concat(inputs).map((node) => {
    const at = g.node(node.id), folded = !!node.children;
    const title = node.input ? node.input.name : nodeText(node), note = node.input ? node.input.type : nodeNote(node, state.program);
    const kind = node.input ? "input" : folded ? "folder" : family(node.call.op);
    const act = node.input ? () => page.select(node.input.users, null, "graph") : folded ? () => toggle(node) : () => page.select([node.call.id], null, "graph");
    const out = svg("g", { class: `node ${folded ? "folded" : ""}`, role: "button", tabindex: "-1", "data-id": node.id,
      "aria-expanded": folded ? "false" : null,
      transform: `translate(${at.x - at.width / 2} ${at.y - at.height / 2})`, onclick: act },
      svg("rect", { class: kind, width: at.width, height: at.height, rx: node.input ? 18 : 6 }),
      svg("text", { x: at.width / 2, y: 17, "text-anchor": "middle" }, clip((folded ? "▸ " : "") + title, at.width / 7)), " ",
      svg("text", { x: at.width / 2, y: 31, "text-anchor": "middle", class: "small" }, clip(note, at.width / 5.4)));
    out.activate = act;
    out.calls = node.calls;
    return out;
  });
  const picture = svg("svg", { viewBox: `0 0 ${state.width} ${state.height}`, role: "presentation" },
    svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", fill: "var(--soft)" }))),
    frames, edges, boxes);
  picture.addEventListener("keydown", (event) => arrows(event, picture));
  box.replaceChildren(picture);
  size(box, state);
  const start = picture.querySelector(`[data-id="${CSS.escape(state.focus || "")}"]`);
  (start || boxes[0]).setAttribute("tabindex", "0");
  if (start) start.focus();
  state.focus = null;
  markGraph(box, page.selection, false);
}

function size(box, state) {
  const picture = box.querySelector("svg");
  picture.setAttribute("width", state.width * state.zoom);
  picture.setAttribute("height", state.height * state.zoom);
}

const clip = (text, most) => (text.length > most ? text.slice(0, Math.max(1, Math.floor(most) - 1)) + "…" : text);

// curve draws a smooth line through the points.
function curve(points) {
  let d = `M${points[0].x} ${points[0].y}`;
  for (let i = 1; i < points.length - 1; i++) {
    const x = (points[i].x + points[i + 1].x) / 2, y = (points[i].y + points[i + 1].y) / 2;
    d += i === points.length - 2 ? `Q${points[i].x} ${points[i].y} ${points[i + 1].x} ${points[i + 1].y}` : `Q${points[i].x} ${points[i].y} ${x} ${y}`;
  }
  if (points.length === 2) d += `L${points[1].x} ${points[1].y}`;
  return d;
}

// arrows moves the focus to the nearest node in a direction; Enter and Space act.
function arrows(event, picture) {
  const now = event.target.closest("[data-id]");
  if (!now) return;
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); now.activate(); return; }
  const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (!way) return;
  event.preventDefault();
  const middle = (n) => { const r = n.getBoundingClientRect(); return n.classList.contains("layer") ? [r.x + r.width / 2, r.y + 8] : [r.x + r.width / 2, r.y + r.height / 2]; };
  const [x, y] = middle(now);
  let best = null, least = Infinity;
  for (const n of picture.querySelectorAll("[data-id]")) {
    if (n === now) continue;
    const [u, v] = middle(n), along = (u - x) * way[0] + (v - y) * way[1], across = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
    if (along > 4 && along + 2.5 * across < least) { least = along + 2.5 * across; best = n; }
  }
  if (best) { now.setAttribute("tabindex", "-1"); best.setAttribute("tabindex", "0"); best.focus(); best.scrollIntoView({ block: "nearest", inline: "nearest" }); }
}

// markGraph marks the nodes of the selected calls.
function markGraph(box, selection, scroll) {
  const marked = new Set();
  for (const n of box.querySelectorAll(".node")) {
    const on = n.calls.some((c) => selection.calls.has(c));
    n.classList.toggle("marked", on);
    if (on) { marked.add(n.dataset.id); if (scroll) { n.scrollIntoView({ block: "nearest", inline: "nearest" }); scroll = false; } }
  }
  for (const e of box.querySelectorAll(".edge")) e.classList.toggle("marked", marked.has(e.dataset.from) || marked.has(e.dataset.to));
}
