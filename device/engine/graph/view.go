package graph

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Factor is a loop over memory: extent points, stride elements apart.
type Factor struct{ Extent, Stride int }

// Dim is one dimension of a view. Reshapes merge dimensions that do not lie
// behind one another in memory, so a dimension is a list of factors, outermost
// first; its extent is their product.
type Dim []Factor

// Extent returns the number of indices of the dimension.
func (d Dim) Extent() int {
	n := 1
	for _, f := range d {
		n *= f.Extent
	}
	return n
}

// View is a strided window on a tensor.
type View struct {
	Tensor *Tensor
	DType  dtype.DType // of the value; same size as the tensor's
	Offset int
	Dims   []Dim
	After  *Tensor // that is written before the view is read; nil for none
}

// Whole returns the row-major view of all of t.
func Whole(t *Tensor, dims []int) View {
	v := View{Tensor: t, DType: t.DType, Dims: make([]Dim, len(dims))}
	for i, s := range shape.Strides(dims) {
		v.Dims[i] = NewDim(Factor{dims[i], s})
	}
	return v
}

// NewDim drops factors of extent 1 and merges neighbours that lie behind one
// another.
func NewDim(factors ...Factor) Dim {
	var d Dim
	for _, f := range factors {
		if f.Extent == 1 {
			continue
		}
		if k := len(d) - 1; k >= 0 && d[k].Stride == f.Stride*f.Extent {
			d[k] = Factor{d[k].Extent * f.Extent, f.Stride}
			continue
		}
		d = append(d, f)
	}
	return d
}

// Shape returns the extents of the dimensions.
func (v View) Shape() []int {
	s := make([]int, len(v.Dims))
	for i, d := range v.Dims {
		s[i] = d.Extent()
	}
	return s
}

// Size returns the number of elements.
func (v View) Size() int { return shape.Size(v.Shape()) }

// Same reports whether two views have their elements at the same places of the same tensor.
func (v View) Same(w View) bool {
	return v.Tensor == w.Tensor && v.DType == w.DType && v.Offset == w.Offset &&
		slices.EqualFunc(v.Dims, w.Dims, func(x, y Dim) bool { return slices.Equal(x, y) })
}

// Contiguous reports whether the elements lie row-major without gaps.
func (v View) Contiguous() bool {
	next := 1
	for i := len(v.Dims) - 1; i >= 0; i-- {
		for k := len(v.Dims[i]) - 1; k >= 0; k-- {
			f := v.Dims[i][k]
			if f.Stride != next {
				return false
			}
			next *= f.Extent
		}
	}
	return true
}

// Covers reports whether v is all of its tensor in order.
func (v View) Covers() bool {
	return v.Offset == 0 && v.Size() == v.Tensor.Size && (v.Size() == 0 || v.Contiguous())
}

// Permute reorders dimensions: result dimension i is dimension perm[i].
func (v View) Permute(perm []int) View {
	dims := make([]Dim, len(perm))
	for i, p := range perm {
		dims[i] = v.Dims[p]
	}
	v.Dims = dims
	return v
}

// Collapse joins groups of dimensions.
func (v View) Collapse(groups [][]int) View {
	dims := make([]Dim, len(groups))
	for i, g := range groups {
		var all []Factor
		for _, k := range g {
			all = append(all, v.Dims[k]...)
		}
		dims[i] = NewDim(all...)
	}
	v.Dims = dims
	return v
}

// Expand splits dimensions into groups of the given extents. It reports false if
// a factor would have to be cut where it cannot.
func (v View) Expand(groups [][]int, extents []int) (View, bool) {
	dims := make([]Dim, len(extents))
	for i, g := range groups {
		rest := append([]Factor(nil), v.Dims[i]...)
		for k := len(g) - 1; k >= 0; k-- {
			d, left, ok := takeInner(rest, extents[g[k]])
			if !ok {
				return View{}, false
			}
			dims[g[k]], rest = d, left
		}
	}
	v.Dims = dims
	return v, true
}

// takeInner splits the innermost n points off a list of factors.
func takeInner(factors []Factor, n int) (inner Dim, outer []Factor, ok bool) {
	if n == 0 {
		return Dim{{0, 1}}, factors, true
	}
	var taken []Factor
	for n > 1 {
		if len(factors) == 0 {
			return nil, nil, false
		}
		f := factors[len(factors)-1]
		factors = factors[:len(factors)-1]
		switch {
		case f.Extent <= n && f.Extent > 0 && n%f.Extent == 0:
			n /= f.Extent
		case f.Extent > n && f.Extent%n == 0:
			factors = append(factors[:len(factors):len(factors)], Factor{f.Extent / n, f.Stride * n})
			f.Extent, n = n, 1
		default:
			return nil, nil, false
		}
		taken = append([]Factor{f}, taken...)
	}
	return NewDim(taken...), factors, true
}

// Slice takes size points of dimension d from offset in steps of step. It
// reports false if the factors of the dimension do not allow it.
func (v View) Slice(d, offset, size, step int) (View, bool) {
	old := v.Dims[d]
	if offset == 0 && step == 1 && size == old.Extent() {
		return v, true
	}
	v.Dims = append([]Dim(nil), v.Dims...)
	switch {
	case size == 0:
		v.Dims[d] = Dim{{0, 1}}
		return v, true
	case len(old) <= 1:
		stride := 0
		if len(old) == 1 {
			stride = old[0].Stride
		}
		v.Offset += offset * stride
		v.Dims[d] = NewDim(Factor{size, stride * step})
		return v, true
	}
	inner := old[1:].Extent()
	last := offset + (size-1)*step
	switch {
	case step == 1 && offset%inner == 0 && size%inner == 0:
		v.Offset += offset / inner * old[0].Stride
		v.Dims[d] = NewDim(append([]Factor{{size / inner, old[0].Stride}}, old[1:]...)...)
		return v, true
	case offset/inner == last/inner:
		v.Offset += offset / inner * old[0].Stride
		v.Dims[d] = old[1:]
		return v.Slice(d, offset%inner, size, step)
	}
	return View{}, false
}

// Splat returns a view of one constant element.
func Splat(d dtype.DType, bits uint64, dims []int) View {
	v := View{Tensor: &Tensor{Kind: Uniform, DType: d, Size: 1, Bits: bits}, DType: d}
	v.Dims = make([]Dim, len(dims))
	for i, n := range dims {
		v.Dims[i] = NewDim(Factor{n, 0})
	}
	return v
}

// BroadcastTo returns the view of a scalar that repeats it in a shape.
func (v View) BroadcastTo(dims []int) View {
	v.Dims = make([]Dim, len(dims))
	for i, n := range dims {
		v.Dims[i] = NewDim(Factor{n, 0})
	}
	return v
}

// Permutation returns the order in which the dimensions of v give w, if there is one.
func (v View) Permutation(w View) (perm []int, ok bool) {
	if v.Offset != w.Offset || v.DType != w.DType || len(v.Dims) != len(w.Dims) {
		return nil, false
	}
	for _, d := range w.Dims {
		i := slices.IndexFunc(v.Dims, func(e Dim) bool { return slices.Equal(d, e) })
		for i >= 0 && slices.Contains(perm, i) { // equal dimensions, each once
			next := slices.IndexFunc(v.Dims[i+1:], func(e Dim) bool { return slices.Equal(d, e) })
			if next < 0 {
				return nil, false
			}
			i += 1 + next
		}
		if i < 0 {
			return nil, false
		}
		perm = append(perm, i)
	}
	return perm, true
}

// Joined reports whether some dimension of v has more than one stride.
func (v View) Joined() bool {
	return slices.ContainsFunc(v.Dims, func(d Dim) bool { return len(d) > 1 })
}

// Stride returns the stride of a dimension with one factor.
func (v View) Stride(d int) int {
	if len(v.Dims[d]) == 0 {
		return 0
	}
	return v.Dims[d][0].Stride
}
