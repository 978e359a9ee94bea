package kerneltest

import (
	"math"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/dtype"
)

// EvalAny runs any kernel on buffers: a nest by [Eval], the others by definition
// in float64 (integer products in int64).
func EvalAny(k kernel.Kernel, ports []Buffer) (fault bool, largest float64) {
	switch k := k.(type) {
	case *kernel.Nest:
		return Eval(k, ports)
	case *kernel.Contraction:
		return evalContraction(k, ports)
	case *kernel.Convolution:
		return evalConvolution(k, ports)
	case *kernel.Attention:
		return evalAttention(k, ports)
	}
	panic("BUG: kerneltest: unknown kernel")
}

// extent is how large sums and their terms became.
type extent struct{ largest float64 }

func (s *extent) note(x float64) { s.largest = max(s.largest, finite(x)) }

// evalEpilogue runs the body of an epilogue at one point on an accumulator.
func evalEpilogue(e *kernel.Epilogue, first int, ports []Buffer, index []int, acc Value) {
	v := make([]Value, len(e.Body))
	for n := range e.Body {
		i := &e.Body[n]
		at := 0
		if i.Op == kernel.Load || i.Op == kernel.Store {
			a := &e.Access[i.Port-first]
			at = a.Offset
			for l, x := range index {
				at += x * a.Outer[l]
			}
		}
		switch i.Op {
		case kernel.Input:
			v[n] = acc
		case kernel.Load:
			v[n] = ports[i.Port].Get(at)
		case kernel.Store:
			ports[i.Port].Set(at, v[i.A])
		case kernel.Index:
			v[n].I = int64(index[i.Port])
		default:
			v[n] = Compute(e.Body, n, v)
		}
	}
}

func (s *extent) multiply(x, y Value, acc *Value) {
	fx, fy := x.F+float64(x.I), y.F+float64(y.I)
	acc.I += x.I * y.I
	acc.F += fx * fy
	s.note(fx * fy)
	s.note(acc.F)
}

// settle cuts or rounds a sum to the accumulator's type.
func settle(t dtype.DType, acc Value) Value {
	if t.IsFloat() {
		return Value{F: roundTo(t, acc.F)}
	}
	return Value{I: wrap(t, acc.I)}
}

func matrixAt(m *kernel.Matrix, batch []int, row, col int) int {
	at := m.Offset + row*m.Row + col*m.Col
	for l, x := range batch {
		at += x * m.Batch[l]
	}
	return at
}

func evalContraction(c *kernel.Contraction, ports []Buffer) (bool, float64) {
	var s extent
	extents := append(append([]int(nil), c.Batch...), c.M, c.N)
	b := len(c.Batch)
	walk(extents, func(index []int) {
		var acc Value
		for k := range c.K {
			s.multiply(ports[0].Get(matrixAt(&c.A, index[:b], index[b], k)),
				ports[1].Get(matrixAt(&c.B, index[:b], k, index[b+1])), &acc)
		}
		evalEpilogue(&c.Epilogue, 2, ports, index, settle(c.Acc, acc))
	})
	return false, s.largest
}

func imageAt(m *kernel.Image, index ...int) int {
	at := m.Offset
	for l, x := range index {
		at += x * m.Strides[l]
	}
	return at
}

func evalConvolution(c *kernel.Convolution, ports []Buffer) (bool, float64) {
	var s extent
	perGroup := c.C / c.Groups
	walk([]int{c.N, c.K, c.P, c.Q}, func(index []int) {
		n, k, p, q := index[0], index[1], index[2], index[3]
		group := k / (c.K / c.Groups)
		var acc Value
		walk([]int{perGroup, c.R, c.S}, func(x []int) {
			h := p*c.Stride[0] + x[1]*c.Dilation[0] - c.Pad[0]
			w := q*c.Stride[1] + x[2]*c.Dilation[1] - c.Pad[1]
			if h < 0 || h >= c.H || w < 0 || w >= c.W {
				return
			}
			s.multiply(ports[0].Get(imageAt(&c.X, n, group*perGroup+x[0], h, w)),
				ports[1].Get(imageAt(&c.Filter, k, x[0], x[1], x[2])), &acc)
		})
		evalEpilogue(&c.Epilogue, 2, ports, index, settle(c.Acc, acc))
	})
	return false, s.largest
}

func evalAttention(a *kernel.Attention, ports []Buffer) (bool, float64) {
	var s extent
	b := len(a.Batch)
	walk(append(append([]int(nil), a.Batch...), a.Queries), func(index []int) {
		batch, i := index[:b], index[b]
		p, total := make([]float64, a.Keys), 0.0
		top := math.Inf(-1)
		for j := range p {
			for x := range a.Dim {
				p[j] += ports[0].Get(matrixAt(&a.Q, batch, i, x)).F * ports[1].Get(matrixAt(&a.K, batch, j, x)).F
			}
			p[j] *= a.Scale
			if a.Mask != nil {
				m := ports[4].Get(matrixAt(a.Mask, batch, i, j))
				if p[j] += m.F; a.MaskIsBool && m.I == 0 {
					p[j] = math.Inf(-1)
				}
			}
			if a.Causal && j > i {
				p[j] = math.Inf(-1)
			}
			top = max(top, p[j])
		}
		for j := range p {
			p[j] = math.Exp(p[j] - top)
			total += p[j]
		}
		for x := range a.VDim {
			o := 0.0
			for j := range p {
				if p[j] != 0 {
					v := ports[2].Get(matrixAt(&a.V, batch, j, x)).F
					o += p[j] / total * v
					s.note(v)
				}
			}
			ports[3].Set(matrixAt(&a.O, batch, i, x), Value{F: o})
		}
	})
	return false, s.largest
}
