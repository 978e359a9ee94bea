package ops

import (
	"math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/dtype"
)

// taps say how one axis is resampled: output o is the sum over k of weight[o][k]
// times the input at index[o][k]. All lists of a table have one length.
type taps struct {
	index  [][]int
	weight [][]float64
	filled bool // weights of 0 only fill up: what they are for is not read
}

// transposed gives the table of the gradient: for each of n inputs the outputs that
// read it. Lists are filled up with weights of 0.
func (t *taps) transposed(n int) taps {
	r := taps{make([][]int, n), make([][]float64, n), true}
	most := 1
	for o, list := range t.index {
		for k, i := range list {
			if w := t.weight[o][k]; w != 0 {
				r.index[i] = append(r.index[i], o)
				r.weight[i] = append(r.weight[i], w)
				most = max(most, len(r.index[i]))
			}
		}
	}
	for i := range r.index {
		for len(r.index[i]) < most {
			r.index[i] = append(r.index[i], 0)
			r.weight[i] = append(r.weight[i], 0)
		}
	}
	return r
}

// copies reports whether every output is one input, unweighted.
func (t *taps) copies() bool {
	for _, list := range t.weight {
		if len(list) != 1 || list[0] != 1 {
			return false
		}
	}
	return true
}

// resample applies one table to each of the last dimensions of t.
func (l *Lowering) resample(t Lowered, tables []taps, out TensorType) Lowered {
	rank, n := len(out.Shape), len(tables)
	lead := rank - n
	acc := widened(t.D)
	var ins []Operand
	weighted := false
	for k, table := range tables {
		m := mlir.Projection(rank+n, lead+k, rank+k)
		ins = append(ins, Operand{l.indexTable(table.index), m})
		weighted = weighted || !table.copies()
	}
	if weighted {
		for k, table := range tables {
			ins = append(ins, Operand{l.weightTable(t.D, table.weight),
				mlir.Projection(rank+n, lead+k, rank+k)})
		}
	}
	point := mlir.Projection(rank+n, upTo(rank)...)
	kinds := append(repeat(Parallel, rank), repeat(Reduction, n)...)
	sum := l.Generic(kinds, ins, []Operand{{l.Fill(acc, out.Shape, 0), point}},
		func(s *Scalars, x []Elem) []Elem {
			var at []Elem
			for d := range lead {
				at = append(at, s.Index(d))
			}
			v := s.Cast(s.At(t, append(at, x[:n]...)...), acc)
			if weighted {
				for k, w := range x[n : 2*n] {
					w = s.Cast(w, acc)
					y := s.Mul(v, w)
					if tables[k].filled { // not 0 times infinity
						zero := s.Const(acc, 0)
						y = s.Select(s.Cmp("eq", w, zero), zero, y)
					}
					v = y
				}
			}
			return []Elem{s.Add(x[len(ins)], v)}
		})[0]
	return l.Cast(sum, out.DType)
}

// indexTable is a constant [len(rows), taps] of positions, weightTable one of weights.
func (l *Lowering) indexTable(rows [][]int) Lowered {
	var list []int64
	for _, row := range rows {
		for _, v := range row {
			list = append(list, int64(v))
		}
	}
	t := LoweredType(TensorType{dtype.I64, []int{len(rows), width(rows)}})
	return l.constant(dtype.I64, mlir.DenseInts(t, list))
}

func (l *Lowering) weightTable(d dtype.DType, rows [][]float64) Lowered {
	var list []float64
	for _, row := range rows {
		list = append(list, row...)
	}
	t := LoweredType(TensorType{d, []int{len(rows), width(rows)}})
	return l.constant(d, mlir.DenseFloats(t, list))
}

func width[T any](rows [][]T) int {
	if len(rows) == 0 {
		return 0
	}
	return len(rows[0])
}

func (l *Lowering) constant(d dtype.DType, value mlir.DenseAttr) Lowered {
	op := l.create("arith.constant", nil, []mlir.Type{value.Type},
		mlir.Named{Name: "value", Value: value})
	return Lowered{op.Result(), d}
}

// sampling is how an interpolation places its taps.
type sampling struct {
	// at gives the positions and weights around a source position.
	at      func(source float64) (index []int, weight []float64)
	nearest bool
	shift   float64 // of a nearest position
	cubic   bool    // positions below 0 are kept
}

// halfPositions is the extent up to which bf16 has all multiples of 1/2.
const halfPositions = 128

// table computes the taps of an axis. Positions are computed in the precision in
// which PyTorch 1.13 does: that of the tensor, for f16 and nearest positions float32.
// In bf16 that is done only where positions stay apart. Weights have the tensor's type.
func (p *sampling) table(d dtype.DType, in, out int, align bool, scale float64) taps {
	round := func(v float64) float64 { return float64(float32(v)) }
	switch {
	case d == dtype.F64:
		round = func(v float64) float64 { return v }
	case d == dtype.BF16 && !p.nearest && max(in, out) <= halfPositions:
		round = roundBF16
	}
	var step float64
	switch {
	case align && !p.nearest:
		if out > 1 {
			step = round(float64(in-1) / float64(out-1))
		}
	case scale > 0:
		step = round(1 / scale)
	default:
		step = round(float64(in) / float64(out))
	}
	t := taps{index: make([][]int, out), weight: make([][]float64, out)}
	for o := range out {
		var source float64
		switch {
		case p.nearest:
			source = math.Floor(round((float64(o) + p.shift) * step))
		case align:
			source = round(step * float64(o))
		default:
			source = round(round(step*(float64(o)+0.5)) - 0.5)
			if !p.cubic {
				source = math.Max(source, 0)
			}
		}
		t.index[o], t.weight[o] = p.at(source)
		for k, i := range t.index[o] {
			t.index[o][k] = min(max(i, 0), in-1)
		}
	}
	return t
}

func nearestTap(source float64) ([]int, []float64) { return []int{int(source)}, []float64{1} }

func linearTaps(source float64) ([]int, []float64) {
	low := math.Floor(source)
	f := source - low
	return []int{int(low), int(low) + 1}, []float64{1 - f, f}
}

// cubicTaps are the weights of Keys, "Cubic Convolution Interpolation for Digital
// Image Processing", 1981, with a = -0.75.
func cubicTaps(source float64) ([]int, []float64) {
	const a = -0.75
	near := func(x float64) float64 { return ((a+2)*x-(a+3))*x*x + 1 }
	far := func(x float64) float64 { return ((a*x-5*a)*x+8*a)*x - 4*a }
	low := math.Floor(source)
	f, i := source-low, int(low)
	return []int{i - 1, i, i + 1, i + 2}, []float64{far(f + 1), near(f), near(1 - f), far(2 - f)}
}
