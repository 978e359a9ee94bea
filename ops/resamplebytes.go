package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// resampleBytes applies one table to each of the last dimensions of u8, the last one first, in the fixed point in which
// PyTorch interpolates pictures: the weights of an axis are whole numbers over one power of two, and each axis leaves
// bytes.
func (l *Lowering) resampleBytes(t Lowered, tables []taps) Lowered {
	lead := len(t.Shape()) - len(tables)
	for k := len(tables) - 1; k >= 0; k-- {
		table, bits := tables[k].fixed()
		t = l.resampleAxis(t, lead+k, table, dtype.I32, func(s *Scalars, sum Elem) Elem {
			half := s.ConstInt(dtype.I32, 1<<(bits-1))
			y := s.Shr(s.Add(sum, half), s.ConstInt(dtype.I32, int64(bits)))
			return s.Min(s.Max(y, s.ConstInt(dtype.I32, 0)), s.ConstInt(dtype.I32, math.MaxUint8))
		})
	}
	return l.Cast(t, dtype.U8)
}

// fixed gives the weights as whole numbers, which bits stand behind the point of. They are the most, up to 22, with
// which the largest weight fits into 16 bits. An output that reads one input twice, at the edge, has the sum of both
// weights.
func (t *taps) fixed() (r taps, bits int) {
	r = taps{index: t.index, weight: make([][]float64, len(t.weight))}
	largest := 0.0
	for o, list := range t.weight {
		sums := make([]float64, len(list))
		for k, w := range list {
			first := 0
			for t.index[o][first] != t.index[o][k] {
				first++
			}
			sums[first] += w
			largest = max(largest, sums[first])
		}
		r.weight[o] = sums
	}
	for bits < 22 && math.Floor(largest*math.Ldexp(1, bits+1)+0.5) < 1<<15 {
		bits++
	}
	for _, list := range r.weight {
		for k, w := range list {
			list[k] = math.Round(math.Ldexp(w, bits))
		}
	}
	return r, bits
}
