package native

import (
	"math/rand/v2"
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
)

// operand is where the elements of one operand of a kernel lie.
type operand struct {
	Port    *kernel.Port
	Offset  *int
	Extents []int
	Strides []*int
}

// operandsOf returns the operands of a nest, contraction, convolution or attention in the order of the
// ports.
func operandsOf(k kernel.Kernel) (list []operand) {
	add := func(p *kernel.Port, offset *int, extents []int, strides ...[]int) {
		l := operand{Port: p, Offset: offset, Extents: extents}
		for _, s := range strides {
			for i := range s {
				l.Strides = append(l.Strides, &s[i])
			}
		}
		list = append(list, l)
	}
	matrix := func(m *kernel.Matrix, batch []int, rows, cols int) {
		add(&m.Port, &m.Offset, append(slices.Clone(batch), rows, cols), m.Batch)
		last := &list[len(list)-1]
		last.Strides = append(last.Strides, &m.Row, &m.Col)
	}
	epilogue := func(e *kernel.Epilogue, extents ...int) {
		for i := range e.Access {
			add(&e.Access[i].Port, &e.Access[i].Offset, extents, e.Access[i].Outer)
		}
	}
	switch k := k.(type) {
	case *kernel.Nest:
		for i := range k.Access {
			a := &k.Access[i]
			add(&a.Port, &a.Offset, slices.Concat(k.Outer, k.Inner), a.Outer, a.Inner)
		}
	case *kernel.Contraction:
		matrix(&k.A, k.Batch, k.M, k.K)
		matrix(&k.B, k.Batch, k.K, k.N)
		epilogue(&k.Epilogue, append(slices.Clone(k.Batch), k.M, k.N)...)
	case *kernel.Convolution:
		add(&k.X.Port, &k.X.Offset, []int{k.N, k.C, k.H, k.W}, k.X.Strides[:])
		add(&k.Filter.Port, &k.Filter.Offset, []int{k.K, k.C / k.Groups, k.R, k.S}, k.Filter.Strides[:])
		epilogue(&k.Epilogue, k.N, k.K, k.P, k.Q)
	case *kernel.Attention:
		matrix(&k.Q, k.Batch, k.Queries, k.Dim)
		matrix(&k.K, k.Batch, k.KeyRows(), k.Dim)
		matrix(&k.V, k.Batch, k.KeyRows(), k.VDim)
		matrix(&k.O, k.Batch, k.Queries, k.VDim)
		if k.Mask != nil {
			matrix(k.Mask, k.Batch, k.Queries, k.Keys)
		}
		if k.Sinks != nil {
			matrix(k.Sinks, k.Batch, k.Queries, 1)
		}
		if k.Index != nil {
			matrix(k.Index, k.Batch, k.Keys, 1)
		}
	}
	return list
}

// walk calls f for every element.
func (l *operand) walk(f func(at int)) {
	_ = shape.Points(l.Extents, func(index []int) error {
		at := *l.Offset
		for i, x := range index {
			at += x * *l.Strides[i]
		}
		f(at)
		return nil
	})
}

// spread moves the elements of operands apart: of each, the longer strides grow by a power of two, up
// to 2^most. Points that had elements of their own still do.
func spread(r *rand.Rand, k kernel.Kernel, most int) {
	for _, l := range operandsOf(k) {
		l.spread(r, most)
	}
}

func (l *operand) spread(r *rand.Rand, most int) {
	if len(l.Strides) == 0 {
		return
	}
	least, by, longest := abs(*l.Strides[r.IntN(len(l.Strides))]), 1<<r.IntN(most+1), 0
	for _, s := range l.Strides {
		longest = max(longest, abs(*s))
	}
	for by > 1 && longest*by > 1<<most {
		by /= 2
	}
	first, last := 0, 0
	for i, s := range l.Strides {
		if abs(*s) >= least {
			*s *= by
		}
		if reach := *s * (l.Extents[i] - 1); l.Extents[i] > 0 {
			first, last = first+min(0, reach), last+max(0, reach)
		}
	}
	*l.Offset = -first
	l.Port.Len = max(l.Port.Len, last-first+1)
}

func abs(x int) int { return max(x, -x) }
