"use strict";
// What would change the time: one respect of the machine, another machine, another precision.

page.view({
  id: "whatif", label: "What if", needs: "whatif",
  async draw(panel) {
    const [what, program] = await Promise.all([page.part("whatif"), page.part("program")]);
    const speed = (s) => (s ? (what.seconds / s).toFixed(2) + "×" : "–");
    panel.append(el("p", {}, `The program as it is takes ${units.seconds(what.seconds)} on ${what.machine}. All times are predictions; kernels are mapped anew.`),
      table("Machines that differ in one respect", [{ title: "Change", cell: (c) => c.change }, { title: "Time", number: true, sort: (c) => c.seconds, cell: (c) => units.seconds(c.seconds) }, { title: "Speed-up", number: true, sort: (c) => c.speedup, cell: (c) => c.speedup.toFixed(2) + "×" }], what.changes || []),
      table("Other machines and precisions", [
        { title: "Machine", sort: (r) => r.machine, cell: (r) => r.machine }, { title: "Products in", sort: (r) => r.precision, cell: (r) => r.precision }, { title: "Time", number: true, sort: (r) => r.seconds, cell: (r) => units.seconds(r.seconds) },
        { title: "Speed-up", number: true, sort: (r) => -r.seconds, cell: (r) => speed(r.seconds) }, { title: "Of peak", number: true, sort: (r) => r.peak_share, cell: (r) => units.percent(r.peak_share) },
        { title: "Energy (estimate)", number: true, sort: (r) => r.joules, cell: (r) => units.number(r.joules * 1e6) + " µJ" }, { title: unseen("problems"), cell: (r) => (r.missing ? el("span", { class: "bad" }, `${r.missing} kernels cannot run there`) : "") }], what.runs), what.asked ? el("p", { class: "quiet" }, page.served ? "The program is large: choose a machine or a precision below to have it computed." : "The program is large: other machines and precisions are not in a saved page; acap view without -o computes those that are chosen.") : "");
    const machine = el("select", { id: "what-machine" }, what.machines.map((m) => el("option", { value: m }, m)));
    const precision = el("select", { id: "what-precision" }, what.precisions.map((p) => el("option", { value: p }, p)));
    const slot = el("div", { "aria-live": "polite" });
    const run = async () => {
      slot.replaceChildren(el("p", { class: "quiet" }, "Computing…"));
      const m = machine.value, p = precision.value;
      try {
        const known = what.runs.find((r) => r.machine === m && r.precision === p);
        const there = known || await page.part(`whatif/${m}/${p}`);
        if (m !== machine.value || p !== precision.value) return;
        slot.replaceChildren(el("p", {}, `${units.seconds(there.seconds)} on ${m}, ${p}: ${speed(there.seconds)} of the speed. ${there.verdict}`),
          pairTable(program.kernels.filter((k) => !k.once), there.kernels, page.model, page.model, `${what.machine}`, `${m}, ${p}`));
      } catch (error) {
        slot.replaceChildren(el("p", { class: "bad" }, page.served ? error.message : "This combination is not in the saved page; acap view computes it."));
      }
    };
    machine.addEventListener("change", run); precision.addEventListener("change", run);
    panel.append(el("h2", {}, "Kernel by kernel"), el("div", { class: "bar" }, el("label", { for: "what-machine" }, "Machine"), machine, el("label", { for: "what-precision" }, "Products in"), precision), slot);
    run();
  },
});
