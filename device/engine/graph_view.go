package engine

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// tensor is flat memory that holds the elements of one or more values of the
// program. Every value is a view of a tensor.
type tensor struct {
	kind  tensorKind
	dtype dtype.DType
	size  int    // elements
	index int    // of an argument
	data  []byte // of a constant
	bits  uint64 // of a splat
	// writers fill the memory, in this order.
	writers []*node
	// reach is the end, along each dimension, of the boxes that the first boxed writers fill.
	reach []int
	boxed int
	// stored is the tensor with the elements of a splat in memory, once needed.
	stored *tensor
	// real is the tensor of an earlier piece that this one stands for, see [piece].
	real *tensor

	readers int  // clusters to come that read it, see [graph.clusters]
	varies  bool // from run to run, see [planner.constants]
	slot    int  // the number of its slot and 1; 0 if it has none
}

type tensorKind uint8

const (
	kindTemp     tensorKind = iota
	kindEmpty               // unspecified contents
	kindSplat               // every element is the same constant
	kindArgument            // an input of the program
	kindConstant            // data of the module
)

// factor is a loop over memory: extent points, stride elements apart.
type factor struct{ extent, stride int }

// dim is one dimension of a view. Reshapes merge dimensions that do not lie
// behind one another in memory, so a dimension is a list of factors, outermost
// first; its extent is their product.
type dim []factor

func (d dim) extent() int {
	n := 1
	for _, f := range d {
		n *= f.extent
	}
	return n
}

// view is a strided window on a tensor.
type view struct {
	t      *tensor
	dtype  dtype.DType // of the value; same size as the tensor's
	offset int
	dims   []dim
}

// whole returns the row-major view of all of t.
func whole(t *tensor, dims []int) view {
	v := view{t: t, dtype: t.dtype, dims: make([]dim, len(dims))}
	for i, s := range shape.Strides(dims) {
		v.dims[i] = newDim(factor{dims[i], s})
	}
	return v
}

// newDim drops factors of extent 1 and merges neighbours that lie behind one
// another.
func newDim(factors ...factor) dim {
	var d dim
	for _, f := range factors {
		if f.extent == 1 {
			continue
		}
		if k := len(d) - 1; k >= 0 && d[k].stride == f.stride*f.extent {
			d[k] = factor{d[k].extent * f.extent, f.stride}
			continue
		}
		d = append(d, f)
	}
	return d
}

func (v view) shape() []int {
	s := make([]int, len(v.dims))
	for i, d := range v.dims {
		s[i] = d.extent()
	}
	return s
}

func (v view) size() int { return shape.Size(v.shape()) }

// same reports whether two views have their elements at the same places of the same tensor.
func (v view) same(w view) bool {
	return v.t == w.t && v.dtype == w.dtype && v.offset == w.offset &&
		slices.EqualFunc(v.dims, w.dims, func(x, y dim) bool { return slices.Equal(x, y) })
}

// contiguous reports whether the elements lie row-major without gaps.
func (v view) contiguous() bool {
	next := 1
	for i := len(v.dims) - 1; i >= 0; i-- {
		for k := len(v.dims[i]) - 1; k >= 0; k-- {
			f := v.dims[i][k]
			if f.stride != next {
				return false
			}
			next *= f.extent
		}
	}
	return true
}

// covers reports whether v is all of its tensor in order.
func (v view) covers() bool {
	return v.offset == 0 && v.size() == v.t.size && (v.size() == 0 || v.contiguous())
}

// permute reorders dimensions: result dimension i is dimension perm[i].
func (v view) permute(perm []int) view {
	dims := make([]dim, len(perm))
	for i, p := range perm {
		dims[i] = v.dims[p]
	}
	v.dims = dims
	return v
}

// collapse joins groups of dimensions.
func (v view) collapse(groups [][]int) view {
	dims := make([]dim, len(groups))
	for i, g := range groups {
		var all []factor
		for _, k := range g {
			all = append(all, v.dims[k]...)
		}
		dims[i] = newDim(all...)
	}
	v.dims = dims
	return v
}

// expand splits dimensions into groups of the given extents. It reports false if
// a factor would have to be cut where it cannot.
func (v view) expand(groups [][]int, extents []int) (view, bool) {
	dims := make([]dim, len(extents))
	for i, g := range groups {
		rest := append([]factor(nil), v.dims[i]...)
		for k := len(g) - 1; k >= 0; k-- {
			d, left, ok := takeInner(rest, extents[g[k]])
			if !ok {
				return view{}, false
			}
			dims[g[k]], rest = d, left
		}
	}
	v.dims = dims
	return v, true
}

// takeInner splits the innermost n points off a list of factors.
func takeInner(factors []factor, n int) (inner dim, outer []factor, ok bool) {
	if n == 0 {
		return dim{{0, 1}}, factors, true
	}
	var taken []factor
	for n > 1 {
		if len(factors) == 0 {
			return nil, nil, false
		}
		f := factors[len(factors)-1]
		factors = factors[:len(factors)-1]
		switch {
		case f.extent <= n && f.extent > 0 && n%f.extent == 0:
			n /= f.extent
		case f.extent > n && f.extent%n == 0:
			factors = append(factors[:len(factors):len(factors)], factor{f.extent / n, f.stride * n})
			f.extent, n = n, 1
		default:
			return nil, nil, false
		}
		taken = append([]factor{f}, taken...)
	}
	return newDim(taken...), factors, true
}

// slice takes size points of dimension d from offset in steps of step. It
// reports false if the factors of the dimension do not allow it.
func (v view) slice(d, offset, size, step int) (view, bool) {
	old := v.dims[d]
	if offset == 0 && step == 1 && size == old.extent() {
		return v, true
	}
	v.dims = append([]dim(nil), v.dims...)
	switch {
	case size == 0:
		v.dims[d] = dim{{0, 1}}
		return v, true
	case len(old) <= 1:
		stride := 0
		if len(old) == 1 {
			stride = old[0].stride
		}
		v.offset += offset * stride
		v.dims[d] = newDim(factor{size, stride * step})
		return v, true
	}
	inner := old[1:].extent()
	last := offset + (size-1)*step
	switch {
	case step == 1 && offset%inner == 0 && size%inner == 0:
		v.offset += offset / inner * old[0].stride
		v.dims[d] = newDim(append([]factor{{size / inner, old[0].stride}}, old[1:]...)...)
		return v, true
	case offset/inner == last/inner:
		v.offset += offset / inner * old[0].stride
		v.dims[d] = old[1:]
		return v.slice(d, offset%inner, size, step)
	}
	return view{}, false
}
