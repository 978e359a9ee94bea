package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
	"github.com/go-acap/acap/mlir/dialect/arith"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
	"github.com/go-acap/acap/ops"
)

// indexing says how a gather reads and a scatter writes slices at computed places.
type indexing struct {
	window      []int // dimensions of the slices in the result or the updates
	batch       []int // the others there, in the order of the indices' dimensions
	collapsed   []int // dimensions of the operand that slices do not have
	operand     []int // dimensions of the operand that are batches, and
	indices     []int // the dimensions of the indices that they go with
	starts      []int // the operand's dimension of each component of an index
	vector      int   // the indices' dimension of the components
	slice       []int // slice: the operand's dimension of each window dimension
	unsigned    bool
	data, index *mlir.Value
}

// newIndexing reads the dimension numbers of a gather or a scatter. updates is the rank of the
// result or the updates.
func (c *block) newIndexing(f map[string][]int, names [6]string, data, index *mlir.Value, updates int, unsigned bool) *indexing {
	x := &indexing{window: f[names[0]], collapsed: f[names[1]], operand: f[names[2]], indices: f[names[3]],
		starts: f[names[4]], unsigned: unsigned, data: data, index: index}
	if v := f[names[5]]; len(v) == 1 {
		x.vector = v[0]
	}
	rank, indexRank := len(shapeOf(data)), len(shapeOf(index))
	c.dims(names[0], x.window, updates)
	c.dims(names[1]+" and batching dimensions", concat(x.collapsed, x.operand), rank)
	c.dims(names[3], x.indices, indexRank)
	c.dims(names[4], x.starts, rank)
	x.batch = others(updates, x.window)
	x.slice = others(rank, x.collapsed, x.operand)
	components := 1
	if x.vector < indexRank {
		components = shapeOf(index)[x.vector]
	}
	if x.vector < 0 || x.vector > indexRank || components != len(x.starts) || len(x.slice) != len(x.window) ||
		len(x.operand) != len(x.indices) || isFloat(elemOf(index)) || len(x.batch) != len(x.places()) {
		c.fail("the dimension numbers do not fit")
	}
	return x
}

// places lists the indices' dimensions but the dimension of the components.
func (x *indexing) places() []int { return others(len(shapeOf(x.index)), []int{x.vector}) }

// component reads component k of the index for the element of the result or updates at loops.
func (x *indexing) component(s scalars, k int) *mlir.Value {
	at := make([]*mlir.Value, len(shapeOf(x.index)))
	for i, d := range x.places() {
		at[d] = s.index(x.batch[i])
	}
	if x.vector < len(at) {
		at[x.vector] = s.indexConstant(k)
	}
	return s.position(s.extract(x.index, at...), x.unsigned)
}

// at returns the place in the operand. start maps each component of an index before the place
// in the slice is added.
func (x *indexing) at(s scalars, start func(v *mlir.Value, dim int) *mlir.Value) []*mlir.Value {
	at := make([]*mlir.Value, len(shapeOf(x.data)))
	add := func(d int, v *mlir.Value) {
		if at[d] == nil {
			at[d] = v
		} else {
			at[d] = s.binary("addi", at[d], v)
		}
	}
	for k, d := range x.starts {
		add(d, start(x.component(s, k), d))
	}
	places := x.places()
	for i, d := range x.operand {
		add(d, s.index(x.batch[slices.Index(places, x.indices[i])]))
	}
	for i, d := range x.slice {
		add(d, s.index(x.window[i]))
	}
	for d := range at {
		if at[d] == nil {
			at[d] = s.indexConstant(0)
		}
	}
	return at
}

func (c *block) gather(op *mlir.Operation) {
	in := c.in(op)
	x := c.newIndexing(hlo.Fields(op.Attrs.Get("dimension_numbers")), [6]string{"offset_dims",
		"collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims", "start_index_map",
		"index_vector_dim"}, in[0], in[1], len(resultShape(op)), isUnsigned(operandElem(op, 1)))
	dims := shapeOf(in[0])
	sizes := c.list(op, "slice_sizes", len(dims), 1)
	c.fits(sizes, dims)
	c.set(op, c.generic(elemOf(in[0]), resultShape(op), nil, func(s scalars, _ []*mlir.Value) *mlir.Value {
		return s.extract(in[0], x.at(s, func(v *mlir.Value, d int) *mlir.Value {
			return s.bounded(v, dims[d]-sizes[d])
		})...)
	}))
}

func (c *block) scatter(op *mlir.Operation) {
	in := c.in(op)
	n := (len(in) - 1) / 2
	if n < 1 || len(in) != 2*n+1 || len(op.Results) != n {
		c.fail("%d operands for %d results", len(in), len(op.Results))
	}
	dims, updates := shapeOf(in[0]), shapeOf(in[n+1])
	x := c.newIndexing(hlo.Fields(op.Attrs.Get("scatter_dimension_numbers")), [6]string{"update_window_dims",
		"inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
		"scatter_dims_to_operand_dims", "index_vector_dim"}, in[0], in[n], len(updates), isUnsigned(operandElem(op, n)))
	total := shape.Size(dims)
	places := c.generic(mlir.I64, updates, nil, func(s scalars, _ []*mlir.Value) *mlir.Value {
		at := x.at(s, func(v *mlir.Value, _ int) *mlir.Value { return v })
		valid, linear := s.int(1, mlir.I1), s.indexConstant(0)
		for d, v := range at {
			valid = s.binary("andi", valid, s.inside(v, dims[d]))
			linear = s.binary("addi", s.binary("muli", linear, s.indexConstant(dims[d])), v)
		}
		return s.sel(valid, arith.IndexCast(s.Builder, linear, mlir.I64), s.int(int64(total), mlir.I64))
	})
	c.set(op, c.scattered(op, op.Regions[0], in[n+1:], places, in[:n])...)
}

// kinds are the foldings of acap.scatter.
var kinds = map[string]string{"stablehlo.add": acap.Add, "stablehlo.multiply": acap.Mul,
	"stablehlo.maximum": acap.Max, "stablehlo.minimum": acap.Min}

// scattered folds updates into tensors at linear places (i64, of the updates' shape); places
// past the end are left out.
func (c *block) scattered(op *mlir.Operation, region *mlir.Region, updates []*mlir.Value, places *mlir.Value,
	into []*mlir.Value) []*mlir.Value {
	kind := kinds[combiner(region)]
	t, _ := op.Results[0].Type.(mlir.TensorType)
	if len(region.Blocks) == 1 && len(region.Blocks[0].Args) == 2 && len(region.Blocks[0].Ops) == 1 {
		switch region.Blocks[0].Ops[0].Operands[0] {
		case region.Blocks[0].Args[1]:
			kind = acap.Assign
		case region.Blocks[0].Args[0]:
			return into
		}
	}
	if isBool(t.Elem) { // a number of one bit: add is or, multiply and
		switch combiner(region) {
		case "stablehlo.add", "stablehlo.or", "stablehlo.maximum":
			kind = acap.Max
		case "stablehlo.multiply", "stablehlo.and", "stablehlo.minimum":
			kind = acap.Min
		}
	}
	if kind == "" || len(into) != 1 {
		return c.scatteredInTurn(region, updates, places, into)
	}
	dims := shapeOf(into[0])
	total := shape.Size(dims)
	if shape.Size(shapeOf(updates[0])) == 0 {
		return into
	}
	l := c.shapes()
	d := mlir.DTypeOf(elemOf(into[0]))
	flat := l.Concat([]ops.Lowered{lowered(c.reshaped(into[0], []int{total})),
		lowered(c.filled(c.zero(elemOf(into[0])), []int{1}))}, 0, ops.TensorType{DType: d, Shape: []int{total + 1}})
	count := []int{shape.Size(shapeOf(updates[0]))}
	r := acap.Scatter(c.b, c.reshaped(updates[0], count), c.reshaped(places, count), flat.V,
		acap.Folding{Kind: kind, Unsigned: isUnsigned(t.Elem) && kind != acap.Assign && !isBool(t.Elem)})
	r = l.Slice(lowered(r), []int{0}, []int{total}, []int{1}).V
	return []*mlir.Value{c.reshaped(r, dims)}
}
