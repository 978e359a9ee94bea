package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// extract reads a tensor at computed indices. Indices that are linear in the
// loops and stay inside become an ordinary access.
func (s *structured) extract(value *mlir.Value, index []int) (int, bool) {
	v, ok := s.g.value(value)
	if !ok {
		return 0, false
	}
	if len(index) != len(v.Dims) {
		s.g.fail("%d indices for a tensor of rank %d", len(index), len(v.Dims))
		return 0, false
	}
	b := s.scalars.b
	if v.Tensor.Kind == graph.Uniform || v.Tensor.Kind == graph.Empty {
		// The indices still have to be checked.
		v = s.g.materialize(v)
	}
	for _, d := range v.Dims {
		if len(d) > 1 {
			v = s.g.materialize(v)
			break
		}
	}
	a := graph.Access{Tensor: v.Tensor, Offset: v.Offset, Strides: make([]int, len(s.Node.Extents))}
	for i, d := range v.Dims {
		l, ok := s.linearValue(index[i])
		if !ok || !l.inside(d.Extent()) {
			return s.gather(v, index), true
		}
		l.along(&a, d)
	}
	return relabel(b, s.load(a), v.DType), true
}

// gather reads v, whose dimensions have one factor each, at computed indices. The linear
// ones that stay inside say where the port is at each point, as for any access, and the
// others make the offset. An index outside its dimension makes an offset outside the
// tensor wherever the port is, which faults.
func (s *structured) gather(v graph.View, index []int) int {
	b := s.scalars.b
	a := graph.Access{Tensor: v.Tensor, Offset: v.Offset, Strides: make([]int, len(s.Node.Extents))}
	offset, valid := -1, -1
	for i, d := range v.Dims {
		l, ok := s.linearValue(index[i])
		switch {
		case ok && l.inside(d.Extent()):
			l.along(&a, d)
			continue
		case len(d) > 0:
			stride := b.ConstBits(dtype.I64, uint64(d[0].Stride))
			offset = join(b, kernel.Add, offset, b.Binary(kernel.Mul, index[i], stride))
		}
		valid = join(b, kernel.And, valid, within(b, index[i], d.Extent()))
	}
	if offset < 0 {
		offset = b.Const(dtype.I64, 0)
	}
	offset = b.Select(valid, offset, b.Const(dtype.I64, float64(-v.Tensor.Size)))
	return relabel(b, b.LoadAt(s.Port(a), v.Tensor.DType, offset), v.DType)
}

// join combines two values; x is -1 if there is no first value yet.
func join(b *kernel.Builder, op kernel.Op, x, y int) int {
	if x < 0 {
		return y
	}
	return b.Binary(op, x, y)
}

func within(b *kernel.Builder, index, extent int) int {
	low := b.Binary(kernel.Ge, index, b.Const(dtype.I64, 0))
	high := b.Binary(kernel.Lt, index, b.ConstBits(dtype.I64, uint64(extent)))
	return b.Binary(kernel.And, low, high)
}

// linearForm is an i64 as a linear function of the loops, with its range.
type linearForm struct {
	coeffs    []int
	constant  int
	low, high int
}

// inside reports whether the values are indices of a dimension.
func (l *linearForm) inside(extent int) bool { return l.low >= 0 && l.high < extent }

// along adds the way along a dimension of at most one factor to an access.
func (l *linearForm) along(a *graph.Access, d graph.Dim) {
	if len(d) == 0 {
		return
	}
	a.Offset += l.constant * d[0].Stride
	for n, c := range l.coeffs {
		a.Strides[n] += c * d[0].Stride
	}
}

// linearValue finds the linear form of a value of the body, if it has one.
func (s *structured) linearValue(value int) (linearForm, bool) {
	l := linearForm{coeffs: make([]int, len(s.Node.Extents))}
	body := s.scalars.b.Body()
	type item struct{ value, scale int }
	stack := []item{{value, 1}}
	for steps := 0; len(stack) > 0; steps++ {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		i := &body[it.value]
		switch {
		case steps > 64 || i.Type != dtype.I64:
			return l, false
		case i.Op == kernel.Const:
			l.constant += it.scale * int(int64(i.Imm))
		case i.Op == kernel.Index:
			l.coeffs[i.Port] += it.scale
		case i.Op == kernel.Add:
			stack = append(stack, item{i.A, it.scale}, item{i.B, it.scale})
		case i.Op == kernel.Sub:
			stack = append(stack, item{i.A, it.scale}, item{i.B, -it.scale})
		case i.Op == kernel.Mul && body[i.B].Op == kernel.Const:
			stack = append(stack, item{i.A, it.scale * int(int64(body[i.B].Imm))})
		case i.Op == kernel.Mul && body[i.A].Op == kernel.Const:
			stack = append(stack, item{i.B, it.scale * int(int64(body[i.A].Imm))})
		default:
			return l, false
		}
	}
	l.low, l.high = l.constant, l.constant
	for n, c := range l.coeffs {
		reach := c * (s.Node.Extents[n] - 1)
		l.low += min(reach, 0)
		l.high += max(reach, 0)
	}
	return l, true
}
