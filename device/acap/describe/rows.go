package describe

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// Matrix describes a port that is the whole of its array, as a matrix of Rows rows, or points, of Width elements. The
// cores share the rows.
type Matrix struct {
	Rows, Width int
	// Loops are those over rows, then those over the elements of one, by where they lie in the array; none where
	// all lie in order, row by row.
	Loops []workload.Loop
}

// Same reports whether two ports of one array are the same matrix, element by element, or one in order cut into
// rows of other lengths.
func (m Matrix) Same(as Matrix) bool {
	if len(m.Loops) == 0 && len(as.Loops) == 0 {
		return true
	}
	return m.Rows == as.Rows && m.Width == as.Width && slices.Equal(m.Loops, as.Loops)
}

// MatrixOf returns the matrix that a port is; false where it is none, or less than its array.
func MatrixOf(k kernel.Kernel, port int) (m Matrix, ok bool) {
	d, _ := kinds.Of(k)
	if d.matrix == nil {
		return m, false
	}
	p, offset, rows, cols, ok := d.matrix(k, port)
	if !ok {
		return m, false
	}
	m = Matrix{Rows: trips(rows), Width: trips(cols)}
	rows, cols = joined(rows), joined(cols)
	all := slices.Concat(rows, cols)
	if offset != 0 || !covers(all, p.Len) {
		return Matrix{}, false
	}
	if len(joined(all)) > 1 {
		m.Loops = all
	}
	return m, true
}

// joined makes one loop of neighbouring ones that go on where the next ends.
func joined(list []workload.Loop) (out []workload.Loop) {
	for _, l := range list {
		last := len(out) - 1
		switch {
		case l.Size == 1:
		case last >= 0 && out[last].Stride == l.Size*l.Stride:
			out[last] = workload.Loop{Size: out[last].Size * l.Size, Stride: l.Stride}
		default:
			out = append(out, l)
		}
	}
	return out
}

// covers reports whether loops visit each of the given number of elements once.
func covers(list []workload.Loop, elements int) bool {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b workload.Loop) int { return a.Stride - b.Stride })
	next := 1
	for _, l := range list {
		if l.Stride != next {
			return false
		}
		next *= l.Size
	}
	return next == elements
}

// contractionMatrix gives the matrix of a port of a contraction.
func contractionMatrix(k *kernel.Contraction, port int) (p kernel.Port, offset int, rows, cols []workload.Loop, ok bool) {
	if shape.Size(k.Batch) > 1 {
		return p, 0, nil, nil, false
	}
	switch {
	case port == 0:
		p, offset = k.A.Port, k.A.Offset
		rows, cols = loops([]int{k.M}, []int{k.A.Row}), loops([]int{k.K}, []int{k.A.Col})
	case port >= 2:
		a := &k.Epilogue.Access[port-2]
		strides := a.Outer[len(k.Batch):]
		p, offset = a.Port, a.Offset
		rows, cols = loops([]int{k.M}, strides[:1]), loops([]int{k.N}, strides[1:])
	default:
		return p, 0, nil, nil, false
	}
	return p, offset, rows, cols, true
}

// convolutionMatrix gives the matrix of a port of a convolution.
func convolutionMatrix(k *kernel.Convolution, port int) (p kernel.Port, offset int, rows, cols []workload.Loop, ok bool) {
	s := k.X.Strides
	switch {
	case k.Groups > 1:
		return p, 0, nil, nil, false
	case port == 0:
		p, offset = k.X.Port, k.X.Offset
		rows, cols = loops([]int{k.N, k.H, k.W}, []int{s[0], s[2], s[3]}), loops([]int{k.C}, s[1:2])
	case port >= 2:
		a := &k.Epilogue.Access[port-2]
		p, offset = a.Port, a.Offset
		rows, cols = loops([]int{k.N, k.P, k.Q}, []int{a.Outer[0], a.Outer[2], a.Outer[3]}), loops([]int{k.K}, a.Outer[1:2])
	default:
		return p, 0, nil, nil, false
	}
	return p, offset, rows, cols, true
}

// nestMatrix gives the matrix of a port of a nest.
func nestMatrix(k *kernel.Nest, port int) (p kernel.Port, offset int, rows, cols []workload.Loop, ok bool) {
	a := &k.Access[port]
	p, offset = a.Port, a.Offset
	rows, cols = loops(k.Outer, a.Outer), loops(k.Inner, a.Inner)
	return p, offset, rows, cols, true
}
