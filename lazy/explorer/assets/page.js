"use strict";
// The state of the page: its parts, its views, and the selected calls.

const page = {
  model: null,
  views: [],
  parts: new Map(),
  selection: { calls: new Set(), kernel: null },
  listeners: [],
};

// part returns a part of the document: from the page, or from the server that made it.
page.part = function (name) {
  if (!page.parts.has(name)) page.parts.set(name, page.load(name));
  return page.parts.get(name);
};

page.load = async function (name) {
  const kept = document.querySelector(`script[data-part="${CSS.escape(name)}"]`);
  let value;
  if (kept) {
    value = JSON.parse(kept.textContent);
  } else if (page.served) {
    const answer = await fetch("part/" + name.split("/").map(encodeURIComponent).join("/"));
    value = await answer.json();
  } else {
    throw new Error("This saved page does not hold it; open the model with `acap view`.");
  }
  if (value && value.error) throw new Error(value.error);
  return value;
};

// select marks calls, or a kernel and its calls, in all views. origin is the view that asks.
page.select = function (calls, kernel, origin) {
  page.selection = { calls: new Set(calls), kernel: kernel ?? null };
  for (const f of page.listeners) f(page.selection, origin);
  const first = page.model.calls[calls[0] - 1];
  page.say(first ? `${calls.length === 1 ? "Selected" : calls.length + " calls selected, the first is"} ${page.label(first)}` : "Nothing selected");
};

page.onSelect = function (f) { page.listeners.push(f); };

page.say = function (text) { document.getElementById("status").textContent = text; };

// label names a call: its layer and its operator.
page.label = (call) => `${page.short(call.op)}${call.name ? " of " + call.name : ""}`;
page.short = (op) => op.replace(/^aten\./, "");

// kernelsOf lists the kernels that hold any of the calls.
page.kernelsOf = (program, calls) => program.kernels.map((k, i) => i).filter((i) => program.kernels[i].calls.some((c) => calls.has(c)));

// view adds a view: draw fills its panel once, when it is first opened.
page.view = function (v) { page.views.push(v); };

// el makes an element: el("p", { class: "x", onclick: f }, "text", child, …).
function el(name, attributes, ...children) { return fill(document.createElement(name), attributes, children); }
function svg(name, attributes, ...children) { return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children); }
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
  return node;
}

// unseen is text for who listens to the page.
const unseen = (text) => el("span", { class: "unseen" }, text);

// Units, as the reports of the command have them.
const units = {
  number: (v) => (v >= 100 ? Math.round(v).toLocaleString("en") : v.toPrecision(3).replace(/\.?0+$/, "")),
  seconds(s) {
    if (!s) return "–";
    if (s >= 1) return units.number(s) + " s";
    if (s >= 1e-3) return units.number(s * 1e3) + " ms";
    return units.number(s * 1e6) + " µs";
  },
  bytes(n) {
    let unit = 0;
    while (n >= 1000 && unit < 4) { n /= 1024; unit++; }
    return units.number(n) + " " + ["B", "KiB", "MiB", "GiB", "TiB"][unit];
  },
  rate(v) { return v >= 1e12 ? units.number(v / 1e12) + " TOPS" : units.number(v / 1e9) + " GOPS"; },
  percent: (v) => (v > 0 && v < 0.001 ? "<0.1%" : (100 * v).toFixed(v < 0.1 ? 1 : 0) + "%"),
};

// table makes a table of rows. A column is { title, number, sort, cell }: cell gives text or an
// element of a row, sort what it is ordered by.
function table(caption, columns, rows, options = {}) {
  const body = el("tbody");
  let order = options.order ?? null, down = options.down ?? true;
  const head = columns.map((c, i) => {
    const button = c.sort ? el("button", { type: "button", onclick: () => { down = order === i ? !down : !!c.number; order = i; draw(); } }, c.title) : c.title;
    return el("th", { scope: "col", class: c.number ? "number" : null }, button);
  });
  function draw() {
    const list = rows.map((row, i) => ({ row, i }));
    if (order !== null) {
      const key = columns[order].sort;
      list.sort((a, b) => { const x = key(a.row), y = key(b.row); return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1) || a.i - b.i; });
      head.forEach((h, i) => (i === order ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort")));
    }
    body.replaceChildren(...list.map(({ row, i }) => el("tr", { "data-row": i },
      columns.map((c, n) => (n === 0 ? el("th", { scope: "row" }, c.cell(row, i)) : el("td", { class: c.number ? "number" : c.wide ? "wide" : null }, c.cell(row, i)))))));
    options.drawn?.(body);
  }
  draw();
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("caption", { class: "quiet" }, options.hide ? "" : caption), el("thead", {}, el("tr", {}, head)), body));
}
