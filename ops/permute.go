package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// permutations say which dimension of the input every dimension of the result is.
var permutations = map[string]func(c *Call) ([]int, error){}

// The operators that reorder dimensions. Each says by perm which dimension of
// the input every dimension of the result is.
func init() {
	pair := func(c *Call) ([]int, error) { return swapped(c, c.Int(1), c.Int(2)) }
	last := func(c *Call) ([]int, error) {
		switch len(c.Shape(0)) {
		case 0:
			return nil, nil // a number stays what it is, as in PyTorch
		case 1:
			return nil, c.ShapeErrorf("needs at least 2 dimensions, got %s", shape.String(c.Shape(0)))
		}
		return swapped(c, -2, -1)
	}
	for _, o := range []struct {
		schema  string
		inplace bool
		perm    func(c *Call) ([]int, error)
		sample  Sample
	}{
		{"permute(Tensor(a) self, int[] dims) -> Tensor(a)", false, permutation,
			Sample{S(2, 3, 4), []int{2, 0, -2}}},
		{"transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", false, pair,
			Sample{S(2, 3, 4), 0, -1}},
		{"swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", true, pair,
			Sample{S(2, 3), 0, 1}},
		{"swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", true, pair, Sample{S(2, 3), 0, 1}},
		{"t(Tensor(a) self) -> Tensor(a)", true, transposedMatrix, Sample{S(2, 3)}},
		{"numpy_T(Tensor(a) self) -> Tensor(a)", false, reversed, Sample{S(2, 3, 4)}},
		{"mT(Tensor(a) self) -> Tensor(a)", false, last, Sample{S(2, 3, 4)}},
		{"mH(Tensor(a) self) -> Tensor(a)", false, last, Sample{S(2, 3, 4)}},
		{"adjoint(Tensor(a) self) -> Tensor(a)", false, last, Sample{S(2, 3, 4)}},
		{"matrix_H(Tensor(a) self) -> Tensor(a)", false, hermitianMatrix, Sample{S(2, 3)}},
		{"movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", false, moved,
			Sample{S(2, 3, 4), 0, 2}},
		{"movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", false, moved,
			Sample{S(2, 3, 4), []int{0, 1}, []int{2, 0}}},
		{"moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", false, moved,
			Sample{S(2, 3, 4), 0, 2}},
		{"moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", false, moved,
			Sample{S(2, 3, 4), []int{0, 1}, []int{2, 0}}},
	} {
		if s, _ := ParseSchema(o.schema); !hermitian[s.FullName()] {
			permutations[s.FullName()] = o.perm
		}
		back := func(e Emit, c *Call, v Value) Value {
			perm, _ := o.perm(c)
			v = e.Call("permute", v, inverse(perm))
			if hermitian[c.Op.Functional().Name()] {
				v = e.Conj(v)
			}
			return v
		}
		register(&Op{
			Schema:  o.schema,
			Inplace: o.inplace,
			Infer: func(c *Call) error {
				perm, err := o.perm(c)
				if err != nil {
					return err
				}
				return c.Result(c.DTypeOf(0), permuted(c.Shape(0), perm))
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				perm, _ := o.perm(c)
				return one(l.Permute(l.In(c, 0), perm))
			},
			Grad: func(g *Gradient) { g.Set(0, back(g.Emit, g.call, g.Grad(0))) },
			View: func(e Emit, c *Call, _, view Value, _ int) Value {
				return back(e, c, view)
			},
			Strides: func(c *Call, strides []int, _ int) []int {
				perm, _ := o.perm(c)
				return permuted(strides, perm)
			},
			Samples: samplesOf(o.sample),
		})
	}
	// ATen's in-place twin of transpose.int is transpose_, without an overload name.
	registerInplace("transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", "transpose.int")
}

// hermitian are the transpositions that conjugate complex matrices.
var hermitian = setOf("mH", "adjoint", "matrix_H")

// expandHermitian transposes a complex matrix and conjugates it.
func expandHermitian(e Emit, c *Call) []Value {
	x := c.Tensor(0)
	if len(c.Shape(0)) > 0 {
		x = e.mT(x)
	}
	return []Value{e.Conj(x)}
}

// permutation reads the dimensions that permute names.
func permutation(c *Call) ([]int, error) {
	perm, rank := c.Ints(1), len(c.Shape(0))
	if len(perm) != rank {
		return nil, c.ShapeErrorf("%d dimensions are named for an input of rank %d: %s", len(perm), rank,
			shape.String(c.Shape(0)))
	}
	if rank == 0 {
		return nil, nil
	}
	out := make([]int, rank)
	seen := make([]bool, rank)
	for i, d := range perm {
		n, err := shape.Dim(d, rank)
		if err != nil {
			return nil, err
		}
		if seen[n] {
			return nil, &shape.DimError{Dim: d, Rank: rank, Repeated: true}
		}
		seen[n], out[i] = true, n
	}
	return out, nil
}

// swapped exchanges dimensions a and b.
func swapped(c *Call, a, b int) ([]int, error) {
	rank := len(c.Shape(0))
	x, err := shape.Dim(a, rank)
	if err != nil {
		return nil, err
	}
	y, err := shape.Dim(b, rank)
	if err != nil {
		return nil, err
	}
	perm := shape.UpTo(rank)
	if rank > 0 {
		perm[x], perm[y] = perm[y], perm[x]
	}
	return perm, nil
}

func transposedMatrix(c *Call) ([]int, error) {
	if rank := len(c.Shape(0)); rank > 2 {
		return nil, c.ShapeErrorf("needs at most 2 dimensions, got %s", shape.String(c.Shape(0)))
	}
	return reversed(c)
}

func hermitianMatrix(c *Call) ([]int, error) {
	if len(c.Shape(0)) == 1 {
		return nil, c.ShapeErrorf("needs a matrix, got %s", shape.String(c.Shape(0)))
	}
	return transposedMatrix(c)
}

func reversed(c *Call) ([]int, error) {
	perm := shape.UpTo(len(c.Shape(0)))
	for i, j := 0, len(perm)-1; i < j; i, j = i+1, j-1 {
		perm[i], perm[j] = perm[j], perm[i]
	}
	return perm, nil
}

// moved is the permutation of movedim: the sources go to their destinations, the
// others fill the places left, in order.
func moved(c *Call) ([]int, error) {
	rank := len(c.Shape(0))
	from, to := c.Ints(1), c.Ints(2)
	if c.Args[1].Kind == KindInt {
		from, to = []int{c.Int(1)}, []int{c.Int(2)}
	}
	if len(from) != len(to) {
		return nil, c.ArgErrorf("%d sources and %d destinations", len(from), len(to))
	}
	if rank == 0 || len(from) == 0 {
		return shape.UpTo(rank), nil
	}
	from, err := shape.Dims(from, rank)
	if err != nil {
		return nil, err
	}
	to, err = shape.Dims(to, rank)
	if err != nil {
		return nil, err
	}
	perm, used := make([]int, rank), make([]bool, rank)
	for i := range perm {
		perm[i] = -1
	}
	for i, d := range to {
		perm[d], used[from[i]] = from[i], true
	}
	next := 0
	for i := range perm {
		if perm[i] >= 0 {
			continue
		}
		for used[next] {
			next++
		}
		perm[i] = next
		next++
	}
	return perm, nil
}

func permuted(dims, perm []int) []int {
	out := make([]int, len(perm))
	for i, p := range perm {
		out[i] = dims[p]
	}
	return out
}

// inverse is the permutation that undoes perm.
func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for i, p := range perm {
		out[p] = i
	}
	return out
}
