"use strict";
// The timeline: tracks of the host, kernels, cores and channels, to zoom and move.

page.view({
  id: "timeline", label: "Timeline", needs: "timeline",
  async draw(panel) {
    const [timeline, program] = await Promise.all([page.part("timeline"), page.part("program")]);
    const canvas = el("canvas", { id: "timeline-canvas", tabindex: "0", role: "img",
      "aria-label": `Timeline of ${units.seconds(timeline.seconds)} on ${timeline.tracks.length} tracks. Arrow left and right move, plus and minus zoom, 0 shows all. The table of kernels has the same times.` });
    const end = Math.max(timeline.seconds * 1e6, ...timeline.tracks.flatMap((t) => (t.slices.length ? [t.slices[t.slices.length - 1][0] + t.slices[t.slices.length - 1][1]] : [0])));
    const view = { from: 0, to: end, end, canvas, timeline, program, tracks: visible(timeline, false) };
    const all = el("input", { type: "checkbox", id: "all-tracks" });
    const range = el("span", { class: "quiet" });
    const redraw = () => { drawTimeline(view); range.textContent = `${view.from ? units.seconds(view.from / 1e6) : 0} to ${units.seconds(view.to / 1e6)}`; };
    const zoom = (factor, at = 0.5) => {
      const span = Math.min(end, Math.max(end / 1e6, (view.to - view.from) * factor)), middle = view.from + at * (view.to - view.from);
      view.from = Math.max(0, Math.min(end - span, middle - at * span)); view.to = view.from + span; redraw();
    };
    const move = (share) => { const d = share * (view.to - view.from), from = Math.max(0, Math.min(end - (view.to - view.from), view.from + d)); view.to += from - view.from; view.from = from; redraw(); };
    const button = (text, label, f) => el("button", { type: "button", "aria-label": label, onclick: f }, text);
    all.addEventListener("change", () => { view.tracks = visible(timeline, all.checked); redraw(); });
    panel.append(el("div", { class: "bar" }, button("−", "Zoom out", () => zoom(1.6)), button("+", "Zoom in", () => zoom(1 / 1.6)), button("◂", "Earlier", () => move(-0.3)), button("▸", "Later", () => move(0.3)),
      button("All", "All of the run", () => zoom(1e9)), button("Selection", "Selection: zoom to its kernels", () => toSelection(view, redraw)), el("label", {}, all, " every channel"), range), canvas,
      el("p", { class: "quiet" }, (timeline.drawn ? timeline.drawn + ". " : "") + (timeline.cut ? `Of each kernel at most ${timeline.cut} intervals of cores and channels are here; acap run -trace writes more, for ui.perfetto.dev.` : "")));
    canvas.addEventListener("keydown", (event) => {
      const act = { ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), "+": () => zoom(1 / 1.6), "=": () => zoom(1 / 1.6), "-": () => zoom(1.6), 0: () => zoom(1e9) }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    canvas.addEventListener("wheel", (event) => { if (!event.ctrlKey && !event.shiftKey) return; event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, share(view, event)); }, { passive: false });
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, from: view.from, moved: false }; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) { canvas.title = under(view, event)?.text ?? ""; return; }
      if (Math.abs(event.clientX - drag.x) > 3) drag.moved = true;
      const span = view.to - view.from, from = Math.max(0, Math.min(end - span, drag.from - (event.clientX - drag.x) / (canvas.clientWidth - names) * span));
      view.from = from; view.to = from + span; redraw();
    });
    canvas.addEventListener("pointerup", (event) => {
      const hit = drag && !drag.moved && under(view, event);
      drag = null;
      if (hit) { page.select(program.kernels[hit.kernel].calls, hit.kernel, "timeline"); page.say(hit.text); }
    });
    page.onSelect(redraw);
    new ResizeObserver(redraw).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    redraw();
  },
});

const names = 118, rowHeight = 17, top0 = 22; // pixels

const quiet = (text) => text.startsWith("wait") || text === "not drawn";

const visible = (timeline, all) => timeline.tracks.filter((t, i) => all || t.group === timeline.tracks[0].group || t.group.startsWith("power") || t.group === "cores" && t.name.startsWith("core"));

function toSelection(view, redraw) {
  let from = Infinity, to = 0;
  const kernels = new Set(page.selection.kernel !== null ? [page.selection.kernel] : page.kernelsOf(view.program, page.selection.calls));
  const first = view.timeline.tracks[0]?.group;
  for (const s of view.timeline.tracks.filter((t) => t.group === first && t.name.startsWith("kernels")).flatMap((t) => t.slices)) if (kernels.has(s[2])) { from = Math.min(from, s[0]); to = Math.max(to, s[0] + s[1]); }
  if (from < to) { const pad = 0.05 * (to - from); view.from = Math.max(0, from - pad); view.to = Math.min(view.end, to + pad); redraw(); }
}

const share = (view, event) => (event.offsetX - names) / (view.canvas.clientWidth - names);

// under is the slice at a point.
function under(view, event) {
  const track = view.tracks[Math.floor((event.offsetY - top0) / rowHeight)], t = view.from + share(view, event) * (view.to - view.from);
  const s = track?.slices.find((s) => s[0] <= t && t <= s[0] + s[1]);
  return s && { kernel: s[2], text: `${track.name}: ${view.timeline.names[s[3]]}, ${view.program.kernels[s[2]].name}, ${units.seconds(s[1] / 1e6)} from ${units.seconds(s[0] / 1e6)}` };
}

// drawTimeline draws what is in view; slices narrower than a pixel become one.
function drawTimeline(view) {
  const { canvas, timeline, tracks } = view, wide = canvas.parentElement.clientWidth - 2;
  if (wide < 50) return;
  const dots = devicePixelRatio || 1, high = top0 + tracks.length * rowHeight + 4;
  canvas.width = wide * dots; canvas.height = high * dots; canvas.style.height = high + "px";
  const g = canvas.getContext("2d"), style = getComputedStyle(canvas), color = (n) => style.getPropertyValue("--" + n).trim();
  g.scale(dots, dots);
  g.font = "11px system-ui, sans-serif"; g.textBaseline = "middle";
  const span = view.to - view.from, x = (t) => names + (t - view.from) / span * (wide - names);
  const step = 10 ** Math.floor(Math.log10(span / 4)), each = span / step > 20 ? 5 * step : span / step > 8 ? 2 * step : step;
  g.fillStyle = color("soft"); g.strokeStyle = color("grid");
  for (let t = Math.ceil(view.from / each) * each; t <= view.to; t += each) {
    g.beginPath(); g.moveTo(x(t), top0 - 4); g.lineTo(x(t), high); g.stroke();
    g.fillText(units.seconds(t / 1e6).replace("–", "0"), x(t) + 2, 10);
  }
  const s = page.selection, on = new Set(s.kernel !== null ? [s.kernel] : page.kernelsOf(view.program, s.calls));
  tracks.forEach((track, row) => {
    const y = top0 + row * rowHeight;
    g.fillStyle = color("soft"); g.fillText(clip(track.name, 19), 4, y + rowHeight / 2);
    let last = -1;
    for (const [start, length, kernel, name] of track.slices) {
      if (start + length < view.from || start > view.to) continue;
      const a = Math.max(names, x(start)), b = Math.min(wide, x(start + length));
      if (b - last < 0.5 && b - a < 1) continue;
      last = b;
      const text = timeline.names[name];
      g.fillStyle = on.has(kernel) ? color("mark-edge") : quiet(text) ? color("grid") : color(text === "launch" ? "series4" : `series${1 + kernel % 3}`);
      g.fillRect(a, y + 2, Math.max(0.7, b - a), rowHeight - 4);
      if (b - a > 34) { g.save(); g.beginPath(); g.rect(a, y, b - a, rowHeight); g.clip(); g.fillStyle = quiet(text) ? color("text") : color("card"); g.fillText(text, a + 3, y + rowHeight / 2); g.restore(); }
    }
  });
}
