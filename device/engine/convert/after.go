package convert

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

func init() { converters["acap.after"] = (*converter).after }

// after gives a value a view that is read after another value has been written.
func (g *converter) after(op *mlir.Operation) {
	x, ok := g.value(op.Operands[0])
	y, ok2 := g.value(op.Operands[1])
	if ok && ok2 {
		x.After = y.Tensor
		g.bind(op, x)
	}
}

// follow has the nodes of an operation, those from the given one on, come after what its operands come after. An
// operation without nodes gives other views of its operands.
func (g *converter) follow(op *mlir.Operation, from int) {
	for _, v := range op.Operands {
		t := g.values[v].After
		if t == nil {
			continue
		}
		for _, n := range g.Nodes[from:] {
			if !slices.Contains(n.After, t) {
				n.After = append(n.After, t)
			}
		}
		for _, r := range op.Results {
			if w, ok := g.values[r]; ok && len(g.Nodes) == from && w.After == nil {
				w.After = t
				g.values[r] = w
			}
		}
	}
}
