package kerneltest

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/kernel"
)

// Reference runs any kernel on buffers: a nest by [Eval], the others by definition in float64 (integer products in
// int64). It reports whether an access faulted, and what another order of summation and its roundings may change.
func Reference(k kernel.Kernel, ports []Buffer) (fault bool, errors *Errors) {
	errors = newErrors(ports)
	switch k := k.(type) {
	case *kernel.Nest:
		fault, errors.largest = Eval(k, ports)
	case *kernel.Contraction:
		evalContraction(k, ports, errors)
	case *kernel.Convolution:
		evalConvolution(k, ports, errors)
	case *kernel.Attention:
		errors.largest = evalAttention(k, ports)
	default:
		panic("BUG: kerneltest: unknown kernel")
	}
	return fault, errors
}

func matrixAt(m *kernel.Matrix, batch []int, row, col int) int {
	at := m.Offset + row*m.Row + col*m.Col
	for l, x := range batch {
		at += x * m.Batch[l]
	}
	return at
}

// rowsOf returns what reads elements of keys or values, which may be stored in blocks.
func rowsOf(m *kernel.Matrix, port Buffer) func(batch []int, row, col int) float64 {
	if !m.Stored() {
		return func(batch []int, row, col int) float64 { return port.Get(matrixAt(m, batch, row, col)).F }
	}
	f := m.Format
	values := make([]float32, m.Len/f.Bytes()*f.Block())
	block.Decode(f, values, unsafe.Slice((*byte)(port.Pointer()), m.Len/f.Bytes()*f.Bytes()))
	return func(batch []int, row, col int) float64 {
		return float64(values[matrixAt(m, batch, row, col/f.Block())/f.Bytes()*f.Block()+col%f.Block()])
	}
}

// evalAttention returns how large values became.
func evalAttention(a *kernel.Attention, ports []Buffer) (largest float64) {
	b := len(a.Batch)
	row := func(batch []int, j int) int {
		if a.Index == nil {
			return j
		}
		return int(ports[a.IndexPort()].Get(matrixAt(a.Index, batch, j, 0)).I)
	}
	keys, values := rowsOf(&a.K, ports[1]), rowsOf(&a.V, ports[2])
	walk(append(append([]int(nil), a.Batch...), a.Queries), func(index []int) {
		batch, i := index[:b], index[b]
		p, total := make([]float64, a.Keys), 0.0
		top, sink := math.Inf(-1), math.Inf(-1)
		if a.Sinks != nil {
			sink = ports[a.SinksPort()].Get(matrixAt(a.Sinks, batch, i, 0)).F
			top = sink
		}
		for j := range p {
			for x := range a.Dim {
				p[j] += ports[0].Get(matrixAt(&a.Q, batch, i, x)).F * keys(batch, row(batch, j), x)
			}
			if p[j] *= a.Scale; a.Cap != 0 {
				p[j] = a.Cap * math.Tanh(p[j]/a.Cap)
			}
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
		if math.IsInf(top, -1) && a.Safe {
			for x := range a.VDim {
				ports[3].Set(matrixAt(&a.O, batch, i, x), Value{})
			}
			return
		}
		for j := range p {
			p[j] = math.Exp(p[j] - top)
			total += p[j]
		}
		total += math.Exp(sink - top)
		for x := range a.VDim {
			o := 0.0
			for j := range p {
				if p[j] != 0 {
					v := values(batch, row(batch, j), x)
					o += p[j] / total * v
					largest = max(largest, finite(v))
				}
			}
			ports[3].Set(matrixAt(&a.O, batch, i, x), Value{F: o})
		}
	})
	return largest
}
