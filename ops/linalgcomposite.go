package ops

import (
	"math"

	"github.com/go-acap/acap/base/shape"
)

// The names of linear algebra that PyTorch composes of its decompositions.
func init() {
	first := func(name string) func(e Emit, c *Call) []Value {
		return func(e Emit, c *Call) []Value { return e.Calls(name, c.Tensor(0))[:1] }
	}
	composite("linalg_inv(Tensor A) -> Tensor", func(e Emit, c *Call) []Value {
		return e.Calls("linalg_inv_ex", c.Tensor(0), true)[:1]
	}, Sample{S(2, 3, 3)})
	composite("linalg_det(Tensor A) -> Tensor", first("_linalg_det"), Sample{S(2, 3, 3)})
	composite("det(Tensor self) -> Tensor", first("_linalg_det"), Sample{S(2, 3, 3)})
	for _, name := range []string{"linalg_slogdet(Tensor A", "slogdet(Tensor self"} {
		composite(name+") -> (Tensor sign, Tensor logabsdet)", func(e Emit, c *Call) []Value {
			return e.Calls("_linalg_slogdet", c.Tensor(0))[:2]
		}, Sample{S(2, 3, 3)})
	}
	composite("logdet(Tensor self) -> Tensor", func(e Emit, c *Call) []Value {
		f := e.Calls("_linalg_slogdet", c.Tensor(0))
		if c.DTypeOf(0).IsComplex() {
			return []Value{e.Add(f[1], e.Call("log", f[0]))}
		}
		return []Value{e.Where(e.Compare("lt", f[0], 0), e.Number(math.NaN(), f[1]), f[1])}
	}, Sample{definite})
	composite("linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
		func(e Emit, c *Call) []Value {
			return e.Calls("_linalg_solve_ex", c.Tensor(0), c.Tensor(1), c.Bool(2), true)[:1]
		}, Sample{S(2, 3, 3), S(2, 3, 2)})
	composite("linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
		func(e Emit, c *Call) []Value {
			return e.Calls("linalg_cholesky_ex", c.Tensor(0), c.Bool(1), true)[:1]
		}, Sample{definite}, Sample{definite, true})
	composite("linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)",
		func(e Emit, c *Call) []Value { return e.Calls("_linalg_eigh", c.Tensor(0), c.Args[1], true) },
		Sample{S(2, 3, 3)}, Sample{definite, "U"})
	composite("linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor",
		func(e Emit, c *Call) []Value {
			return e.Calls("_linalg_eigh", c.Tensor(0), c.Args[1], true)[:1]
		}, Sample{S(2, 3, 3)})
	composite("linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> "+
		"(Tensor U, Tensor S, Tensor Vh)", func(e Emit, c *Call) []Value {
		return e.Calls("_linalg_svd", c.Tensor(0), c.Bool(1), true, c.Args[2])
	}, Sample{S(3, 4), false}, Sample{S(2, 3, 2)})
	composite("svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
		func(e Emit, c *Call) []Value {
			// Without vectors, there are zeros in the place of all of them.
			f := e.Calls("_linalg_svd", c.Tensor(0), !c.Bool(1) || !c.Bool(2), true)
			u, v := f[0], e.mT(f[2])
			if !c.Bool(2) {
				u, v = e.Zeros(u.Type()), e.Zeros(v.Type())
			}
			return []Value{u, f[1], v}
		}, Sample{S(3, 4)}, Sample{S(3, 2), false}, Sample{S(3, 2), true, false})
	composite("linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", func(e Emit, c *Call) []Value {
		return e.Calls("_linalg_svd", c.Tensor(0), false, true, c.Args[1])[1:2]
	}, Sample{S(2, 3, 4)})
	composite("qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", func(e Emit, c *Call) []Value {
		return e.Calls("linalg_qr", c.Tensor(0), map[bool]string{true: "reduced", false: "complete"}[c.Bool(1)])
	}, Sample{S(4, 3)}, Sample{S(3, 4), false})
	composite("pinverse(Tensor self, float rcond=1e-15) -> Tensor", func(e Emit, c *Call) []Value {
		return e.Calls("linalg_pinv.atol_rtol_float", c.Tensor(0), nil, c.Float(1))
	}, Sample{S(3, 2)})
	registerMatrixNorms()
}

// registerMatrixNorms registers the norms of matrices and those that may be of vectors.
func registerMatrixNorms() {
	const kw = "bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
	composite("frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
		func(e Emit, c *Call) []Value {
			return e.Calls("linalg_vector_norm", c.Tensor(0), 2.0, c.Args[1], c.Bool(2))
		}, Sample{S(2, 3), []int{0, 1}})
	composite("nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", func(e Emit, c *Call) []Value {
		return []Value{e.matrixNorm(c, c.Tensor(0), "nuc", 0, []int{-2, -1}, c.Bool(1))}
	}, Sample{S(2, 3)})
	composite("linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], "+kw,
		func(e Emit, c *Call) []Value {
			x := e.To(c.Tensor(0), c.DType(4, c.DTypeOf(0)))
			return []Value{e.matrixNorm(c, x, "", c.Float(1), c.Ints(2), c.Bool(3))}
		}, Sample{S(2, 3, 4), 1.0}, Sample{S(2, 3, 4), 2.0}, Sample{S(3, 4), -2.0})
	composite("linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2,-1], "+kw,
		func(e Emit, c *Call) []Value {
			x := e.To(c.Tensor(0), c.DType(4, c.DTypeOf(0)))
			return []Value{e.matrixNorm(c, x, c.Args[1].Text(), 0, c.Ints(2), c.Bool(3))}
		}, Sample{S(2, 3, 4)}, Sample{S(3, 4), "nuc"})
	composite("linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, "+kw, expandNorm,
		Sample{S(2, 3)}, Sample{S(2, 3), 1.0}, Sample{S(2, 3), 3.0, []int{1}})
	composite("linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, "+kw,
		func(e Emit, c *Call) []Value {
			c.mustNameDims()
			x, dims := e.To(c.Tensor(0), c.DType(4, c.DTypeOf(0))), []int{-2, -1}
			if c.Has(2) {
				dims = c.Ints(2)
			}
			return []Value{e.matrixNorm(c, x, c.Args[1].Text(), 0, dims, c.Bool(3))}
		}, Sample{S(2, 3), "fro"})
}

// expandNorm is a norm of vectors, or, with an order over two dimensions, of matrices.
func expandNorm(e Emit, c *Call) []Value {
	if c.Has(1) {
		c.mustNameDims()
	}
	x := e.To(c.Tensor(0), c.DType(4, c.DTypeOf(0)))
	if rank := len(c.Shape(0)); c.Has(1) && (len(c.Ints(2)) == 2 || !c.Has(2) && rank == 2) {
		dims := []int{-2, -1}
		if c.Has(2) {
			dims = c.Ints(2)
		}
		return []Value{e.matrixNorm(c, x, "", c.Float(1), dims, c.Bool(3))}
	}
	order := 2.0
	if c.Has(1) {
		order = c.Float(1)
	}
	return e.Calls("linalg_vector_norm", x, order, c.Args[2], c.Bool(3))
}

// mustNameDims panics if a norm with an order names no dimensions of a tensor that is neither vector nor matrix.
func (c *Call) mustNameDims() {
	if n := len(c.Shape(0)); !c.Has(2) && n != 1 && n != 2 {
		panic(c.ShapeErrorf("an order without dim is for vectors and matrices, not for %v", c.Shape(0)))
	}
}

// matrixNorm is a norm of the matrices that two dimensions of x form: by name, "fro" or
// "nuc", or by order: 1 and ∞ for the greatest sum of a column or row, 2 for the greatest
// singular value, and the least ones for the negative orders.
func (e Emit) matrixNorm(c *Call, x Value, name string, order float64, list []int, keep bool) Value {
	if len(list) != 2 {
		panic(c.ArgErrorf("dim %v must name two dimensions", list))
	}
	rows, columns := c.mustDim(0, list[0]), c.mustDim(0, list[1])
	dims := []int{rows, columns}
	extreme := map[bool]string{false: "amax", true: "amin"}[order < 0]
	switch {
	case rows == columns:
		panic(c.ArgErrorf("dim %v names one dimension twice", list))
	case name == "fro":
		return e.Call("linalg_vector_norm", x, 2.0, dims, keep)
	case name == "" && math.Abs(order) == 1, name == "" && math.IsInf(order, 0):
		sum, over := rows, columns
		if math.IsInf(order, 0) {
			sum, over = columns, rows
		}
		v := e.Sum(e.Call("abs", x), []int{sum}, true)
		if order > 0 && v.Type().Shape[over] == 0 {
			return e.Zeros(TensorType{v.Type().DType, shape.Reduce(x.Type().Shape, dims, keep)})
		}
		v = e.Call(extreme, v, []int{over}, true)
		return e.Reshape(v, shape.Reduce(v.Type().Shape, dims, keep))
	case name == "" && math.Abs(order) != 2:
		panic(c.ArgErrorf("there is no matrix norm of order %v", order))
	case name != "" && name != "nuc":
		panic(c.ArgErrorf("there is no matrix norm %q", name))
	}
	s := e.Call("linalg_svdvals", e.Call("movedim.intlist", x, dims, []int{-2, -1}))
	if name == "nuc" || order > 0 && min(x.Type().Shape[rows], x.Type().Shape[columns]) == 0 { // no value is 0
		s = e.Sum(s, []int{-1}, false)
	} else {
		s = e.Call(extreme, s, []int{-1}, false)
	}
	if keep {
		for _, d := range []int{min(rows, columns), max(rows, columns)} {
			s = e.Call("unsqueeze", s, d)
		}
	}
	return s
}
