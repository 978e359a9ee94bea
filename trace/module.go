package trace

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Module collects the graph of the given values and writes it in the aten dialect:
// a function named name whose arguments are the leaves and whose results are the
// roots. Every operation carries the source line that recorded it. Both are done at
// once, because calls that another goroutine computes meanwhile drop their operands.
func Module(roots []ops.Value, name string) (*Graph, *mlir.Operation) {
	collecting.Lock()
	defer collecting.Unlock()
	c := collect(roots, nil)
	defer c.end()
	return c.g, c.module(name)
}

// ModuleOfUses is [Module] with one leaf per use instead of one per value, as
// PyTorch/ACAP printed its graphs.
func ModuleOfUses(roots []ops.Value, name string) *mlir.Operation {
	collecting.Lock()
	defer collecting.Unlock()
	c := collect(roots, map[use]int{})
	defer c.end()
	return c.module(name)
}

func (c *collector) module(name string) *mlir.Operation {
	g := c.g
	inputs := make([]mlir.Type, len(g.Leaves))
	for i, e := range g.Leaves {
		t := e.Node.Types()[e.Result]
		inputs[i] = mlir.Tensor(t.DType, t.Shape)
	}
	for _, n := range g.Numbers {
		t := n.Type()
		inputs = append(inputs, mlir.Tensor(t.DType, t.Shape))
	}
	results := make([]mlir.Type, len(g.Roots))
	for i, e := range g.Roots {
		t := e.Node.Types()[e.Result]
		results[i] = mlir.Tensor(t.DType, t.Shape)
	}
	module := mlir.NewModule()
	f := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(name)},
		{Name: "function_type", Value: mlir.TypeAttr{
			Type: mlir.FunctionType{Inputs: inputs, Results: results}}},
	})
	if marks := g.constantMarks(); marks != nil {
		f.Attrs = append(f.Attrs, mlir.Named{Name: "arg_attrs", Value: marks})
	}
	module.Body().Append(f)
	block := f.AddRegion().AddBlock(inputs...)
	block.Ops = make([]*mlir.Operation, 0, len(g.Nodes)+1)
	w := &writer{collector: c, block: block, lines: map[int32]mlir.Location{}}
	w.write()
	return module
}

// ConstantMark is the attribute of arguments that hold the same data in many
// runs, such as weights.
const ConstantMark = ops.ConstantMark

// constantMarks returns the attributes of the arguments, or nil if none has any.
func (g *Graph) constantMarks() mlir.ArrayAttr {
	marks := make(mlir.ArrayAttr, len(g.Leaves)+len(g.Numbers))
	for i := range g.Numbers {
		marks[len(g.Leaves)+i] = mlir.DictAttr{}
	}
	some := false
	for i, e := range g.Leaves {
		marks[i] = mlir.DictAttr{}
		if e.Node.constant {
			marks[i] = mlir.DictAttr{{Name: ConstantMark, Value: mlir.UnitAttr{}}}
			some = true
		}
	}
	if !some {
		return nil
	}
	return marks
}

// input is an input of the module as a value of a call.
type input struct{ *mlir.Value }

// Type implements [ops.Value].
func (i input) Type() ops.TensorType { return ops.IRValue{V: i.Value}.Type() }

type writer struct {
	*collector
	block *mlir.Block
	lines map[int32]mlir.Location // of places without a scope
}

// location is [Node.Location]; nodes that one place recorded share the search for its line.
func (w *writer) location(n *Node) mlir.Location {
	p := &n.site.place
	if p.scope != nil {
		return n.Location()
	}
	loc, ok := w.lines[p.caller]
	if !ok {
		loc = n.Location()
		w.lines[p.caller] = loc
	}
	return loc
}

// partCalls is how many calls one goroutine writes at a time.
const partCalls = 32

// write writes the calls: their operations at once, without operands, which are then filled in one after another.
func (w *writer) write() {
	nodes := w.g.Nodes
	written := make([]*mlir.Operation, len(nodes))
	parallel.For((len(nodes)+partCalls-1)/partCalls, func(part int) {
		for i := part * partCalls; i < min((part+1)*partCalls, len(nodes)); i++ {
			written[i] = w.operation(nodes[i])
		}
	})
	for i, n := range nodes {
		op := written[i]
		for k, v := range op.Operands {
			if v == nil {
				op.Operands[k] = w.value(use{n, k}, n.operand(k))
			}
		}
		op.Loc = w.location(n)
		op.Loc.Serial = i + 1
		w.block.Append(op)
	}
	out := make([]*mlir.Value, len(w.g.Roots))
	for i, e := range w.g.Roots {
		out[i] = w.value(use{nil, i}, e)
	}
	w.block.Append(mlir.NewOp("func.return", out, nil, nil))
}

// operation writes a call; its operands are nil, but for numbers that are inputs.
func (w *writer) operation(n *Node) *mlir.Operation {
	call, numbers := n.Pattern(), w.g.Numbers
	first, open := slices.BinarySearchFunc(numbers, n.number, func(m Number, number uint32) int {
		return cmp.Compare(m.Node.number, number)
	})
	if open {
		own := *call
		own.Args = slices.Clone(call.Args)
		call = &own
	}
	for i := first; i < len(numbers) && numbers[i].Node == n; i++ {
		a := &call.Args[numbers[i].Arg]
		*a = ops.OpenArg(a.Kind, input{w.block.Args[len(w.g.Leaves)+i]})
	}
	return call.Operation(func(v ops.Value) *mlir.Value {
		number, _ := v.(input)
		return number.Value
	})
}

// value returns the operand of a use: its own leaf where leaves are per use. The operations of the block are
// the calls in order.
func (w *writer) value(u use, e Edge) *mlir.Value {
	if i, ok := w.g.uses[u]; ok {
		return w.block.Args[i]
	}
	if number := e.Node.number; number&1 == 1 {
		return w.block.Ops[number>>1-1].Results[e.Result]
	}
	return w.block.Args[w.position(e)>>1-1]
}

// Location returns where the call was recorded: the place that its scope names, or the
// line of Go.
func (n *Node) Location() mlir.Location {
	scope := n.site.place.scope
	if scope != nil && !scope.Location.IsUnknown() {
		return scope.Location
	}
	file, line := n.Caller()
	if file == "" {
		return mlir.Location{}
	}
	return mlir.Location{File: filepath.Base(file), Line: line, Name: scope.String()}
}
