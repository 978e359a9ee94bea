package ops

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// The linear algebra that runs on the host uses gonum's LAPACK in float64, for
// every matrix of a batch (all dimensions but the last two).

// lapackImpl is gonum's LAPACK, in Go.
var lapackImpl gonum.Implementation

// matrix is row-major, without padding.
type matrix = blas64.General

func newMatrix(rows, cols int) matrix {
	return matrix{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: make([]float64, rows*cols)}
}

func identity(n int) matrix {
	m := newMatrix(n, n)
	for i := range n {
		m.Data[i*n+i] = 1
	}
	return m
}

func cloneMatrix(a matrix) matrix {
	a.Data = append([]float64(nil), a.Data...)
	return a
}

// isFinite reports whether all elements are finite. LAPACK's iterations assume it, and some
// do not end otherwise.
func isFinite(a matrix) bool {
	sum := 0.0 // NaN as soon as one element is not finite
	for _, v := range a.Data {
		sum += 0 * v
	}
	return sum == 0
}

// fillMatrix sets all elements.
func fillMatrix(a matrix, v float64) {
	for i := range a.Data {
		a.Data[i] = v
	}
}

func transposed(a matrix) matrix {
	t := newMatrix(a.Cols, a.Rows)
	for i := range a.Rows {
		for j := range a.Cols {
			t.Data[j*a.Rows+i] = a.Data[i*a.Cols+j]
		}
	}
	return t
}

// matrices copies the matrices of a batch.
func matrices(b *buf.Buffer) []matrix {
	r := len(b.Shape)
	rows, cols := b.Shape[r-2], b.Shape[r-1]
	all := numbers[float64](b)
	out := make([]matrix, shape.Size(b.Shape[:r-2]))
	for i := range out {
		out[i] = newMatrix(rows, cols)
		copy(out[i].Data, all[i*rows*cols:])
	}
	return out
}

// results collects, for every result of a host call, the elements of its batch.
type results struct {
	h      *HostCall
	values [][]float64
}

func newResults(h *HostCall) *results {
	return &results{h, make([][]float64, len(h.Out))}
}

func (r *results) add(result int, values ...float64) {
	r.values[result] = append(r.values[result], values...)
}

func (r *results) addInts(result int, values []int, plus int) {
	for _, v := range values {
		r.add(result, float64(v+plus))
	}
}

func (r *results) buffers() []*buf.Buffer {
	out := make([]*buf.Buffer, len(r.values))
	for i, v := range r.values {
		out[i] = fromNumbers(r.h.Out[i].DType, r.h.Out[i].Shape, v)
	}
	return out
}

// wantMatrices checks that tensor argument i is a batch of matrices of a type that
// linear algebra takes, and returns the batch dimensions and the extents.
func (c *Call) wantMatrices(i int) (batch []int, rows, cols int, err error) {
	dims, name := c.Shape(i), c.Op.Parsed().Params[i].Name
	if d := c.DTypeOf(i); d != dtype.F32 && d != dtype.F64 && !(c.Op.Complex && d.IsComplex()) {
		return nil, 0, 0, c.DTypeErrorf("%s must be float32 or float64, got %v", name, d)
	}
	r := len(dims)
	if r < 2 {
		return nil, 0, 0, c.ShapeErrorf("%s must have at least 2 dimensions, got %s", name,
			shape.String(dims))
	}
	return dims[: r-2 : r-2], dims[r-2], dims[r-1], nil
}

// wantSquare is wantMatrices for square ones.
func (c *Call) wantSquare(i int) (batch []int, n int, err error) {
	batch, n, cols, err := c.wantMatrices(i)
	if err == nil && n != cols {
		err = c.ShapeErrorf("%s must be square matrices, got %s", c.Op.Parsed().Params[i].Name,
			shape.String(c.Shape(i)))
	}
	return batch, n, err
}

// inferSquares gives the type of argument 0, square matrices.
func inferSquares(c *Call) error {
	if _, _, err := c.wantSquare(0); err != nil {
		return err
	}
	return inferSame(c)
}

// with returns the shape of a batch of something.
func with(batch []int, dims ...int) []int { return append(batch[:len(batch):len(batch)], dims...) }

// mT swaps the last two dimensions.
func (e Emit) mT(v Value) Value { return e.Call("transpose.int", v, -2, -1) }

// mH is mT of the conjugate.
func (e Emit) mH(v Value) Value { return e.Conj(e.mT(v)) }

// matmul is the matrix product of batches.
func (e Emit) matmul(a, b Value) Value { return e.Call("matmul", a, b) }

// column appends a dimension of extent 1.
func (e Emit) column(v Value) Value { return e.Call("unsqueeze", v, -1) }
