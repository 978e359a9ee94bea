package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// converters has, by name, how an operation of a function becomes nodes or views.
var converters = map[string]func(*graph, *mlir.Operation){}

func init() {
	converters["tensor.empty"] = (*graph).emptied
	converters["tensor.collapse_shape"] = (*graph).reshaped
	converters["tensor.expand_shape"] = (*graph).reshaped
	converters["tensor.reshape"] = (*graph).reshaped
	converters["tensor.extract_slice"] = (*graph).extractSlice
	converters["tensor.insert_slice"] = (*graph).insertSlice
	converters["tensor.concat"] = (*graph).joined
	converters["tensor.pad"] = (*graph).pad
	converters["tensor.splat"] = (*graph).splatted
	converters["tensor.from_elements"] = (*graph).fromElements
	converters["tensor.generate"] = (*graph).generated
	converters["tensor.extract"] = (*graph).extracted
	converters["tensor.cast"] = (*graph).renamed
	converters["tensor.bitcast"] = (*graph).renamed
	converters["arith.bitcast"] = (*graph).renamed
	converters["tensor.dim"] = (*graph).dimension
	converters["tensor.rank"] = (*graph).rank
	converters["arith.constant"] = (*graph).constant
}

// newGraph converts the body of a func.func.
func newGraph(f *mlir.Operation) (*graph, error) {
	uses := sync.OnceValue(func() map[*mlir.Value]int { return mlir.CountUses(f) })
	body := f.Body()
	if body == nil || len(f.Regions[0].Blocks) != 1 {
		g := emptyGraph(f, uses, 0)
		g.fail("the function does not have one block")
		return nil, g.err
	}
	cuts, room := cuts(body), len(body.Args)
	if len(cuts) == 0 {
		room += len(body.Ops)
	}
	g := emptyGraph(f, uses, room)
	if g.arguments(body.Args); g.err != nil {
		return nil, g.err
	}
	if len(cuts) > 0 && g.convertPieces(f, cuts) {
		return g, g.err
	}
	g.convertAll(body.Ops)
	return g, g.err
}

// arguments gives the arguments of the function their views.
func (g *graph) arguments(list []*mlir.Value) {
	g.args = nil
	for i, arg := range list {
		dims, ok := g.shapeOf(arg)
		if !ok {
			return
		}
		t := &tensor{kind: kindArgument, dtype: elemType(arg.Type), size: shape.Size(dims), index: i}
		g.args = append(g.args, t)
		g.values[arg] = whole(t, dims)
	}
}

// emptyGraph has room for about so many values.
func emptyGraph(f *mlir.Operation, uses func() map[*mlir.Value]int, room int) *graph {
	return &graph{op: f, uses: uses, values: make(map[*mlir.Value]view, room), padded: map[*tensor]padded{},
		owned: map[*mlir.Value]bool{}}
}

// convertAll converts operations until one of them fails.
func (g *graph) convertAll(list []*mlir.Operation) {
	for _, op := range list {
		if op.Name == "func.return" {
			g.returned(op)
			return
		}
		if g.convert(op); g.err != nil {
			return
		}
	}
}

// convert converts one operation.
func (g *graph) convert(op *mlir.Operation) {
	before := g.op
	g.op = op
	defer func() { g.op = before }()
	for _, r := range op.Results {
		if _, ok := g.shapeOf(r); !ok {
			return
		}
	}
	if !arity(op) {
		g.fail("%d operands", len(op.Operands))
		return
	}
	switch f := converters[op.Name]; {
	case f != nil:
		f(g, op)
	case linalg.IsStructured(op):
		g.computation(op)
	case strings.HasPrefix(op.Name, "arith."), strings.HasPrefix(op.Name, "math."),
		op.Name == "affine.apply":
		g.scalarOp(op)
	default:
		g.fail("operation is not supported")
	}
}

// arity checks that an operation has the operands and results that its
// conversion takes for granted.
func arity(op *mlir.Operation) bool {
	n := 0
	switch {
	case op.Name == "tensor.insert_slice" || op.Name == "tensor.dim":
		n = 2
	case strings.HasPrefix(op.Name, "tensor.") && op.Name != "tensor.empty" &&
		op.Name != "tensor.generate" && op.Name != "tensor.from_elements":
		n = 1
	default:
		return true
	}
	return len(op.Operands) >= n && len(op.Results) >= 1
}

// value returns the view of a value.
func (g *graph) value(v *mlir.Value) (view, bool) {
	w, ok := g.find(v)
	if !ok {
		g.fail("operand has no value here")
	}
	return w, ok
}

// find is value without the failure.
func (g *graph) find(v *mlir.Value) (view, bool) {
	w, ok := g.values[v]
	if !ok && g.piece != nil {
		return g.piece.take(g, v)
	}
	return w, ok
}

// bind gives the first result its view.
func (g *graph) bind(op *mlir.Operation, v view) {
	dims, _ := g.shapeOf(op.Results[0])
	if g.err == nil && !shape.Equal(v.shape(), dims) {
		g.fail("result of shape %v, not %v", v.shape(), dims)
	}
	g.values[op.Results[0]] = v
}

// shapeOf returns the static shape of a tensor, or none for a scalar.
func (g *graph) shapeOf(v *mlir.Value) ([]int, bool) {
	t, ok := v.Type.(mlir.TensorType)
	if !ok {
		if !supported(mlir.DTypeOf(v.Type)) {
			g.fail("value of type %s", v.Type)
			return nil, false
		}
		return nil, true
	}
	n, counted := mlir.NumElements(t.Shape)
	switch {
	case slices.ContainsFunc(t.Shape, func(n int) bool { return n < 0 }):
		g.fail("tensor without a static shape: %s", t)
		return nil, false
	case !supported(elemType(t)):
		g.fail("elements of type %s are not supported", t.Elem)
		return nil, false
	case !counted || n > mostElements:
		g.failSize(elemType(t), t.Shape)
		return nil, false
	}
	return t.Shape, true
}

func (g *graph) emptied(op *mlir.Operation) {
	dims, _ := g.shapeOf(op.Results[0])
	v := splat(elemType(op.Results[0].Type), 0, dims)
	v.t.kind = kindEmpty
	g.bind(op, v)
}

// renamed converts casts that keep the elements: to a type with the same shape,
// or the same bits.
func (g *graph) renamed(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	d := elemType(op.Results[0].Type)
	if !ok {
		return
	}
	if d != v.dtype && (d.Size() != v.dtype.Size() || d == dtype.Bool || v.dtype == dtype.Bool) {
		g.fail("%s as %s", v.dtype, d)
		return
	}
	v.dtype = d
	g.bind(op, v)
}

func (g *graph) dimension(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	i, okIndex := g.value(op.Operands[1])
	if !ok || !okIndex {
		return
	}
	if i.t.kind != kindSplat || i.t.bits >= uint64(len(v.dims)) {
		g.fail("dimension is not a constant in range")
		return
	}
	g.bind(op, splat(dtype.I64, uint64(v.dims[i.t.bits].extent()), nil))
}

func (g *graph) rank(op *mlir.Operation) {
	if v, ok := g.value(op.Operands[0]); ok {
		g.bind(op, splat(dtype.I64, uint64(len(v.dims)), nil))
	}
}

// constant converts arith.constant: a splat, or memory of the module.
func (g *graph) constant(op *mlir.Operation) {
	r := op.Results[0]
	dims, _ := g.shapeOf(r)
	d := elemType(r.Type)
	a := op.Attrs.Get("value")
	var data []byte
	switch a := a.(type) {
	case mlir.DenseAttr:
		data = a.Data
	case mlir.ResourceAttr:
		data = a.Data
	default:
		bits, ok := bitsOf(a, r.Type)
		if !ok || len(dims) != 0 {
			g.fail("value %v is not supported", a)
			return
		}
		g.bind(op, splat(d, bits, nil))
		return
	}
	n := shape.Size(dims)
	switch len(data) {
	case d.Size():
		g.bind(op, splat(d, word(data), dims))
	case n * d.Size():
		g.bind(op, whole(&tensor{kind: kindConstant, dtype: d, size: n, data: aligned(data)}, dims))
	default:
		g.fail("%d bytes do not make %d elements of %s", len(data), n, d)
	}
}

func word(data []byte) uint64 {
	var bits uint64
	for i, b := range data {
		bits |= uint64(b) << (8 * i)
	}
	return bits
}

// returned converts func.return. Every result gets memory of its own that is
// filled in order.
func (g *graph) returned(op *mlir.Operation) {
	g.op = op
	seen := map[*tensor]bool{}
	for _, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		if w.t.kind != kindTemp || !w.covers() || seen[w.t] {
			dims := w.shape()
			dst := whole(g.temp(w.dtype, dims), dims)
			g.copyTo(w, dst)
			w = dst
		}
		seen[w.t] = true
		g.results = append(g.results, w)
	}
}

func (t *tensor) String() string { return fmt.Sprintf("%s[%d]", t.dtype, t.size) }
