"use strict";
// The search: parts of pages that hold all words of the query, those with a word in a heading first.
document.getElementById("query").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean), results = document.getElementById("results");
  results.replaceChildren();
  if (!words.length) return;
  const found = [];
  for (const page of pages) for (const part of page.parts) {
    const title = (page.title + " " + part.title).toLowerCase(), text = part.text.toLowerCase();
    if (words.every((w) => title.includes(w) || text.includes(w))) found.push({ page, part, rank: words.filter((w) => title.includes(w)).length });
  }
  found.sort((a, b) => b.rank - a.rank);
  const list = document.createElement("ul");
  for (const { page, part } of found.slice(0, 12)) {
    const link = document.createElement("a"), note = document.createElement("small");
    link.href = page.page + "#" + part.id;
    link.textContent = part.title;
    note.textContent = page.title;
    link.append(note);
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  results.append(found.length ? list : "Nothing is found.");
});
