package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
	"github.com/go-acap/acap/ops"
)

// routines lower what custom calls compute by LAPACK's names: https://netlib.org/lapack/explore-html. Matrices are the
// last two dimensions, and info is 0 for each matrix that has a result.
var routines map[string]func(c *block, op *mlir.Operation, in []*mlir.Value) []*mlir.Value

// routineOf is the routine of targets with other names: XLA's for TPUs, and JAX's for GPUs.
var routineOf = map[string]string{
	"Qr": "geqrf", "ProductOfElementaryHouseholderReflectors": "orgqr", "LuDecomposition": "lu", "Eigh": "eigh",
	"cu_lu_pivots_to_permutation": "permutation", "hip_lu_pivots_to_permutation": "permutation",
}

func init() {
	routines = map[string]func(c *block, op *mlir.Operation, in []*mlir.Value) []*mlir.Value{
		"potrf": func(c *block, op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
			c.counts(op, 1, 2)
			return c.all("linalg_cholesky_ex", in[0], c.triangle(op) == "U", false)
		},
		"getrf": func(c *block, op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
			c.counts(op, 1, 3)
			return c.all("linalg_lu_factor_ex", in[0], true, false)
		},
		"lu": (*block).luDecomposition,
		"geqrf": func(c *block, op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
			c.counts(op, 1, 2)
			return c.all("geqrf", in[0])
		},
		"orgqr": func(c *block, op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
			c.counts(op, 2, 1) // the reflectors make the first columns of an orthogonal matrix
			return c.all("linalg_householder_product", in[0], in[1])
		},
		"syevd": func(c *block, op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
			c.counts(op, 1, 3)
			values := c.all("linalg_eigh", in[0], c.triangle(op))
			return []*mlir.Value{values[1], values[0], c.zeros(op, 2)}
		},
		"eigh":        (*block).eigh,
		"gesdd":       (*block).singularValues,
		"gesvd":       (*block).singularValues,
		"gesvdj":      (*block).singularValues,
		"geev":        (*block).geev,
		"gtsv":        (*block).gtsv,
		"permutation": (*block).permutation,
	}
}

// counts fails unless the call has so many operands and results.
func (c *block) counts(op *mlir.Operation, operands, results int) {
	if len(op.Operands) != operands || len(op.Results) != results {
		c.fail("the target %q takes %d operands and gives %d results, not %d and %d", hlo.Target(op), operands, results,
			len(op.Operands), len(op.Results))
	}
}

// zeros are the zeros of result i.
func (c *block) zeros(op *mlir.Operation, i int) *mlir.Value {
	t := op.Results[i].Type.(mlir.TensorType)
	if mlir.DTypeOf(t.Elem) == 0 {
		c.fail("result %d is %s", i, t)
	}
	if elem, isComplex := t.Elem.(mlir.ComplexType); isComplex { // of vectors that nobody wants
		zero := c.filled(c.zero(elem.Elem), t.Shape)
		return c.aten("complex", zero, zero)
	}
	return c.filled(c.zero(signlessElem(t.Elem)), t.Shape)
}

// triangle is the triangle that is read, L or U: a letter for processors, and whether it is the lower one for GPUs.
func (c *block) triangle(op *mlir.Operation) string {
	config := hlo.BackendConfig(op)
	if lower, ok := config.Get("lower").(mlir.IntegerAttr); ok {
		return map[bool]string{true: "L", false: "U"}[lower.Value != 0]
	}
	letter := hlo.Letter(config, "uplo")
	if letter != 'L' && letter != 'U' {
		c.fail("the triangle %q", letter)
	}
	return string(rune(letter))
}

// luDecomposition has pivots from 0, and the rows' places behind the exchanges.
func (c *block) luDecomposition(op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
	c.counts(op, 1, 3)
	lu := c.all("linalg_lu_factor_ex", in[0], true, false)
	pivots := c.aten("sub.Scalar", lu[1], 1, 1)
	return []*mlir.Value{lu[0], pivots, c.exchanged(lu[0], lu[1])}
}

// permutation is the rows' places behind exchanges with pivots that count from 0.
func (c *block) permutation(op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
	c.counts(op, 1, 1)
	dims := shapeOf(in[0])
	if len(dims) == 0 || len(resultsShape(op, 0)) == 0 {
		c.fail("takes and gives lists, not %s and %s", in[0].Type, op.Results[0].Type)
	}
	matrices := append(slices.Clone(resultsShape(op, 0)), dims[len(dims)-1])
	return []*mlir.Value{c.exchanged(c.filled(c.zero(mlir.F32), matrices), c.aten("add.Scalar", in[0], 1, 1))}
}

// exchanged are the rows' places in matrices whose pivots count from 1.
func (c *block) exchanged(matrices, pivots *mlir.Value) *mlir.Value {
	permutation := c.all("lu_unpack", matrices, pivots, false, true)[0]
	rows := c.aten("argmax", permutation, -2, false) // a column has one 1
	return c.converted(rows, mlir.I64, elemOf(pivots))
}

// eigh has the triangle in a text that begins with 1 for the lower one.
func (c *block) eigh(op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
	c.counts(op, 1, 2)
	triangle := "U"
	if text, _ := op.Attrs.Get("backend_config").(mlir.StringAttr); len(text) > 0 && text[0] == '1' {
		triangle = "L"
	}
	values := c.all("linalg_eigh", in[0], triangle)
	return []*mlir.Value{values[1], values[0]}
}

// singularValues leaves nothing that is of use in the place of its operand. Processors have a letter for the vectors
// that are wanted, and GPUs have flags; gesvdj gives the right vectors as columns.
func (c *block) singularValues(op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
	c.counts(op, 1, 5)
	config := hlo.BackendConfig(op)
	flag := func(name string) bool { return hlo.Letter(config, name) != 0 }
	mode := hlo.Letter(config, "mode")
	if flag("transposed") {
		c.fail("a matrix that is given as its transpose")
	}
	if mode == 0 {
		switch {
		case !flag("compute_uv"):
			mode = 'N'
		case flag("full_matrices"):
			mode = 'A'
		default:
			mode = 'S'
		}
	}
	switch mode {
	case 'A', 'S':
		usv := c.all("linalg_svd", in[0], mode == 'A')
		if hlo.Routine(op) == "gesvdj" {
			usv[2] = c.aten("transpose.int", usv[2], -2, -1)
		}
		return []*mlir.Value{in[0], usv[1], usv[0], usv[2], c.zeros(op, 4)}
	case 'N':
		return []*mlir.Value{in[0], c.aten("linalg_svdvals", in[0]), c.zeros(op, 2), c.zeros(op, 3), c.zeros(op, 4)}
	}
	c.fail("the mode %q", mode)
	return nil
}

// geev has eigenvalues, in two parts for real matrices, and the left and the right eigenvectors. The left ones are the
// rows of the inverse of the right ones, conjugate, of length 1, and turned so that the largest component is real.
func (c *block) geev(op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
	_, isComplex := elemOf(in[0]).(mlir.ComplexType)
	if isComplex {
		c.counts(op, 1, 4)
	} else {
		c.counts(op, 1, 5)
	}
	e := ops.Emit{Builder: c}
	var out []*mlir.Value
	err := ops.Try(func() {
		eig := e.Calls("linalg_eig", ops.IRValue{V: in[0]})
		values, left, right := eig[:1], eig[1], eig[1]
		if !isComplex {
			values = []ops.Value{e.Call("real", eig[0]), e.Call("imag", eig[0])}
		}
		if hlo.Letter(hlo.BackendConfig(op), "compute_left") == 'V' {
			left = leftVectors(e, right)
		}
		for _, v := range slices.Concat(values, []ops.Value{left, right}) {
			out = append(out, ops.ToIR(v))
		}
	})
	if err != nil {
		c.fail("%v", err)
	}
	return append(out, c.zeros(op, len(op.Results)-1))
}

func leftVectors(e ops.Emit, right ops.Value) ops.Value {
	rows := e.Conj(e.Call("transpose.int", e.Call("linalg_inv", right), -2, -1))
	x, y := e.Call("real", rows), e.Call("imag", rows)
	squares := e.Add(e.Square(x), e.Square(y))
	largest := e.Call("argmax", squares, -2, true)
	p, q := e.Call("gather", x, -2, largest), e.Call("gather", y, -2, largest)
	length := e.Call("sqrt", e.Mul(e.Sum(squares, []int{-2}, true), e.Add(e.Square(p), e.Square(q))))
	return e.Call("complex", e.Div(e.Add(e.Mul(x, p), e.Mul(y, q)), length), e.Div(e.Sub(e.Mul(y, p), e.Mul(x, q)), length))
}

// maxTridiagonal bounds the rows of a tridiagonal system, which is solved as a full matrix.
const maxTridiagonal = 4096

// gtsv solves tridiagonal systems. The first element of the lower diagonal and the last one of the upper diagonal are
// outside of the matrix.
func (c *block) gtsv(op *mlir.Operation, in []*mlir.Value) []*mlir.Value {
	if len(op.Results) != 1 {
		c.counts(op, 4, 5)
	} else {
		c.counts(op, 4, 1) // on GPUs
	}
	dims := shapeOf(in[1])
	if len(dims) == 0 || len(shapeOf(in[3])) != len(dims)+1 {
		c.fail("the diagonal %s of a system with the right sides %s", in[1].Type, in[3].Type)
	}
	n := dims[len(dims)-1]
	if n > maxTridiagonal {
		c.fail("a tridiagonal system of %d rows is above %d", n, maxTridiagonal)
	}
	lower, upper := c.aten("slice.Tensor", in[0], -1, 1, n, 1), c.aten("slice.Tensor", in[2], -1, 0, n-1, 1)
	a := c.aten("diag_embed", in[1], 0, -2, -1)
	if n > 1 {
		a = c.aten("add.Tensor", a, c.aten("diag_embed", lower, -1, -2, -1), 1)
		a = c.aten("add.Tensor", a, c.aten("diag_embed", upper, 1, -2, -1), 1)
	}
	x := c.all("_linalg_solve_ex", a, in[3], true, false)
	if len(op.Results) == 1 {
		return x[:1]
	}
	return []*mlir.Value{in[0], in[1], in[2], x[0], x[3]}
}

func resultsShape(op *mlir.Operation, i int) []int { return op.Results[i].Type.(mlir.TensorType).Shape }
