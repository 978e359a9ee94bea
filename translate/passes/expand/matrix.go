package expand

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/scf"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

func init() {
	hosted["linalg_cholesky_ex"] = (*hostCall).cholesky
	hosted["cholesky"] = (*hostCall).cholesky
	hosted["linalg_solve_triangular"] = (*hostCall).triangular
}

// span appends a loop from one index to another that carries values.
func (r reals) span(from, to *mlir.Value, carried []*mlir.Value,
	body func(r reals, i *mlir.Value, carried []*mlir.Value) []*mlir.Value) []*mlir.Value {
	return scf.For(r.Builder, from, to, arith.Index(r.Builder, 1), carried,
		func(b *mlir.Builder, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
			return body(reals{b}, i, carried)
		})
}

func (r reals) at(i int) *mlir.Value               { return arith.Index(r.Builder, i) }
func (r reals) after(i *mlir.Value) *mlir.Value    { return arith.AddI(r.Builder, i, r.at(1)) }
func (r reals) equal(i, j *mlir.Value) *mlir.Value { return arith.CmpI(r.Builder, arith.EQ, i, j) }

// matrix is a tensor of doubles of two dimensions.
func (r reals) matrix(rows, cols int) *mlir.Value {
	return tensor.Empty(r.Builder, mlir.TensorType{Shape: []int{rows, cols}, Elem: mlir.F64})
}

// load copies a matrix of a batch.
func (r reals) load(t *mlir.Value, batch []*mlir.Value) *mlir.Value {
	shape := typeOf(t).Shape
	rows, cols := shape[len(shape)-2], shape[len(shape)-1]
	return loops(r.Builder, []int{rows, cols}, []*mlir.Value{r.matrix(rows, cols)},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			r := reals{b}
			from := append(r.repeated(shape[:len(shape)-2], batch), at...)
			return []*mlir.Value{r.put(r.get(t, from...), out[0], at...)}
		})[0]
}

// store copies a tensor into a batch of such tensors.
func (r reals) store(m, into *mlir.Value, batch []*mlir.Value) *mlir.Value {
	return loops(r.Builder, typeOf(m).Shape, []*mlir.Value{into},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			r := reals{b}
			to := append(slices.Clone(batch), at...)
			if x := tensor.Extract(b, m, at...); mlir.SameType(x.Type, mlir.F64) {
				return []*mlir.Value{r.put(x, out[0], to...)}
			}
			return []*mlir.Value{tensor.Insert(b, tensor.Extract(b, m, at...), out[0], to...)}
		})[0]
}

// batches computes the results matrix by matrix: body gets the place in the batch and stores.
func (c *hostCall) batches(batch []int, body func(r reals, at, out []*mlir.Value) []*mlir.Value) []*mlir.Value {
	var out []*mlir.Value
	for _, t := range c.out {
		out = append(out, tensor.Empty(c.Builder, t))
	}
	return loops(c.Builder, batch, out, func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
		return body(reals{b}, at, out)
	})
}

// batchOf are the extents in front of the matrices.
func batchOf(t mlir.TensorType) []int { return t.Shape[:len(t.Shape)-2] }

// cholesky is the factorization of Cholesky and Banachiewicz, row by row. Only one triangle is read.
func (c *hostCall) cholesky() []*mlir.Value {
	n := c.in[0].Shape[len(c.in[0].Shape)-1]
	upper := c.call.Bool(1)
	turned := func(i, j *mlir.Value) []*mlir.Value {
		if upper {
			return []*mlir.Value{j, i}
		}
		return []*mlir.Value{i, j}
	}
	return c.batches(batchOf(c.in[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		a := r.load(c.op.Operands[0], batch)
		zero := arith.Constant(r.Builder, mlir.IntegerAttr{Type: mlir.I32})
		rows := r.span(r.at(0), r.at(n), []*mlir.Value{a, zero}, func(r reals, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
			left := r.span(r.at(0), r.after(i), carried, func(r reals, j *mlir.Value, carried []*mlir.Value) []*mlir.Value {
				m := carried[0]
				sum := r.span(r.at(0), j, []*mlir.Value{r.get(m, turned(i, j)...)}, func(r reals, k *mlir.Value, sum []*mlir.Value) []*mlir.Value {
					return []*mlir.Value{r.sub(sum[0], r.mul(r.get(m, turned(i, k)...), r.get(m, turned(j, k)...)))}
				})[0]
				diagonal := r.equal(i, j)
				good := r.less(r.of(0), sum)
				x := r.choose(diagonal, r.do("sqrt", sum), r.div(sum, r.get(m, turned(j, j)...)))
				// Elements after the first bad minor are NaN, or have no meaning.
				bad := arith.AndI(r.Builder, diagonal, arith.XorI(r.Builder, good, yes(r.Builder)))
				bad = arith.AndI(r.Builder, bad, arith.CmpI(r.Builder, arith.EQ, carried[1], zero))
				info := r.choose(bad, arith.Cast(r.Builder, "index_cast", r.after(i), mlir.I32), carried[1])
				return []*mlir.Value{r.put(x, m, turned(i, j)...), info}
			})
			m := r.span(r.after(i), r.at(n), left[:1], func(r reals, j *mlir.Value, m []*mlir.Value) []*mlir.Value {
				return []*mlir.Value{r.put(r.of(0), m[0], turned(i, j)...)}
			})[0]
			return []*mlir.Value{m, left[1]}
		})
		stored := []*mlir.Value{r.store(rows[0], out[0], batch)}
		if len(out) > 1 {
			stored = append(stored, tensor.Insert(r.Builder, rows[1], out[1], batch...))
		}
		return stored
	})
}

// triangle is a system of equations with a triangular matrix.
type triangle struct {
	matrix      *mlir.Value
	n, cols     int  // equations, and right hand sides
	upper, unit bool // the matrix is upper triangular; it has ones on its diagonal, whatever lies there
	// turn gives the place of an element by its row and its column.
	turn func(row, col *mlir.Value) []*mlir.Value
}

// substitute solves with a triangular matrix, in place of the right hand sides: from the last row on for an upper
// one. Places in both are given by functions of row and column.
func (r reals) substitute(t triangle, b *mlir.Value) *mlir.Value {
	return r.span(r.at(0), r.at(t.cols), []*mlir.Value{b}, func(r reals, col *mlir.Value, b []*mlir.Value) []*mlir.Value {
		return r.span(r.at(0), r.at(t.n), b, func(r reals, step *mlir.Value, b []*mlir.Value) []*mlir.Value {
			row, from, to := step, r.at(0), step
			if t.upper {
				row = arith.SubI(r.Builder, r.at(t.n-1), step)
				from, to = r.after(row), r.at(t.n)
			}
			sum := r.span(from, to, []*mlir.Value{r.get(b[0], t.turn(row, col)...)}, func(r reals, k *mlir.Value, sum []*mlir.Value) []*mlir.Value {
				return []*mlir.Value{r.sub(sum[0], r.mul(r.get(t.matrix, t.turn(row, k)...), r.get(b[0], t.turn(k, col)...)))}
			})[0]
			if !t.unit {
				sum = r.div(sum, r.get(t.matrix, t.turn(row, row)...))
			}
			return []*mlir.Value{r.put(sum, b[0], t.turn(row, col)...)}
		})
	})[0]
}

func straight(i, j *mlir.Value) []*mlir.Value { return []*mlir.Value{i, j} }

// triangular solves A·X = B, or X·A = B, which is the same with rows for columns.
func (c *hostCall) triangular() []*mlir.Value {
	shape := c.out[0].Shape
	n, cols, upper, turn := shape[len(shape)-2], shape[len(shape)-1], c.call.Bool(2), straight
	if !c.call.Bool(3) {
		n, cols, upper = cols, n, !upper
		turn = func(i, j *mlir.Value) []*mlir.Value { return []*mlir.Value{j, i} }
	}
	return c.batches(batchOf(c.out[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		a, b := r.load(c.op.Operands[0], batch), r.load(c.op.Operands[1], batch)
		return []*mlir.Value{r.store(r.substitute(triangle{a, n, cols, upper, c.call.Bool(4), turn}, b), out[0], batch)}
	})
}
