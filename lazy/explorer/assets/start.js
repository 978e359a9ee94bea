"use strict";
// Starts the page: tabs, search, and what is known of the selection.

(function () {
  page.served = /^https?:$/.test(location.protocol);
  page.model = JSON.parse(document.querySelector('script[data-part="model"]').textContent);
  const model = page.model;
  document.getElementById("save").hidden = !page.served;
  document.getElementById("facts").textContent = [`${model.calls.length} calls on ${model.device}`, model.note].filter(Boolean).join(" · ");
  page.part("program").then((p) => {
    const run = p.kernels.filter((k) => !k.once).length;
    document.getElementById("facts").textContent += ` · ${run} kernels` + (p.total ? ` · ${units.seconds(p.total.seconds)} predicted` : "");
  }).catch((error) => page.say(error.message));
  tabs();
  search();
  page.onSelect(showSelection);
  showSelection(page.selection);
  open(location.hash.slice(1) || "graph", false);
  addEventListener("hashchange", () => open(location.hash.slice(1), false));

  // tabs makes the tab list and an empty panel for each view that the document has.
  function tabs() {
    const list = document.getElementById("tabs"), panels = document.getElementById("panels");
    page.views = page.views.filter((v) => !v.needs || model.parts.includes(v.needs));
    for (const v of page.views) {
      v.tab = el("button", { type: "button", role: "tab", id: "tab-" + v.id, "aria-controls": "view-" + v.id, "aria-selected": "false", tabindex: "-1", onclick: () => open(v.id, true) }, v.label);
      v.panel = el("section", { role: "tabpanel", id: "view-" + v.id, "aria-labelledby": "tab-" + v.id, class: v.fill ? "fill" : null, hidden: true });
      list.append(v.tab); panels.append(v.panel);
    }
    list.addEventListener("keydown", (event) => {
      const now = page.views.findIndex((v) => v.tab === document.activeElement), n = page.views.length;
      const to = { ArrowRight: (now + 1) % n, ArrowLeft: (now + n - 1) % n, Home: 0, End: n - 1 }[event.key];
      if (to === undefined || now < 0) return;
      event.preventDefault();
      open(page.views[to].id, true);
      page.views[to].tab.focus();
    });
  }

  async function open(id, remember) {
    const view = page.views.find((v) => v.id === id) || page.views[0];
    for (const v of page.views) {
      v.tab.setAttribute("aria-selected", v === view);
      v.tab.tabIndex = v === view ? 0 : -1;
      v.panel.hidden = v !== view;
    }
    if (remember) history.replaceState(null, "", "#" + view.id);
    if (view.drawn) return;
    view.drawn = true;
    const wait = el("p", { class: "quiet" }, "Loading…");
    view.panel.append(wait);
    try { await view.draw(view.panel); }
    catch (error) { view.panel.append(el("p", { class: "bad", role: "alert" }, error.message)); }
    wait.remove();
    view.panel.dataset.ready = "";
  }
  page.open = open;

  function search() {
    const query = document.getElementById("query"), list = document.getElementById("calls");
    list.append(...[...new Set(model.calls.flatMap((c) => [c.name, page.short(c.op)]).filter(Boolean))].slice(0, 500).map((t) => el("option", { value: t })));
    document.getElementById("find").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = query.value.trim().toLowerCase();
      const found = text ? model.calls.filter((c) => [c.op, c.name, `${c.file}:${c.line}`].some((t) => t && t.toLowerCase().includes(text))) : [];
      if (found.length) page.select(found.map((c) => c.id), null, "search");
      else page.say("No call has this name.");
    });
  }

  // showSelection describes the selected calls: types, operands, source, kernels.
  function showSelection(selection) {
    const box = document.getElementById("selected"), calls = [...selection.calls].map((id) => model.calls[id - 1]).filter(Boolean);
    if (!calls.length) { box.replaceChildren(el("p", { class: "quiet" }, "Choose a call in the graph, in the text of a stage, or a kernel: it is marked in all views.")); return; }
    const most = 6;
    box.replaceChildren(...calls.slice(0, most).flatMap((c) => describe(c, calls.length === 1)), ...(calls.length > most ? [el("p", { class: "quiet" }, `and ${calls.length - most} more calls`)] : []));
    page.part("program").then((program) => {
      const kernels = selection.kernel !== null ? [selection.kernel] : page.kernelsOf(program, selection.calls);
      if (page.selection !== selection) return;
      box.append(el("h3", {}, "Kernels"), kernels.length ? el("ul", { class: "plain" }, kernels.slice(0, 20).map((k) => {
        const x = program.kernels[k];
        return el("li", {}, el("button", { type: "button", class: "link mono", onclick: () => page.select(x.calls, k, "aside") }, x.name), ` ${x.kind}, ${units.seconds(x.seconds)}${x.bound ? ", bound by " + x.bound : ""}${x.once ? ", once" : ""}`);
      })) : el("p", { class: "quiet" }, "None: the compiler needs nothing for it."));
    }).catch(() => {});
    const views = el("p", {}, page.views.filter((v) => ["graph", "stages", "kernels", "timeline"].includes(v.id)).map((v) => el("button", { type: "button", class: "link", onclick: () => open(v.id, true) }, "in " + v.label.toLowerCase())));
    box.append(views);
  }

  function describe(c, alone) {
    const facts = [["Gives", (c.types || []).join(", ")]];
    if (c.name) facts.push(["Layer", c.name]);
    if (alone && c.operands) facts.push(["Takes", el("ul", { class: "plain" }, c.operands.map((o) => el("li", { class: "mono" }, o)))]);
    if (alone && c.options) facts.push(["Options", el("ul", { class: "plain" }, c.options.map((o) => el("li", { class: "mono" }, o)))]);
    if (c.file) facts.push(["Line", el("span", { class: "mono" }, `${c.file}:${c.line}`)]);
    const parts = [el("h3", { class: "mono" }, c.op), el("dl", {}, facts.map(([a, b]) => [el("dt", {}, a), el("dd", {}, b)]))];
    const lines = model.sources?.[c.file];
    if (alone && lines?.[c.line]) {
      parts.push(el("div", { class: "code scroll", tabindex: "0", role: "region", "aria-label": "Source" }, Object.keys(lines).map(Number).filter((n) => Math.abs(n - c.line) <= 4).map((n) =>
        el("span", { class: n === c.line ? "line marked" : "line", "data-n": n }, lines[n]))));
    }
    return parts;
  }
})();
