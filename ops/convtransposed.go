package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// A transposed convolution adds x[i]·w[k] to the place stride·i + dilation·k - padding. Along one
// dimension, places whose distances are multiples of the stride are reached by every
// step-th tap of the window, so they are a plain convolution of x by these taps. No zero is
// put between the elements of x: work and special values are as in the sum above.

// phase is a range of such taps, along one dimension: first, first+1, … begin the sums of
// count neighbouring sets of places, each with its taps step apart.
type phase struct {
	first, count, taps int
	shift              int // the places lie shift strides after the element at the first tap
	low                int // padding of x before the first place
}

// phases divides the window's taps in dimension i into phases, and gives the first and the
// number of the strides over which the wanted places lie.
func (v *convolution) phases(i, window, places int) (list []phase, from, strides int) {
	stride, dilation := v.stride[i], v.dilation[i]
	step := v.tapStep(i)
	from = v.padding[i] / stride
	strides = (v.padding[i]+places-1)/stride - from + 1
	for k := range min(step, window) {
		p := phase{first: k, count: 1, taps: (window-1-k)/step + 1, shift: dilation * k / stride}
		if n := len(list) - 1; n >= 0 && list[n].taps == p.taps && list[n].shift == p.shift {
			list[n].count++
			continue
		}
		p.low = v.spread(i)*(p.taps-1) + p.shift - from
		list = append(list, p)
	}
	return list, from, strides
}

// tapStep is the distance between taps that reach the same set of places in dimension i.
func (v *convolution) tapStep(i int) int {
	return v.stride[i] / greatestDivisor(v.stride[i], v.dilation[i])
}

// spread is the distance between the elements of x under such taps.
func (v *convolution) spread(i int) int {
	return v.dilation[i] / greatestDivisor(v.stride[i], v.dilation[i])
}

func greatestDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// transposedConvolution sums into dims, [N, O, places…]: x is [N, C, …], w [C, O/groups, window…].
func (l *Lowering) transposedConvolution(v *convolution, x, w Lowered, dims []int) Lowered {
	n := len(v.stride)
	if shape.Size(x.Shape()) == 0 || shape.Size(w.Shape()) == 0 || shape.Size(dims) == 0 {
		return l.Fill(widened(x.D), dims, 0)
	}
	lists := make([][]phase, n)
	whole := append([]int{}, dims[:2]...) // strides and the places in each, dimension by dimension
	offsets := []int{0, 0}
	spread := make([]int, n)
	for i := range n {
		list, from, strides := v.phases(i, w.Shape()[2+i], dims[2+i])
		lists[i], spread[i] = list, v.spread(i)
		whole = append(whole, strides, v.stride[i])
		offsets = append(offsets, v.padding[i]-from*v.stride[i])
	}
	sum := l.Fill(widened(x.D), whole, 0)
	for _, window := range choices(lists) {
		sum = l.addPhase(v, x, w, spread, window, sum)
	}
	joined := append([]int{}, dims[:2]...)
	for i := range n {
		joined = append(joined, whole[2+2*i]*whole[3+2*i])
	}
	return l.Slice(l.Reshape(sum, joined), offsets, dims, ones(len(dims)))
}

// choices lists the choices of one element from each list.
func choices(lists [][]phase) [][]phase {
	all := [][]phase{nil}
	for _, list := range lists {
		var next [][]phase
		for _, head := range all {
			for _, p := range list {
				next = append(next, append(head[:len(head):len(head)], p))
			}
		}
		all = next
	}
	return all
}

// addPhase puts the places of one phase of each dimension into sum, whose shape is
// [N, O, strides, places in a stride, …].
func (l *Lowering) addPhase(v *convolution, x, w Lowered, spread []int, window []phase, sum Lowered) Lowered {
	n, whole := len(window), sum.Shape()
	low := []int{}
	offsets, steps := make([]int, len(whole)), ones(len(whole))
	counts, strides, split := []int{}, []int{}, append([]int{}, whole[:2]...)
	perm := []int{0, 1}
	for i, p := range window {
		low = append(low, p.low)
		offsets[3+2*i], steps[3+2*i] = v.dilation[i]*p.first-v.stride[i]*p.shift, v.dilation[i]
		counts, strides = append(counts, p.count), append(strides, whole[2+2*i])
		split = append(split, p.count)
		perm = append(perm, 2+n+i, 2+i)
	}
	channels := whole[1] * shape.Size(counts)
	plain := convolution{stride: ones(n), padding: low, dilation: spread, groups: v.groups}
	part := l.convolve(x, l.phaseWeight(v, w, window), plain, append([]int{whole[0], channels}, strides...), widened(x.D))
	part = l.Permute(l.Reshape(part, append(split, strides...)), perm)
	if shape.Equal(part.Shape(), whole) {
		return part
	}
	return l.InsertSlice(part, sum, offsets, steps)
}

// phaseWeight takes the taps of a phase from w [C, O/groups, window…]: the weight of a plain
// convolution, [O·count…, C/groups, taps…], with every window reversed.
func (l *Lowering) phaseWeight(v *convolution, w Lowered, window []phase) Lowered {
	have, n := w.Shape(), len(window)
	in, out := have[0]/v.groups, have[1]
	w = l.Reshape(w, append([]int{v.groups, in, out}, have[2:]...))
	// The loops: group, output channel, count…, input channel, tap….
	dims, channels := []int{v.groups, out}, v.groups*out
	for _, p := range window {
		dims, channels = append(dims, p.count), channels*p.count
	}
	dims = append(dims, in)
	m := mlir.Projection(len(dims)+n, 0, 2+n, 1)
	taps := []int{}
	for i, p := range window {
		step := v.tapStep(i)
		last := mlir.Const(p.first + step*(p.taps-1))
		m.Results = append(m.Results, mlir.Dim(2+i).Plus(mlir.Dim(3+n+i).Times(-step)).Plus(last))
		taps = append(taps, p.taps)
	}
	dims = append(dims, taps...)
	r := l.Generic(repeat(Parallel, len(dims)), []Operand{{w, m}},
		[]Operand{{l.Empty(w.D, dims), mlir.Identity(len(dims))}},
		func(s *Scalars, x []Elem) []Elem { return x[:1] })[0]
	return l.Reshape(r, append([]int{channels, in}, taps...))
}
