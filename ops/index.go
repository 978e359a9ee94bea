package ops

import (
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// index.Tensor is advanced indexing: entry d of indices selects along dimension
// d (an absent one keeps it). The index tensors are broadcast; their dimensions
// stand where the first of them stands, or in front if they are not adjacent. A
// mask selects what nonzero of it finds, so its result's shape depends on data.
// index_put writes, or adds, values to what index would select.
func init() {
	register(&Op{
		Schema: "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
		Infer: func(c *Call) error {
			x, err := c.advanced()
			if err != nil {
				return err
			}
			if x.masked {
				return ErrDataDependent
			}
			return c.Result(c.DTypeOf(0), x.result())
		},
		Lower:     lowerIndex,
		Host:      indexHost,
		Complex:   true,
		Determine: indexKnown,
		Grad:      gradIndex,
		Samples:   samplesOf(Sample{S(3, 4), []T{indices(3, 2, 1), indices(4, 2)}}),
	})
	for _, o := range []struct{ name, extra string }{
		{"index_put", ""}, {"_index_put_impl", ", bool unsafe=False"}, {"_unsafe_index_put", ""},
	} {
		register(&Op{
			Schema: o.name + "(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False" +
				o.extra + ") -> Tensor",
			Inplace: o.name[1] != 'u',
			Infer:   inferIndexPut,
			Lower:   lowerIndexPut,
			Host:    onNumbers(indexPutHost[int64], indexPutHost[float64]),
			OnHost: func(c *Call) bool {
				x, err := c.advanced()
				return err == nil && x.masked
			},
			Grad:    gradIndexPut,
			Samples: samplesOf(Sample{S(3, 4), []T{indices(3, 5)}, S(5, 4), true}),
		})
	}
	registerIndexPutBackward()
}

// registerIndexPutBackward registers what index selects of the gradient, summed to the
// shape of the values: under a mask only the sum has a shape that is known beforehand.
func registerIndexPutBackward() {
	register(&Op{
		Schema: "_index_put_values_backward(Tensor grad, Tensor?[] indices, int[] size) -> Tensor",
		Infer:  func(c *Call) error { return c.Result(c.DTypeOf(0), c.Ints(2)) },
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			x, offsets, err := h.resolve()
			if err != nil {
				return nil, err
			}
			dims := h.Out[0].Shape
			if err := shape.BroadcastTo(dims, x.result()); err != nil {
				return nil, err
			}
			grad, sums, next := numbers[float64](h.Buffer(0)), make([]float64, shape.Size(dims)), 0
			each(x.result(), [][]int{broadcastStrides(dims, x.result())}, func(at []int) {
				sums[at[0]] += grad[offsets[next]]
				next++
			})
			return []*buf.Buffer{fromNumbers(h.Out[0].DType, dims, sums)}, nil
		},
		Grad: func(g *Gradient) {
			g.Set(0, g.Call("index_put", g.Zeros(g.Type(0)), g.Args[1], g.Grad(0), true))
		},
		Samples: samplesOf(Sample{S(5, 4), []T{indices(5, 3)}, []int{3, 1}}, Sample{S(3, 4), []T{mask(3)}, []int{4}}),
	})
}

// advanced describes an indexing: its places along every dimension of self.
type advanced struct {
	dims   []int   // of self, the masked ones in full
	index  []int   // shape of the broadcast indices
	entry  []int   // per dimension of self: the entry of indices, or -1
	types  []Value // the entries
	first  int     // where the index dimensions stand in the result
	masked bool
}

// advanced reads (self, indices) of a call whose shapes do not depend on data;
// masks are counted in dimensions, but not in index.
func (c *Call) advanced() (*advanced, error) {
	x := &advanced{dims: c.Shape(0), types: c.Tensors(1)}
	for i, v := range x.types {
		if v == nil {
			x.entry = append(x.entry, -1)
			continue
		}
		t := v.Type()
		switch t.DType {
		case dtype.Bool, dtype.U8:
			at := len(x.entry)
			if at+len(t.Shape) > len(x.dims) || !shape.Equal(x.dims[at:at+len(t.Shape)], t.Shape) {
				return nil, c.ShapeErrorf("mask %s does not match self %s from dimension %d on",
					shape.String(t.Shape), shape.String(x.dims), at)
			}
			x.masked = true
			for range t.Shape {
				x.entry = append(x.entry, i)
			}
		case dtype.I64, dtype.I32, dtype.I16, dtype.I8:
			x.entry = append(x.entry, i)
			var err error
			if x.index, err = shape.Broadcast(x.index, t.Shape); err != nil {
				return nil, err
			}
		default:
			return nil, c.DTypeErrorf("indices must be integers or masks, got %v", t.DType)
		}
	}
	if len(x.entry) > len(x.dims) {
		return nil, c.ShapeErrorf("%d indices for self %s", len(x.entry), shape.String(x.dims))
	}
	for len(x.entry) < len(x.dims) {
		x.entry = append(x.entry, -1)
	}
	x.place()
	return x, nil
}

// place decides where the index dimensions stand.
func (x *advanced) place() {
	first, last, n := -1, -1, 0
	for d, e := range x.entry {
		if e >= 0 {
			if first < 0 {
				first = d
			}
			last = d
			n++
		}
	}
	if n > 0 && last-first+1 == n {
		x.first = first
	}
}

// kept returns the dimensions of self that are not indexed.
func (x *advanced) kept() []int {
	var kept []int
	for d, e := range x.entry {
		if e < 0 {
			kept = append(kept, d)
		}
	}
	return kept
}

func (x *advanced) result() []int {
	kept := x.kept()
	out := []int{}
	for _, d := range kept[:min(x.first, len(kept))] {
		out = append(out, x.dims[d])
	}
	out = append(out, x.index...)
	for _, d := range kept[min(x.first, len(kept)):] {
		out = append(out, x.dims[d])
	}
	return out
}

// resultDim returns the dimension of the result that dimension d of self, which
// is not indexed, becomes.
func (x *advanced) resultDim(d int) int {
	before := 0
	for _, k := range x.kept() {
		if k < d {
			before++
		}
	}
	if before < x.first {
		return before
	}
	return before + len(x.index)
}

func lowerIndex(l *Lowering, c *Call) []*mlir.Value {
	x, _ := c.advanced()
	self := l.In(c, 0)
	index := make([]Lowered, len(x.types))
	for i, v := range x.types {
		if v != nil {
			index[i] = Lowered{l.values(v), v.Type().DType}
		}
	}
	return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
		places := make([]Elem, len(x.dims))
		for d, e := range x.entry {
			if e < 0 {
				places[d] = at[x.resultDim(d)]
				continue
			}
			places[d] = s.wrapped(s.atBroadcast(index[e], at[x.first:x.first+len(x.index)]), x.dims[d])
		}
		return s.At(self, places...)
	}))
}

// atBroadcast reads t, broadcast to the space of index.
func (s *Scalars) atBroadcast(t Lowered, index []Elem) Elem {
	dims := t.Shape()
	own := append([]Elem(nil), index[len(index)-len(dims):]...)
	for i, n := range dims {
		if n == 1 {
			own[i] = s.ConstInt(dtype.I64, 0)
		}
	}
	return s.At(t, own...)
}

// resolve turns masks into indices and returns, for every element of the result,
// the offset in self.
func (h *HostCall) resolve() (*advanced, []int, error) {
	x, err := h.advanced()
	if err != nil {
		return nil, nil, err
	}
	lists := h.Buffers(1)
	perDim := make([]*buf.Buffer, len(x.dims))
	for d := 0; d < len(x.dims); d++ {
		e := x.entry[d]
		if e < 0 {
			continue
		}
		if b := lists[e]; b.DType == dtype.Bool || b.DType == dtype.U8 {
			for k, column := range columns(b) {
				perDim[d+k] = column
				if x.index, err = shape.Broadcast(x.index, column.Shape); err != nil {
					return nil, nil, err
				}
			}
			d += max(len(b.Shape), 1) - 1
			continue
		}
		perDim[d] = lists[e]
	}
	offsets, err := x.offsets(perDim)
	return x, offsets, err
}

func (x *advanced) offsets(perDim []*buf.Buffer) ([]int, error) {
	strides := shape.Strides(x.dims)
	// The indexed dimensions contribute one sum for every point of the index space.
	sums := make([]int, shape.Size(x.index))
	for d, b := range perDim {
		if b == nil {
			continue
		}
		list, n, next := numbers[int64](b), x.dims[d], 0
		var err error
		each(x.index, [][]int{broadcastStrides(b.Shape, x.index)}, func(at []int) {
			i := int(list[at[0]])
			if i < -n || i >= n {
				err = outOfRange(i, d, x.dims)
			}
			if i < 0 {
				i += n
			}
			sums[next] += i * strides[d]
			next++
		})
		if err != nil {
			return nil, err
		}
	}
	out := x.result()
	kept, inIndex := make([]int, len(out)), make([]int, len(out))
	for _, d := range x.kept() {
		kept[x.resultDim(d)] = strides[d]
	}
	copy(inIndex[min(x.first, len(out)):], shape.Strides(x.index))
	offsets := make([]int, 0, shape.Size(out))
	each(out, [][]int{kept, inIndex}, func(at []int) {
		offsets = append(offsets, at[0]+sums[at[1]])
	})
	return offsets, nil
}

func indexHost(h *HostCall) ([]*buf.Buffer, error) {
	x, offsets, err := h.resolve()
	if err != nil {
		return nil, err
	}
	return []*buf.Buffer{pickElements(h.Buffer(0), x.result(), offsets)}, nil
}

// indexKnown has the places where masks hold in place of the masks.
func indexKnown(e Emit, c *Call, r Reader) ([]Value, error) {
	var list []Value
	for _, v := range c.Tensors(1) {
		if v == nil || v.Type().DType != dtype.Bool && v.Type().DType != dtype.U8 {
			list = append(list, v)
			continue
		}
		mask, err := r.Read(v, "the mask")
		if err != nil {
			return nil, err
		}
		if len(mask.Shape) == 0 {
			return nil, c.ShapeErrorf("a mask without dimensions selects along none")
		}
		for _, column := range columns(mask) {
			list = append(list, r.Constant("", column))
		}
	}
	return []Value{e.Call("index.Tensor", c.Tensor(0), list)}, nil
}

// pickElements copies the elements at offsets.
func pickElements(from *buf.Buffer, dims, offsets []int) *buf.Buffer {
	out := buf.New(from.DType, dims)
	size := from.DType.Size()
	switch size {
	case 4:
		pickWords[uint32](out, from, offsets)
		return out
	case 8:
		pickWords[uint64](out, from, offsets)
		return out
	}
	for i, at := range offsets {
		copy(out.Bytes()[i*size:(i+1)*size], from.Bytes()[at*size:(at+1)*size])
	}
	return out
}

// pickWords copies elements of the size of T.
func pickWords[T any](to, from *buf.Buffer, offsets []int) {
	out := unsafe.Slice((*T)(to.Pointer()), to.Len())
	in := unsafe.Slice((*T)(from.Pointer()), from.Len())
	for i, at := range offsets {
		out[i] = in[at]
	}
}

func gradIndex(g *Gradient) {
	g.Set(0, g.Call("index_put", g.Zeros(g.Type(0)), g.Args[1], g.Grad(0), true))
}

func inferIndexPut(c *Call) error {
	x, err := c.advanced()
	if err != nil {
		return err
	}
	if c.DTypeOf(2) != c.DTypeOf(0) {
		return c.DTypeErrorf("values %v must have the type %v of self", c.DTypeOf(2), c.DTypeOf(0))
	}
	if !x.masked {
		if err := shape.BroadcastTo(c.Shape(2), x.result()); err != nil {
			return err
		}
	}
	return inferSame(c)
}

func indexPutHost[E number](h *HostCall) ([]*buf.Buffer, error) {
	self, values := h.Buffer(0), h.Buffer(2)
	x, offsets, err := h.resolve()
	if err != nil {
		return nil, err
	}
	if err := shape.BroadcastTo(values.Shape, x.result()); err != nil {
		return nil, err
	}
	out, from, next := numbers[E](self), numbers[E](values), 0
	each(x.result(), [][]int{broadcastStrides(values.Shape, x.result())}, func(at []int) {
		if h.Bool(3) {
			out[offsets[next]] += from[at[0]]
		} else {
			out[offsets[next]] = from[at[0]]
		}
		next++
	})
	return []*buf.Buffer{fromNumbers(self.DType, self.Shape, out)}, nil
}

func gradIndexPut(g *Gradient) {
	if g.Needs(0) {
		self := g.Grad(0)
		if !g.Bool(3) {
			zero := g.Full(nil, 0, g.DTypeOf(2))
			self = g.Call("index_put", self, g.Args[1], zero)
		}
		g.Set(0, self)
	}
	if !g.Needs(2) {
		return
	}
	if x, _ := g.advanced(); x.masked {
		g.Set(2, g.Call("_index_put_values_backward", g.Grad(0), g.Args[1], g.Shape(2)))
		return
	}
	g.Set(2, g.Call("index.Tensor", g.Grad(0), g.Args[1]))
}
