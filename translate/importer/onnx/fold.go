package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// folds compute operators on known elements: those with which models compute shapes, axes and
// masks. A nil result leaves the node to its operator.
var folds = map[string]func(n *node, in []*buf.Buffer) *buf.Buffer{}

// fold computes the node here if all its inputs are known and few.
func (n *node) fold() bool {
	out := n.folded()
	if out == nil {
		return false
	}
	n.setKnown(0, out)
	return true
}

// derive finds the elements of a value that few whole numbers among the model's inputs decide, by computing here: a
// program for the comparison of one number takes longer than the comparison.
func (v *value) derive(r importer.Reader, what string) bool {
	return v.derivable(map[*value]bool{}) && v.derived(r, what)
}

// derivable reports whether a value can be derived, as far as types and sizes say. seen has the answers so far.
func (v *value) derivable(seen map[*value]bool) (ok bool) {
	if v == nil || v.foldable() {
		return true
	}
	if ok, done := seen[v]; done {
		return ok
	}
	defer func() { seen[v] = ok }()
	switch {
	case !v.isTensor() || v.tensor == nil || shape.Size(v.dims()) > small || v.tensor.Type().DType.IsFloat():
		return false
	case v.given:
		return !v.tensor.Type().DType.IsComplex()
	}
	return v.source != nil && !slices.ContainsFunc(v.source.in, func(in *value) bool { return !in.derivable(seen) })
}

func (v *value) derived(r importer.Reader, what string) bool {
	switch {
	case v == nil || v.known != nil:
	case v.given:
		b, err := r.Read(v.tensor, what)
		if err != nil {
			return false
		}
		v.known = b
	default:
		for _, in := range v.source.in {
			if !in.derived(r, what) {
				return false
			}
		}
		v.known = v.source.folded()
	}
	return v == nil || v.known != nil
}

// folded computes the result of the node from its inputs, nil if they are not known, are many, or are for the operator.
func (n *node) folded() *buf.Buffer {
	run := folds[n.Op]
	if run == nil || len(n.out) != 1 || len(n.in) == 0 {
		return nil
	}
	in := make([]*buf.Buffer, len(n.in))
	for i, v := range n.in {
		switch {
		case v == nil:
		case !v.foldable() || v.known.DType.IsComplex():
			return nil
		default:
			in[i] = v.known
		}
	}
	if in[0] == nil {
		return nil
	}
	return run(n, in)
}

// pick returns a buffer of the given shape whose element i is element from(index of i) of b.
func pick(b *buf.Buffer, dims []int, from func(index []int) int) *buf.Buffer {
	out := buf.New(b.DType, dims)
	step := b.DType.Size()
	each(dims, func(i int, index []int) {
		j := from(index)
		copy(out.Bytes()[i*step:(i+1)*step], b.Bytes()[j*step:])
	})
	return out
}

// each visits the indices of a shape in order.
func each(dims []int, visit func(i int, index []int)) {
	index := make([]int, len(dims))
	for i := range shape.Size(dims) {
		visit(i, index)
		for d := len(dims) - 1; d >= 0; d-- {
			if index[d]++; index[d] < dims[d] {
				break
			}
			index[d] = 0
		}
	}
}

// stretched returns the position in a tensor of the given shape of an index into the shape that it
// is broadcast to.
func stretched(dims, index []int) int {
	at, lead := 0, len(index)-len(dims)
	for d, n := range dims {
		at *= n
		if n != 1 {
			at += index[lead+d]
		}
	}
	return at
}

// broadcast returns b stretched to a shape.
func broadcast(b *buf.Buffer, dims []int) *buf.Buffer {
	return pick(b, dims, func(index []int) int { return stretched(b.Shape, index) })
}

// commonShape is the shape that all broadcast to; it must be small.
func commonShape(in []*buf.Buffer) ([]int, bool) {
	var dims []int
	for _, b := range in {
		if b == nil {
			return nil, false
		}
		both, err := shape.Broadcast(dims, b.Shape)
		if err != nil {
			failf("%w", err)
		}
		dims = both
	}
	return dims, shape.Size(dims) <= small
}

// foldIntegers adds an operator on two tensors of integers, element by element. f reports whether
// it has a result.
func foldIntegers(name string, f func(x, y int64) (int64, bool)) {
	folds[name] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		if _, chosen := n.stretchedFrom(); chosen {
			return nil
		}
		dims, ok := commonShape(in)
		if !ok || len(in) != 2 || in[0].DType.IsFloat() || in[1].DType.IsFloat() {
			return nil
		}
		out := buf.New(in[0].DType, dims)
		each(dims, func(i int, index []int) {
			z, defined := f(in[0].Int64(stretched(in[0].Shape, index)),
				in[1].Int64(stretched(in[1].Shape, index)))
			ok = ok && defined
			out.SetInt64(i, z)
		})
		if !ok {
			return nil
		}
		return out
	}
}

// foldRelation adds a comparison of two tensors of integers.
func foldRelation(name string, f func(x, y int64) bool) {
	foldIntegers(name, func(x, y int64) (int64, bool) {
		if f(x, y) {
			return 1, true
		}
		return 0, true
	})
	compare := folds[name]
	folds[name] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		if len(in) != 2 || in[1] == nil || in[0].DType.IsFloat() || in[1].DType.IsFloat() {
			return nil
		}
		wide := []*buf.Buffer{in[0].Cast(dtype.I64), in[1].Cast(dtype.I64)}
		if out := compare(n, wide); out != nil {
			return out.Cast(dtype.Bool)
		}
		return nil
	}
}

func init() {
	always := func(f func(x, y int64) int64) func(x, y int64) (int64, bool) {
		return func(x, y int64) (int64, bool) { return f(x, y), true }
	}
	foldIntegers("Add", always(func(x, y int64) int64 { return x + y }))
	foldIntegers("Sub", always(func(x, y int64) int64 { return x - y }))
	foldIntegers("Mul", always(func(x, y int64) int64 { return x * y }))
	foldIntegers("Min", always(func(x, y int64) int64 { return min(x, y) }))
	foldIntegers("Max", always(func(x, y int64) int64 { return max(x, y) }))
	foldIntegers("And", always(func(x, y int64) int64 { return x & y }))
	foldIntegers("Or", always(func(x, y int64) int64 { return x | y }))
	foldIntegers("Xor", always(func(x, y int64) int64 { return x ^ y }))
	foldIntegers("Div", func(x, y int64) (int64, bool) {
		if y == 0 {
			return 0, false
		}
		return x / y, true
	})
	foldIntegers("Mod", func(x, y int64) (int64, bool) {
		if y == 0 {
			return 0, false
		}
		return ((x % y) + y) % y, true
	})
	foldRelation("Equal", func(x, y int64) bool { return x == y })
	foldRelation("Less", func(x, y int64) bool { return x < y })
	foldRelation("LessOrEqual", func(x, y int64) bool { return x <= y })
	foldRelation("Greater", func(x, y int64) bool { return x > y })
	foldRelation("GreaterOrEqual", func(x, y int64) bool { return x >= y })
	mod := folds["Mod"]
	folds["Mod"] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		if n.bool("fmod", false) {
			return nil
		}
		return mod(n, in)
	}
	folds["Identity"] = func(_ *node, in []*buf.Buffer) *buf.Buffer { return in[0] }
	folds["Not"] = func(_ *node, in []*buf.Buffer) *buf.Buffer {
		return mapIntegers(in[0], func(x int64) int64 { return 1 - x })
	}
	folds["Neg"] = func(_ *node, in []*buf.Buffer) *buf.Buffer {
		return mapIntegers(in[0], func(x int64) int64 { return -x })
	}
	folds["Abs"] = func(_ *node, in []*buf.Buffer) *buf.Buffer {
		return mapIntegers(in[0], func(x int64) int64 { return max(x, -x) })
	}
	folds["Where"] = foldWhere
	folds["Cast"] = foldCast
	folds["ReduceProd"] = foldReduction(1, func(x, y int64) int64 { return x * y })
	folds["ReduceSum"] = foldReduction(0, func(x, y int64) int64 { return x + y })
	folds["ReduceMax"] = foldReduction(-1<<63, func(x, y int64) int64 { return max(x, y) })
	folds["ReduceMin"] = foldReduction(1<<63-1, func(x, y int64) int64 { return min(x, y) })
}

func mapIntegers(b *buf.Buffer, f func(int64) int64) *buf.Buffer {
	if b.DType.IsFloat() {
		return nil
	}
	out := buf.New(b.DType, b.Shape)
	for i := range b.Len() {
		out.SetInt64(i, f(b.Int64(i)))
	}
	return out
}

func foldWhere(_ *node, in []*buf.Buffer) *buf.Buffer {
	dims, ok := commonShape(in)
	if !ok || len(in) != 3 || in[1].DType != in[2].DType {
		return nil
	}
	yes, no := broadcast(in[1], dims), broadcast(in[2], dims)
	cond, out := broadcast(in[0], dims), buf.New(yes.DType, dims)
	step := out.DType.Size()
	for i := range cond.Len() {
		from := no
		if cond.Int64(i) != 0 {
			from = yes
		}
		copy(out.Bytes()[i*step:(i+1)*step], from.Bytes()[i*step:])
	}
	return out
}

func foldCast(n *node, in []*buf.Buffer) *buf.Buffer {
	elem := n.castType()
	d, err := proto.DTypeOf(elem)
	if err != nil {
		failf("%w", err)
	}
	if d.IsFloat8() || proto.IsNarrow(elem) { // what is too large is for the operator
		return nil
	}
	return in[0].Cast(d)
}

// foldReduction reduces integers over all dimensions or the only one.
func foldReduction(start int64, f func(x, y int64) int64) func(*node, []*buf.Buffer) *buf.Buffer {
	return func(n *node, in []*buf.Buffer) *buf.Buffer {
		dims, given := n.integersOr(1, "axes")
		b := in[0]
		if b.DType.IsFloat() || len(b.Shape) > 1 || len(dims) == 0 && (given || n.bool("noop_with_empty_axes", false)) ||
			b.Len() == 0 && start != 0 && start != 1 {
			return nil
		}
		axes(dims, len(b.Shape))
		v := start
		for i := range b.Len() {
			v = f(v, b.Int64(i))
		}
		var out []int
		if n.bool("keepdims", true) {
			out = make([]int, len(b.Shape))
			for i := range out {
				out[i] = 1
			}
		}
		r := buf.New(b.DType, out)
		r.SetInt64(0, v)
		return r
	}
}
