"use strict";
// Two runs side by side: a second one from the command line, or from another saved page.

page.view({
  id: "compare", label: "Compare",
  async draw(panel) {
    const mine = await page.part("program"), slot = el("div", { "aria-live": "polite" });
    const file = el("input", { type: "file", id: "other-page", accept: ".html,text/html" });
    const show = (other) => slot.replaceChildren(...compared(mine, other));
    file.addEventListener("change", async () => {
      if (!file.files[0]) return;
      try {
        const other = new DOMParser().parseFromString(await file.files[0].text(), "text/html");
        const read = (name) => JSON.parse(other.querySelector(`script[data-part="${name}"]`).textContent);
        show({ model: read("model"), program: read("program") });
      } catch { slot.replaceChildren(el("p", { class: "bad" }, "The file is no saved page of the explorer.")); }
    });
    panel.append(el("p", { class: "quiet" }, "Start with acap view MODEL -compare OTHER, or choose a page that was saved before: the same model on another machine, another version, another import."),
      el("div", { class: "bar" }, el("label", { for: "other-page" }, "Saved page"), file), slot);
    if (page.model.parts.includes("other")) show(await page.part("other"));
  },
});

function compared(mine, other) {
  const seconds = (p) => p.total?.seconds;
  const parts = [el("dl", {}, el("dt", {}, "This run"), el("dd", {}, `${page.model.name} on ${page.model.device}: ${units.seconds(seconds(mine))}, ${mine.kernels.length} kernels, ${page.model.calls.length} calls`),
    el("dt", {}, "Other run"), el("dd", {}, `${other.model.name} on ${other.model.device}: ${units.seconds(seconds(other.program))}, ${other.program.kernels.length} kernels, ${other.model.calls.length} calls`))];
  if (seconds(mine) && seconds(other.program)) parts.push(el("p", {}, `The other run takes ${(seconds(other.program) / seconds(mine)).toFixed(2)} times as long.`));
  if (other.program.error) return [el("p", { class: "bad" }, other.program.error)];
  parts.push(pairTable(mine.kernels.filter((k) => !k.once), other.program.kernels.filter((k) => !k.once), page.model, other.model, "this run", "other run"));
  return parts;
}

// pairs puts the kernels of two runs side by side: those that hold the same operators, in order
// (the longest common subsequence), the others alone.
function pairs(a, b, modelA, modelB) {
  const key = (k, model) => k.calls.map((c) => page.short(model.calls[c - 1]?.op ?? "").replace(/^_/, "").split(".")[0]).filter((o) => !/batch_norm|flatten|view|reshape/.test(o)).join(" ") || k.name.replace(/^k\d+_/, "");
  const x = a.map((k) => key(k, modelA)), y = b.map((k) => key(k, modelB));
  const best = Array.from({ length: x.length + 1 }, () => new Int32Array(y.length + 1));
  for (let i = x.length - 1; i >= 0; i--) for (let j = y.length - 1; j >= 0; j--) best[i][j] = x[i] === y[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
  const out = [];
  let i = 0, j = 0;
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) out.push([a[i++], b[j++]]);
    else if (j >= y.length || i < x.length && best[i + 1][j] >= best[i][j + 1]) out.push([a[i++], null]);
    else out.push([null, b[j++]]);
  }
  return out;
}

function pairTable(a, b, modelA, modelB, nameA, nameB) {
  const rows = pairs(a, b, modelA, modelB), most = Math.max(1e-12, ...a.concat(b).map((k) => k.seconds || 0));
  const bar = (k, second) => { const s = el("span", { class: second ? "share second" : "share", "aria-hidden": "true" }); s.style.width = `${60 * (k?.seconds || 0) / most}px`; return s; };
  const text = (k) => (k ? (k.problem ? el("span", { class: "bad" }, "cannot run") : units.seconds(k.seconds)) : "–");
  return table(`Kernels: ${nameA} and ${nameB}`, [
    { title: nameA, cell: ([k]) => (k ? el("code", {}, k.name) : "–") }, { title: nameB, cell: ([, k]) => (k ? el("code", {}, k.name) : "–") },
    { title: "Time", number: true, sort: ([k]) => k?.seconds || 0, cell: ([k]) => text(k) }, { title: unseen("as a bar"), cell: ([k]) => bar(k, false) },
    { title: "Other", number: true, sort: ([, k]) => k?.seconds || 0, cell: ([, k]) => text(k) }, { title: unseen("other as a bar"), cell: ([, k]) => bar(k, true) },
    { title: "Ratio", number: true, sort: ([x, y]) => (x?.seconds && y?.seconds ? y.seconds / x.seconds : 0), cell: ([x, y]) => (x?.seconds && y?.seconds ? (y.seconds / x.seconds).toFixed(2) : "–") },
    { title: "Bound by", cell: ([x, y]) => [x?.bound, y?.bound].filter(Boolean).join(" → ") }], rows);
}
