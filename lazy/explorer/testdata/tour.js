"use strict";
(async function () {
  const found = { Views: [], Alerts: [], Opened: 0, Marked: {}, Tabs: [], Wide: [], Nameless: [], Violations: [] };
  const ready = async (id) => {
    const panel = document.getElementById("view-" + id);
    for (let i = 0; i < 400 && !("ready" in panel.dataset); i++) await new Promise((f) => setTimeout(f, 25));
    await new Promise((f) => setTimeout(f, 50));
    return panel;
  };
  const key = (node, name) => node.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  try {
    const graph = await ready("graph");
    found.Milliseconds = performance.now();
    const folded = () => graph.querySelectorAll('.node[aria-expanded="false"]').length;
    document.querySelector("#view-graph .bar button").click(); // fold all
    const before = graph.querySelectorAll(".node").length, layer = graph.querySelector('.node[aria-expanded="false"]');
    if (layer) { layer.focus(); key(layer, "Enter"); found.Opened = graph.querySelectorAll(".node").length - before; if (folded() < 0) throw new Error("nothing folds"); }
    key(graph.querySelector('[tabindex="0"]'), "ArrowDown");
    if (!document.activeElement.dataset.id) throw new Error("an arrow does not move the focus in the graph");
    for (const v of page.views) {
      document.getElementById("tab-" + v.id).click();
      const panel = await ready(v.id);
      found.Views.push(v.id);
      for (const alert of panel.querySelectorAll('[role="alert"], .bad')) found.Alerts.push(v.id + ": " + alert.textContent);
      const wide = document.documentElement.scrollWidth - innerWidth;
      if (wide > 0) found.Wide.push(`${v.id}: ${wide}: ` + [...document.querySelectorAll("body *")].filter((n) => n.getBoundingClientRect().right > innerWidth - 1 && !n.parentElement.closest(".scroll, .canvas, .code, #tabs")).map((n) => n.getBoundingClientRect().right + n.outerHTML.slice(0, 60)).slice(0, 3));
      for (const x of panel.querySelectorAll('button, a, input, select, [tabindex="0"]')) {
        const name = x.getAttribute("aria-label") || x.textContent || (x.id && document.querySelector(`label[for="${x.id}"]`)?.textContent) || x.closest("label")?.textContent;
        if (!name || !name.trim()) found.Nameless.push(v.id + ": " + x.outerHTML.slice(0, 80));
      }
      if (window.axe) {
        const result = await axe.run(document, { resultTypes: ["violations"] });
        for (const bad of result.violations) found.Violations.push(`${v.id}: ${bad.id}: ${bad.nodes.length}: ${bad.nodes[0].html.slice(0, 160)} ${bad.nodes[0].failureSummary}`);
      }
    }
    const conv = page.model.calls.find((c) => /conv|mm/.test(c.op));
    page.select([conv.id], null, "tour");
    for (const v of page.views) found.Marked[v.id] = document.querySelectorAll(`#view-${v.id} .marked`).length;
    let tab = document.getElementById("tab-" + page.views[0].id);
    tab.click(); tab.focus();
    for (const v of page.views) {
      found.Tabs.push(document.activeElement.id.replace("tab-", ""));
      key(document.activeElement, "ArrowRight");
    }
  } catch (error) { found.Error = String(error.stack || error); }
  document.body.append(Object.assign(document.createElement("pre"), { id: "found", textContent: JSON.stringify(found) }));
})();
