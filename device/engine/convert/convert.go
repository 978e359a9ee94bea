package convert

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// converters has, by name, how an operation of a function becomes nodes or views.
var converters = map[string]func(*converter, *mlir.Operation){}

func init() {
	converters["tensor.empty"] = (*converter).emptied
	converters["tensor.collapse_shape"] = (*converter).reshaped
	converters["tensor.expand_shape"] = (*converter).reshaped
	converters["tensor.reshape"] = (*converter).reshaped
	converters["tensor.extract_slice"] = (*converter).extractSlice
	converters["tensor.insert_slice"] = (*converter).insertSlice
	converters["tensor.insert"] = (*converter).insertElement
	converters["tensor.concat"] = (*converter).joined
	converters["tensor.pad"] = (*converter).pad
	converters["tensor.splat"] = (*converter).splatted
	converters["tensor.from_elements"] = (*converter).fromElements
	converters["tensor.generate"] = (*converter).generated
	converters["tensor.extract"] = (*converter).extracted
	converters["tensor.cast"] = (*converter).renamed
	converters["tensor.bitcast"] = (*converter).renamed
	converters["arith.bitcast"] = (*converter).renamed
	converters["tensor.dim"] = (*converter).dimension
	converters["tensor.rank"] = (*converter).rank
	converters["arith.constant"] = (*converter).constant
}

// Function makes the graph of the body of a func.func, which is converted in pieces of about pieceOps operations. The
// first operation that has no form in a graph is a [*graph.Error].
func Function(f *mlir.Operation, pieceOps int, fixed bool) (*graph.Graph, error) {
	uses := sync.OnceValue(func() map[*mlir.Value]int { return liveUses(f) })
	body := f.Body()
	if body == nil || len(f.Regions[0].Blocks) != 1 {
		g := newConverter(f, uses, 0)
		g.fail("the function does not have one block")
		return nil, g.err
	}
	cuts, values := cuts(body, pieceOps), len(body.Args)
	if len(cuts) == 0 {
		values += len(body.Ops)
	}
	g := newConverter(f, uses, values)
	g.fixed = fixed
	if g.arguments(body.Args); g.err != nil {
		return nil, g.err
	}
	if len(cuts) > 0 && g.convertPieces(f, cuts) {
		return g.Graph, g.err
	}
	g.convertAll(body.Ops)
	return g.Graph, g.err
}

// liveUses counts the uses of each value of the block by operations that its last one needs.
func liveUses(f *mlir.Operation) map[*mlir.Value]int {
	uses := map[*mlir.Value]int{}
	for _, op := range slices.Backward(f.Body().Ops) {
		if len(op.Results) > 0 && !slices.ContainsFunc(op.Results, func(v *mlir.Value) bool { return uses[v] > 0 }) {
			continue
		}
		op.Walk(func(op *mlir.Operation) {
			for _, v := range op.Operands {
				uses[v]++
			}
		})
	}
	return uses
}

// arguments gives the arguments of the function their views.
func (g *converter) arguments(list []*mlir.Value) {
	g.Args = nil
	for i, arg := range list {
		dims, ok := g.shapeOf(arg)
		if !ok {
			return
		}
		t := &graph.Tensor{Kind: graph.Argument, DType: elemType(arg.Type), Size: shape.Size(dims), Index: i}
		g.Args = append(g.Args, t)
		g.values[arg] = graph.Whole(t, dims)
	}
}

// newConverter makes room for about the given number of values.
func newConverter(f *mlir.Operation, uses func() map[*mlir.Value]int, values int) *converter {
	return &converter{Graph: &graph.Graph{}, op: f, uses: uses, values: make(map[*mlir.Value]graph.View, values),
		padded: map[*graph.Tensor]padded{}, owned: map[*mlir.Value]bool{}}
}

// convertAll converts operations until one of them fails.
func (g *converter) convertAll(list []*mlir.Operation) {
	for _, op := range list {
		if op.Name == "func.return" {
			g.returned(op)
			return
		}
		if g.operation(op); g.err != nil {
			return
		}
	}
}

// operation converts one operation.
func (g *converter) operation(op *mlir.Operation) {
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
	from := len(g.Nodes)
	defer func() { g.follow(op, from) }()
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
	case op.Name == "tensor.insert_slice" || op.Name == "tensor.insert" || op.Name == "tensor.dim":
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
func (g *converter) value(v *mlir.Value) (graph.View, bool) {
	w, ok := g.find(v)
	if !ok {
		g.fail("operand has no value here")
	}
	return w, ok
}

// find is value without the failure.
func (g *converter) find(v *mlir.Value) (graph.View, bool) {
	w, ok := g.values[v]
	if !ok && g.piece != nil {
		return g.piece.take(g, v)
	}
	return w, ok
}

// bind gives the first result its view.
func (g *converter) bind(op *mlir.Operation, v graph.View) {
	dims, _ := g.shapeOf(op.Results[0])
	if g.err == nil && !shape.Equal(v.Shape(), dims) {
		g.fail("result of shape %v, not %v", v.Shape(), dims)
	}
	g.values[op.Results[0]] = v
}

// shapeOf returns the static shape of a tensor, or none for a scalar.
func (g *converter) shapeOf(v *mlir.Value) ([]int, bool) {
	t, ok := v.Type.(mlir.TensorType)
	if !ok {
		if !supported(mlir.DTypeOf(v.Type)) {
			g.fail("value of type %s: programs compute with tensors and numbers", v.Type)
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

func (g *converter) emptied(op *mlir.Operation) {
	dims, _ := g.shapeOf(op.Results[0])
	v := graph.Splat(elemType(op.Results[0].Type), 0, dims)
	v.Tensor.Kind = graph.Empty
	g.bind(op, v)
}

// renamed converts casts that keep the elements: to a type with the same shape,
// or the same bits.
func (g *converter) renamed(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	d := elemType(op.Results[0].Type)
	if !ok {
		return
	}
	if d != v.DType && (d.Size() != v.DType.Size() || d == dtype.Bool || v.DType == dtype.Bool) {
		g.fail("%s as %s", v.DType, d)
		return
	}
	v.DType = d
	g.bind(op, v)
}

func (g *converter) dimension(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	i, okIndex := g.value(op.Operands[1])
	if !ok || !okIndex {
		return
	}
	if i.Tensor.Kind != graph.Uniform || i.Tensor.Bits >= uint64(len(v.Dims)) {
		g.fail("dimension is not a constant in range")
		return
	}
	g.bind(op, graph.Splat(dtype.I64, uint64(v.Dims[i.Tensor.Bits].Extent()), nil))
}

func (g *converter) rank(op *mlir.Operation) {
	if v, ok := g.value(op.Operands[0]); ok {
		g.bind(op, graph.Splat(dtype.I64, uint64(len(v.Dims)), nil))
	}
}

// constant converts arith.constant: a splat, or memory of the module.
func (g *converter) constant(op *mlir.Operation) {
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
		g.bind(op, graph.Splat(d, bits, nil))
		return
	}
	n := shape.Size(dims)
	switch len(data) {
	case d.Size():
		g.bind(op, graph.Splat(d, word(data), dims))
	case n * d.Size():
		g.bind(op, graph.Whole(&graph.Tensor{Kind: graph.Constant, DType: d, Size: n, Data: buf.Realigned(data)}, dims))
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
func (g *converter) returned(op *mlir.Operation) {
	g.op = op
	seen := map[*graph.Tensor]bool{}
	for _, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		if w.Tensor.Kind != graph.Temporary || !w.Covers() || seen[w.Tensor] {
			dims := w.Shape()
			dst := graph.Whole(graph.NewTensor(w.DType, dims), dims)
			g.copyTo(w, dst)
			w = dst
		}
		seen[w.Tensor] = true
		g.Results = append(g.Results, w)
	}
}
