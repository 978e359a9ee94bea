package expand

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// composites replaces operations that stand for several others.
func composites(module *mlir.Operation) {
	for again := true; again; { // what is built is not visited, such as the body of a scan
		again = false
		err := mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
			e := emitter{&r.Builder}
			switch op.Name {
			case "chlo.scan":
				r.Replace(e.scan(op)...)
				again = true
			case "chlo.ragged_dot":
				r.Replace(e.raggedDot(op))
			case "stablehlo.rng_bit_generator":
				r.Replace(e.randomBits(op)...)
			}
			return nil
		})
		if err != nil {
			fail(module, "%v", err)
		}
	}
}

// scan is a loop over the places of a dimension, which carries its number, the state and the outputs so far.
func (e emitter) scan(op *mlir.Operation) []*mlir.Value {
	sizes, _ := op.Attrs.Get("operandSegmentSizes").(mlir.DenseArrayAttr)
	body := op.Body()
	if len(sizes.Ints) != 2 || body == nil || len(op.Regions[0].Blocks) != 1 || sizes.Ints[0] < 1 ||
		int(sizes.Ints[0]+sizes.Ints[1]) != len(op.Operands) || len(body.Args) != len(op.Operands) {
		fail(op, "needs inputs, states for them, and a block that takes both")
	}
	inputs, states := op.Operands[:sizes.Ints[0]], op.Operands[sizes.Ints[0]:]
	outputs := len(op.Results) - len(states)
	if outputs < 0 || len(body.Terminator().Operands) != len(op.Results) {
		fail(op, "%d results of %d states", len(op.Results), len(states))
	}
	dim := dimension(op, "dimension", inputs[0])
	n := tensorOf(inputs[0]).Shape[dim]
	counter := mlir.TensorType{Elem: mlir.I64}
	carried := append([]*mlir.Value{e.splat(counter, 0)}, states...)
	for _, r := range op.Results[:outputs] {
		carried = append(carried, e.zero(op, r.Type))
	}
	loop := mlir.NewOp("stablehlo.while", carried, mlir.TypesOf(carried), nil)
	cond := loop.AddRegion().AddBlock(mlir.TypesOf(carried)...)
	c := emitter{e.In(cond)}
	c.Create("stablehlo.return", []*mlir.Value{c.compare("LT", cond.Args[0], c.splat(counter, float64(n)))}, nil, nil)
	turn := loop.AddRegion().AddBlock(mlir.TypesOf(carried)...)
	t := emitter{e.In(turn)}
	at := turn.Args[0]
	if reverse, ok := op.Attrs.Get("is_reverse").(mlir.IntegerAttr); ok && reverse.Value != 0 {
		at = t.sub(t.splat(counter, float64(n-1)), at)
	}
	values := map[*mlir.Value]*mlir.Value{}
	for i, x := range inputs {
		values[body.Args[i]] = t.row(op, x, dim, at, body.Args[i].Type)
	}
	for i := range states {
		values[body.Args[len(inputs)+i]] = turn.Args[1+i]
	}
	for _, inner := range body.Ops {
		t.Insert(inner.Clone(values))
	}
	last := len(turn.Ops) - 1
	results := turn.Ops[last].Operands
	turn.Ops = turn.Ops[:last]
	next := append([]*mlir.Value{t.add(turn.Args[0], t.splat(counter, 1))}, results[outputs:]...)
	for i, v := range results[:outputs] {
		next = append(next, t.putRow(turn.Args[1+len(states)+i], v, dim, at))
	}
	t.Create("stablehlo.return", next, nil, nil)
	end := e.Insert(loop).Results
	return append(slices.Clone(end[1+len(states):]), end[1:1+len(states)]...)
}

// starts are the places of row at of a dimension.
func (e emitter) starts(x *mlir.Value, dim int, at *mlir.Value) []*mlir.Value {
	zero := e.splat(mlir.TensorType{Elem: mlir.I64}, 0)
	out := make([]*mlir.Value, len(tensorOf(x).Shape))
	for i := range out {
		out[i] = zero
	}
	out[dim] = at
	return out
}

// row is x without a dimension, at a computed place there.
func (e emitter) row(op *mlir.Operation, x *mlir.Value, dim int, at *mlir.Value, t mlir.Type) *mlir.Value {
	sizes := slices.Clone(tensorOf(x).Shape)
	if dim >= len(sizes) {
		fail(op, "an input of type %s", x.Type)
	}
	sizes[dim] = 1
	slice := e.with("dynamic_slice", mlir.TensorType{Shape: sizes, Elem: tensorOf(x).Elem},
		mlir.Attrs{{Name: "slice_sizes", Value: mlir.Ints(sizes)}}, append([]*mlir.Value{x}, e.starts(x, dim, at)...)...)
	return e.op("reshape", t, slice)
}

func (e emitter) putRow(x, row *mlir.Value, dim int, at *mlir.Value) *mlir.Value {
	sizes := slices.Clone(tensorOf(x).Shape)
	sizes[dim] = 1
	return e.same("dynamic_update_slice", append([]*mlir.Value{x, e.reshape(row, sizes)}, e.starts(x, dim, at)...)...)
}

// raggedDot is a product for each group of rows. The ragged dimension decides how they come together: one of the left
// operand's own rows (the sum of products under masks), one that is contracted (a product for each group, stacked), or
// a batch (a product of all).
func (e emitter) raggedDot(op *mlir.Operation) *mlir.Value {
	x, y, sizes := op.Operands[0], op.Operands[1], op.Operands[2]
	f := hlo.Fields(op.Attrs.Get("ragged_dot_dimension_numbers"))
	ragged, group := f["lhs_ragged_dimensions"], f["rhs_group_dimensions"]
	out := op.Result().Type.(mlir.TensorType)
	if len(ragged) != 1 || len(tensorOf(sizes).Shape) != 1 || ragged[0] >= len(tensorOf(x).Shape) {
		fail(op, "needs one ragged dimension, and group sizes in one dimension")
	}
	if slices.Contains(f["lhs_batching_dimensions"], ragged[0]) {
		return e.dot(out, x, y, f)
	}
	inner := slices.Contains(f["lhs_contracting_dimensions"], ragged[0])
	if !inner && (len(group) != 1 || group[0] >= len(tensorOf(y).Shape)) || inner && len(out.Shape) < 1 {
		fail(op, "needs one dimension of groups")
	}
	ends := e.splat(mlir.TensorType{Elem: tensorOf(sizes).Elem}, 0)
	var sum *mlir.Value
	var stack []*mlir.Value
	for i := range tensorOf(sizes).Shape[0] {
		start := ends
		ends = e.add(ends, e.reshape(e.part(sizes, 0, i, 1), nil))
		rows := e.masked(x, ragged[0], start, ends)
		if inner {
			r := e.dot(mlir.TensorType{Shape: out.Shape[1:], Elem: out.Elem}, rows, y, f)
			stack = append(stack, e.reshape(r, append([]int{1}, out.Shape[1:]...)))
			continue
		}
		r := e.dot(out, rows, e.without(e.part(y, group[0], i, 1), group[0]), shifted(f, group[0]))
		if sum == nil {
			sum = r
		} else {
			sum = e.add(sum, r)
		}
	}
	switch {
	case len(stack) > 0:
		return e.concatenate(0, stack...)
	case sum == nil:
		return e.zero(op, out)
	}
	return sum
}

// masked is x with zeros where the place in a dimension is not between start and end.
func (e emitter) masked(x *mlir.Value, dim int, start, end *mlir.Value) *mlir.Value {
	t := of(tensorOf(x), tensorOf(start).Elem)
	place := e.iota(t, dim)
	mask := e.op("and", of(t, mlir.I1), e.compare("GE", place, e.broadcast(start, t.Shape, nil)),
		e.compare("LT", place, e.broadcast(end, t.Shape, nil)))
	return e.sel(mask, x, e.number(x, 0))
}

// without drops a dimension of one element.
func (e emitter) without(x *mlir.Value, dim int) *mlir.Value {
	return e.reshape(x, slices.Delete(slices.Clone(tensorOf(x).Shape), dim, dim+1))
}

// shifted are dimension numbers after the right operand lost a dimension.
func shifted(f map[string][]int, gone int) map[string][]int {
	out := map[string][]int{}
	for name, list := range f {
		list = slices.Clone(list)
		for i, d := range list {
			if d > gone && (name == "rhs_batching_dimensions" || name == "rhs_contracting_dimensions") {
				list[i]--
			}
		}
		out[name] = list
	}
	return out
}

// dot is a product with dimension numbers.
func (e emitter) dot(t mlir.Type, x, y *mlir.Value, f map[string][]int) *mlir.Value {
	text := ""
	for _, name := range []string{"lhs_batching_dimensions", "rhs_batching_dimensions",
		"lhs_contracting_dimensions", "rhs_contracting_dimensions"} {
		if text != "" {
			text += ", "
		}
		text += name + " = " + list(f[name])
	}
	return e.with("dot_general", t, mlir.Attrs{{Name: "dot_dimension_numbers",
		Value: mlir.OpaqueAttr{Text: "#stablehlo.dot<" + text + ">"}}}, x, y)
}

// list writes [1, 2].
func list(values []int) string {
	return strings.ReplaceAll(fmt.Sprint(values), " ", ", ")
}
