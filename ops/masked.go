package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// masked_select lists the elements of self where mask holds, nonzero the indices
// of the elements that are not 0; masked_scatter fills the places where mask holds
// with the elements of source, in order.
func init() {
	register(&Op{
		Schema: "masked_select(Tensor self, Tensor mask) -> Tensor",
		Infer: func(c *Call) error {
			if err := c.wantMask(1); err != nil {
				return err
			}
			if _, err := c.BroadcastShape(0, 1); err != nil {
				return err
			}
			return ErrDataDependent
		},
		Host:      maskedSelectHost,
		Complex:   true,
		Determine: maskedSelectKnown,
		Grad: func(g *Gradient) {
			dims, _ := g.BroadcastShape(0, 1)
			into := g.Zeros(TensorType{g.DTypeOf(0), dims})
			g.Set(0, g.Call("masked_scatter", into, g.Tensor(1), g.Grad(0)))
		},
		Samples: samplesOf(Sample{S(3, 4), mask(4)}),
	})
	register(&Op{
		Schema: "nonzero(Tensor self) -> Tensor",
		Infer:  func(c *Call) error { return ErrDataDependent },
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			return []*buf.Buffer{nonzero(h.Buffer(0))}, nil
		},
		Complex: true,
		Samples: samplesOf(Sample{T{DType: dtype.I32, Shape: []int{3, 4}}}),
	})
	register(&Op{
		Schema:  "nonzero_numpy(Tensor self) -> Tensor[]",
		Infer:   func(c *Call) error { return ErrDataDependent },
		Complex: true,
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			b := h.Buffer(0)
			if len(b.Shape) == 0 {
				b = b.Reshape([]int{1})
			}
			return columns(b), nil
		},
		Samples: samplesOf(Sample{T{DType: dtype.I32, Shape: []int{3, 4}}}),
	})
	register(&Op{
		Schema:  "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if err := c.wantMask(1); err != nil {
				return err
			}
			if c.DTypeOf(2) != c.DTypeOf(0) {
				return c.DTypeErrorf("source %v must have the type %v of self", c.DTypeOf(2), c.DTypeOf(0))
			}
			dims, err := c.BroadcastShape(0, 1)
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), dims)
		},
		Host:    maskedScatterHost,
		Complex: true,
		Grad:    gradMaskedScatter,
		Samples: samplesOf(Sample{S(3, 4), mask(3, 1), S(12)}),
	})
}

// wantMask checks that tensor argument i is a mask.
func (c *Call) wantMask(i int) error {
	if d := c.DTypeOf(i); d != dtype.Bool && d != dtype.U8 {
		return c.DTypeErrorf("mask must be bool, got %v", d)
	}
	return nil
}

func maskedSelectHost(h *HostCall) ([]*buf.Buffer, error) {
	self, mask := h.Buffer(0), h.Buffer(1)
	dims, _ := h.BroadcastShape(0, 1)
	if shape.Equal(self.Shape, dims) && shape.Equal(mask.Shape, dims) {
		offsets := nonzeroPlaces(mask)
		return []*buf.Buffer{pickElements(self, []int{len(offsets)}, offsets)}, nil
	}
	var offsets []int
	each(dims, [][]int{broadcastStrides(self.Shape, dims), broadcastStrides(mask.Shape, dims)},
		func(at []int) {
			if mask.Bytes()[at[1]] != 0 {
				offsets = append(offsets, at[0])
			}
		})
	return []*buf.Buffer{pickElements(self, []int{len(offsets)}, offsets)}, nil
}

// maskedSelectKnown selects the elements where a mask holds by their numbers.
func maskedSelectKnown(e Emit, c *Call, r Reader) ([]Value, error) {
	mask, err := r.Read(c.Tensor(1), "the mask")
	if err != nil {
		return nil, err
	}
	dims, _ := c.BroadcastShape(0, 1)
	places, i := []int64{}, int64(0)
	each(dims, [][]int{broadcastStrides(mask.Shape, dims)}, func(at []int) {
		if mask.Bytes()[at[0]] != 0 {
			places = append(places, i)
		}
		i++
	})
	flat := e.Reshape(e.Expand(c.Tensor(0), dims), []int{shape.Size(dims)})
	return []Value{e.Call("index_select", flat, 0, r.Constant("", buf.From(places, len(places))))}, nil
}

// columns returns the indices of the elements that are not 0, one vector a dimension.
func columns(b *buf.Buffer) []*buf.Buffer {
	rows := nonzero(b)
	n, rank := rows.Shape[0], rows.Shape[1]
	all := buf.Slice[int64](rows)
	out := make([]*buf.Buffer, rank)
	for d := range out {
		out[d] = buf.New(dtype.I64, []int{n})
		column := buf.Slice[int64](out[d])
		for i := range column {
			column[i] = all[i*rank+d]
		}
	}
	return out
}

// nonzero returns the indices of the elements that are not 0, one row each.
func nonzero(b *buf.Buffer) *buf.Buffer {
	places, rank := nonzeroPlaces(b), len(b.Shape)
	out := buf.New(dtype.I64, []int{len(places), rank})
	if rank == 0 || len(places) == 0 {
		return out
	}
	rows, last, strides := buf.Slice[int64](out), b.Shape[rank-1], shape.Strides(b.Shape)
	begin := -last - 1 // of the line that has the place before
	for k, place := range places {
		row := rows[k*rank : (k+1)*rank]
		if place-begin < last {
			copy(row, rows[(k-1)*rank:])
		} else {
			begin = place / last * last
			for d, s := range strides {
				row[d] = int64(place / s % b.Shape[d])
			}
		}
		row[rank-1] = int64(place - begin)
	}
	return out
}

// nonzeroPlaces are the numbers of the elements that are not 0.
func nonzeroPlaces(b *buf.Buffer) []int {
	switch b.DType {
	case dtype.Bool, dtype.U8, dtype.I8:
		return placesOf(b.Bytes())
	case dtype.F32:
		return placesOf(buf.Slice[float32](b))
	case dtype.F64:
		return placesOf(buf.Slice[float64](b))
	case dtype.I32:
		return placesOf(buf.Slice[int32](b))
	case dtype.I64:
		return placesOf(buf.Slice[int64](b))
	}
	var places []int
	for i := range b.Len() {
		if b.Complex(i) != 0 {
			places = append(places, i)
		}
	}
	return places
}

// placesOf finds the places of elements other than 0, without a jump that depends on an element.
func placesOf[T uint8 | int32 | int64 | float32 | float64](x []T) []int {
	n := 0
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	places := make([]int, n+1) // the last one is what comes after them
	n = 0
	for i, v := range x {
		places[n] = i
		if v != 0 {
			n++
		}
	}
	return places[:n]
}

func maskedScatterHost(h *HostCall) ([]*buf.Buffer, error) {
	self, mask, source := h.Buffer(0), h.Buffer(1), h.Buffer(2)
	dims := h.Out[0].Shape
	out := buf.New(self.DType, dims)
	size, next, i := self.DType.Size(), 0, 0
	enough := true
	each(dims, [][]int{broadcastStrides(self.Shape, dims), broadcastStrides(mask.Shape, dims)},
		func(at []int) {
			from, j := self.Bytes(), at[0]
			if mask.Bytes()[at[1]] != 0 {
				from, j = source.Bytes(), next
				next++
			}
			if enough = enough && (j+1)*size <= len(from); enough {
				copy(out.Bytes()[i*size:(i+1)*size], from[j*size:(j+1)*size])
			}
			i++
		})
	if !enough {
		return nil, fmt.Errorf("source %s has fewer elements than mask has true ones: %d",
			shape.String(source.Shape), next)
	}
	return []*buf.Buffer{out}, nil
}

// gradMaskedScatter sends the gradient at the k-th place of the mask to element k
// of source; the others go to an extra element that is cut off.
func gradMaskedScatter(g *Gradient) {
	if g.Needs(0) {
		g.Set(0, g.Call("masked_fill.Scalar", g.Grad(0), g.Tensor(1), 0))
	}
	if !g.Needs(2) {
		return
	}
	n := shape.Size(g.Shape(2))
	flat := []int{shape.Size(g.Out[0].Shape)}
	mask := g.Reshape(g.Expand(g.To(g.Tensor(1), dtype.Bool), g.Out[0].Shape), flat)
	rank := g.Sub(g.Call("cumsum", g.To(mask, dtype.I64), 0), 1)
	places := g.Where(mask, rank, g.Full(flat, n, dtype.I64))
	into := g.Zeros(TensorType{g.DTypeOf(2), []int{n + 1}})
	sum := g.Call("put", into, places, g.Reshape(g.Grad(0), flat), true)
	g.Set(2, g.Reshape(g.Call("slice.Tensor", sum, 0, 0, n), g.Shape(2)))
}
