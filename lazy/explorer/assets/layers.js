"use strict";
// The tree of layers: calls are leaves, layers are { name, children, calls }.

// layerTree builds the tree of the model. Calls without a layer that come one after the other from
// the same line make a layer of that line.
function layerTree(model) {
  const root = { id: "layer:", name: "model", children: [], parent: null, of: new Map() };
  const paths = model.calls.map((c) => c.path || []);
  const named = paths.some((p) => p.length > 0);
  if (!named) {
    let run = 0;
    model.calls.forEach((c, i) => {
      const before = model.calls[i - 1];
      if (!before || before.file !== c.file || before.line !== c.line) run = i;
      if (c.file) paths[i] = [`${c.file}:${c.line}\u0000${run}`];
    });
  }
  model.calls.forEach((call, i) => {
    let at = root;
    for (const step of paths[i]) {
      if (!at.of.has(step)) {
        const layer = { id: `${at.id}/${step}`, name: step.split("\u0000")[0], children: [], parent: at, of: new Map() };
        at.of.set(step, layer);
        at.children.push(layer);
      }
      at = at.of.get(step);
    }
    at.children.push({ id: "call:" + call.id, call, parent: at });
  });
  return simplified(root);
}

// simplified drops layers of one child: what they hold takes their name.
function simplified(node) {
  if (node.call) { node.calls = [node.call.id]; return node; }
  node.children = node.children.map(simplified);
  for (const c of node.children) c.parent = node;
  if (node.parent && node.children.length === 1) {
    const child = node.children[0];
    child.name = child.call ? node.name : joined(node.name, child.name);
    if (child.call && child.label === undefined) child.label = node.name;
    return child;
  }
  node.calls = node.children.flatMap((c) => c.calls);
  return node;
}

// joined is the name of a layer in a layer of one child; ONNX repeats the outer name.
const joined = (outer, inner) => (inner === outer || inner.startsWith(outer + ".") ? inner : outer + "." + inner);

// family is the kind of an operator, which gives its colour.
function family(op) {
  const name = page.short(op);
  if (/conv|matmul|^mm|bmm|addmm|linear|dot|einsum|attention/.test(name)) return "product";
  if (/norm|softmax/.test(name)) return "norm";
  if (/relu|gelu|silu|sigmoid|tanh|elu|hardswish|clamp|dropout/.test(name)) return "activation";
  if (/pool|sum|mean|max|min|amax|cumsum|arg/.test(name)) return "pool";
  if (/view|reshape|permute|transpose|^t(\.|$)|cat|slice|select|expand|flatten|squeeze|embedding|gather|pad|split|copy|clone|contiguous|to\./.test(name)) return "shape";
  return "other";
}

const families = { product: "products", norm: "normalisation", activation: "activation", pool: "pooling, reduction", shape: "shape, copies", other: "other" };
