package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
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
	r := taps{index: make([][]int, n), weight: make([][]float64, n), filled: true}
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
	weighted, filled, most := false, false, 0
	for _, table := range tables {
		weighted, filled = weighted || !table.copies(), filled || table.filled
		most = max(most, width(table.index))
	}
	if weighted && most <= mostTaps {
		for k, table := range tables {
			t = l.resampleAxis(t, lead+k, table, acc, func(_ *Scalars, sum Elem) Elem { return sum })
		}
		return l.Cast(t, out.DType)
	}
	var ins []Operand
	for k, table := range tables {
		m := mlir.Projection(rank+n, lead+k, rank+k)
		ins = append(ins, Operand{l.indexTable(table.index), m})
	}
	if weighted {
		for k, table := range tables {
			ins = append(ins, Operand{l.weightTable(acc, table.weight),
				mlir.Projection(rank+n, lead+k, rank+k)})
		}
	}
	point := mlir.Projection(rank+n, shape.UpTo(rank)...)
	kinds := append(repeat(Parallel, rank), repeat(Reduction, n)...)
	sum := l.Generic(kinds, ins, []Operand{{l.Fill(acc, out.Shape, 0), point}},
		func(s *Scalars, x []Elem) []Elem {
			var at []Elem
			for d := range lead {
				at = append(at, s.Index(d))
			}
			v := s.Cast(s.At(t, append(at, x[:n]...)...), acc)
			if weighted {
				v = weigh(s, v, x[n:2*n], filled)
			}
			return []Elem{s.Add(x[len(ins)], v)}
		})[0]
	return l.Cast(sum, out.DType)
}

// mostTaps bounds sums that are written out.
const mostTaps = 8

// resampleAxis resamples one axis in the type acc, which finish gives back what is stored of a sum. Only along the last
// axis are elements looked up one by one, and no output reads more of them than there are taps of an axis: for all axes
// together it would be their product.
func (l *Lowering) resampleAxis(t Lowered, axis int, table taps, acc dtype.DType, finish func(s *Scalars, sum Elem) Elem) Lowered {
	dims := withDim(t.Shape(), axis, len(table.index))
	rank, count := len(dims), width(table.index)
	point := mlir.Projection(rank, shape.UpTo(rank)...)
	column := mlir.Projection(rank, axis)
	var ins []Operand
	for k := range count {
		at, weight := make([][]int, len(table.index)), make([][]float64, len(table.index))
		for o := range table.index {
			at[o], weight[o] = table.index[o][k:k+1], table.weight[o][k:k+1]
		}
		ins = append(ins, Operand{l.Reshape(l.indexTable(at), dims[axis:axis+1]), column},
			Operand{l.Reshape(l.weightTable(acc, weight), dims[axis:axis+1]), column})
	}
	return l.Generic(repeat(Parallel, rank), ins, []Operand{{l.Empty(acc, dims), point}},
		func(s *Scalars, x []Elem) []Elem {
			var sum Elem
			for k := range count {
				at := make([]Elem, rank)
				for d := range at {
					at[d] = s.Index(d)
				}
				at[axis] = x[2*k]
				v := weigh(s, s.Cast(s.At(t, at...), acc), x[2*k+1:2*k+2], table.filled)
				if k == 0 {
					sum = v
				} else {
					sum = s.Add(sum, v)
				}
			}
			return []Elem{finish(s, sum)}
		})[0]
}

// weigh multiplies v by the product of the weights, which have its type. A weight of 0 that
// only fills up gives 0 of infinity, too.
func weigh(s *Scalars, v Elem, weights []Elem, filled bool) Elem {
	w := weights[0]
	for _, next := range weights[1:] {
		w = s.Mul(w, next)
	}
	y := s.Mul(v, w)
	if filled {
		zero := s.Const(v.D, 0)
		y = s.Select(s.Cmp("eq", w, zero), zero, y)
	}
	return y
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
	var whole []int64
	for _, row := range rows {
		for _, v := range row {
			list, whole = append(list, v), append(whole, int64(v))
		}
	}
	t := LoweredType(TensorType{d, []int{len(rows), width(rows)}})
	if !d.IsFloat() {
		return l.constant(d, mlir.DenseInts(t, whole))
	}
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

// tapBytes is about what one output of a table costs while it is made.
const tapBytes = 200

// sampling is how an interpolation places its taps.
type sampling struct {
	// at gives the positions and weights around a source position, rounded after every
	// operation.
	at      func(source float64, round func(float64) float64) (index []int, weight []float64)
	nearest bool
	shift   float64 // of a nearest position
	cubic   bool    // positions below 0 are kept
}

// table computes the taps of an axis. Positions and weights are computed in float32, or
// float64 for tensors of that type.
func (p *sampling) table(d dtype.DType, in, out int, align bool, scale float64) taps {
	round := rounding(widened(d))
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
		t.index[o], t.weight[o] = p.at(source, round)
		for k, i := range t.index[o] {
			t.index[o][k] = min(max(i, 0), in-1)
		}
	}
	return t
}

func nearestTap(source float64, _ func(float64) float64) ([]int, []float64) {
	return []int{int(source)}, []float64{1}
}

func linearTaps(source float64, round func(float64) float64) ([]int, []float64) {
	low := math.Floor(source)
	f := round(source - low)
	return []int{int(low), int(low) + 1}, []float64{round(1 - f), f}
}

// cubicTaps are the weights of Keys, "Cubic Convolution Interpolation for Digital
// Image Processing", 1981, with a = -0.75.
func cubicTaps(source float64, round func(float64) float64) ([]int, []float64) {
	const a = -0.75
	// polynomial is (((c₃·x + c₂)·x + c₁)·x + c₀).
	polynomial := func(x, c3, c2, c1, c0 float64) float64 {
		y := round(round(c3*x) + c2)
		y = round(round(y*x) + c1)
		return round(round(y*x) + c0)
	}
	near := func(x float64) float64 { return polynomial(x, a+2, -(a + 3), 0, 1) }
	far := func(x float64) float64 { return polynomial(x, a, -5*a, 8*a, -4*a) }
	low := math.Floor(source)
	f, i := round(source-low), int(low)
	back := round(1 - f)
	return []int{i - 1, i, i + 1, i + 2},
		[]float64{far(round(f + 1)), near(f), near(back), far(round(back + 1))}
}
