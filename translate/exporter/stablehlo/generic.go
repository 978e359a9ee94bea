package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// loops are the loops of a structured operation of linalg.
type loops struct {
	op      *mlir.Operation
	ins     int
	maps    []mlir.AffineMap
	reduced []bool
	extents []int
}

func (w *writer) loopsOf(op *mlir.Operation) *loops {
	l := &loops{op: op, ins: len(linalg.Inputs(op)), maps: linalg.IndexingMaps(op)}
	if linalg.Verify(op) != nil {
		w.fail("its attributes do not fit")
	}
	for _, kind := range linalg.Iterators(op) {
		l.reduced = append(l.reduced, kind == linalg.Reduction)
	}
	l.extents = slices.Repeat([]int{-1}, len(l.reduced))
	for i, m := range l.maps {
		for k, e := range m.Results {
			if e.Kind == mlir.AffineDim {
				l.extents[e.Value] = shapeOf(op.Operands[i].Type)[k]
			}
		}
	}
	if slices.Contains(l.extents, -1) {
		w.fail("a loop whose extent no operand gives")
	}
	return l
}

// generic writes a structured operation of linalg by its maps and its region.
func (w *writer) generic(op *mlir.Operation) {
	l := w.loopsOf(op)
	if slices.Contains(l.reduced, true) {
		w.reduction(l)
		return
	}
	args := map[*mlir.Value]*mlir.Value{}
	for i, v := range op.Operands {
		arg := op.Body().Args[i]
		if used(op.Body(), arg) {
			args[arg] = w.read(w.value(v), l.maps[i], l.extents)
		}
	}
	for i, v := range w.body(op.Body(), args, l.extents, op.Body().Terminator().Operands...) {
		m := l.maps[l.ins+i]
		if !isPermutation(m) {
			w.fail("writes to computed places")
		}
		perm := make([]int, len(m.Results))
		for k, e := range m.Results {
			perm[k] = e.Value
		}
		w.values[op.Results[i]] = w.transpose(w.broadcast(v, l.extents, placesOf(v, l.extents)), perm)
	}
}

// placesOf are the places of a tensor that is of the loops' extents already, or has none.
func placesOf(v *mlir.Value, dims []int) []int {
	if len(shapeOf(v.Type)) == len(dims) {
		return shape.UpTo(len(dims))
	}
	return nil
}

func isPermutation(m mlir.AffineMap) bool {
	seen := map[int]bool{}
	for _, e := range m.Results {
		if e.Kind != mlir.AffineDim || seen[e.Value] {
			return false
		}
		seen[e.Value] = true
	}
	return len(seen) == m.Dims
}

// used reports whether a block's operations read a value.
func used(b *mlir.Block, v *mlir.Value) bool {
	for _, op := range b.Ops {
		if slices.Contains(op.Operands, v) {
			return true
		}
	}
	return false
}

// read brings x to the extents of loops: its element at the map's place stands at each point.
func (w *writer) read(x *mlir.Value, m mlir.AffineMap, extents []int) *mlir.Value {
	dims := shapeOf(x.Type)
	if len(extents) == 0 {
		return w.reshape(x, []int{})
	}
	start, limit := make([]int, len(dims)), slices.Clone(dims)
	var flip, places, keep []int
	seen := map[int]bool{}
	simple := true
	for k, e := range m.Results {
		coefficients, offset, ok := e.Linear(m.Dims)
		loop, count, factor := 0, 0, 0
		for d, c := range coefficients {
			if c != 0 {
				loop, factor = d, c
				count++
			}
		}
		switch {
		case !ok || count > 1 || count == 1 && seen[loop]:
			simple = false
		case count == 0:
			start[k], limit[k] = offset, offset+1
			continue
		case factor == 1:
			start[k], limit[k] = offset, offset+extents[loop]
		case factor == -1:
			start[k], limit[k] = offset-extents[loop]+1, offset+1
			flip = append(flip, k)
		default:
			simple = false
		}
		seen[loop] = true
		places, keep = append(places, loop), append(keep, limit[k]-start[k])
	}
	if !simple {
		return w.readAnywhere(x, m, extents)
	}
	x = w.slice(x, start, limit, slices.Repeat([]int{1}, len(dims)))
	if len(flip) > 0 {
		x = w.create("reverse", x.Type, mlir.Attrs{ints("dimensions", flip)}, x)
	}
	return w.broadcast(w.reshape(x, keep), extents, places)
}

// readAnywhere gathers the elements at linear places.
func (w *writer) readAnywhere(x *mlir.Value, m mlir.AffineMap, extents []int) *mlir.Value {
	at := make([]*mlir.Value, len(m.Results))
	for k, e := range m.Results {
		coefficients, offset, ok := e.Linear(m.Dims)
		if !ok {
			w.fail("reads by a map that is not linear")
		}
		sum := w.broadcast(w.number(float64(offset), mlir.I64), extents, nil)
		for d, c := range coefficients {
			if c == 0 {
				continue
			}
			term := w.iota(d, extents)
			if c != 1 {
				factor := w.broadcast(w.number(float64(c), mlir.I64), extents, nil)
				term = w.create("multiply", term.Type, nil, term, factor)
			}
			sum = w.create("add", sum.Type, nil, sum, term)
		}
		at[k] = sum
	}
	return w.gather(x, at, extents)
}

// body writes a body's operations on tensors of the loops' extents, as far as the wanted values
// need them, and returns these.
func (w *writer) body(b *mlir.Block, args map[*mlir.Value]*mlir.Value, extents []int, want ...*mlir.Value) []*mlir.Value {
	needed := map[*mlir.Value]bool{}
	for _, v := range want {
		needed[v] = true
	}
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		for _, r := range op.Results {
			if needed[r] {
				for _, v := range op.Operands {
					needed[v] = true
				}
			}
		}
	}
	outer := w.op
	defer func() { w.op = outer }()
	get := func(v *mlir.Value) *mlir.Value {
		if n := args[v]; n != nil {
			return n
		}
		n := w.value(v)
		if _, isTensor := v.Type.(mlir.TensorType); isTensor {
			return n
		}
		n = w.broadcast(n, extents, nil)
		args[v] = n
		return n
	}
	for _, op := range b.Ops {
		if len(op.Results) == 0 || !slices.ContainsFunc(op.Results, func(r *mlir.Value) bool { return needed[r] }) {
			continue
		}
		w.op = op
		x := make([]*mlir.Value, len(op.Operands))
		for i, v := range op.Operands {
			x[i] = get(v)
		}
		switch op.Name {
		case "linalg.index":
			dim, _ := op.Attrs.Get("dim").(mlir.IntegerAttr)
			args[op.Result()] = w.iota(int(dim.Value), extents)
		case "arith.constant":
			args[op.Result()] = w.broadcast(w.constant(op.Attrs.Get("value")), extents, nil)
		case "tensor.extract":
			args[op.Result()] = w.gather(x[0], x[1:], extents)
		default:
			if len(op.Results) != 1 || len(op.Regions) > 0 || !elementwise(op) {
				w.fail("has no form in StableHLO")
			}
			args[op.Result()] = w.apply(op, x, extents)
		}
	}
	out := make([]*mlir.Value, len(want))
	for i, v := range want {
		out[i] = get(v)
	}
	return out
}
