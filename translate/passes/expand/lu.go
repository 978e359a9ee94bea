package expand

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

func init() {
	hosted["linalg_lu_factor_ex"] = (*hostCall).factored
	hosted["_linalg_det"] = (*hostCall).determinant
	hosted["_linalg_slogdet"] = (*hostCall).logDeterminant
	hosted["linalg_inv_ex"] = (*hostCall).inverse
	hosted["_linalg_solve_ex"] = (*hostCall).solved
	hosted["lu_unpack"] = (*hostCall).unpacked
}

// factors are the parts of P·L·U: both triangles in one matrix, the rows that were swapped (from 1), the first
// column without a pivot (from 1, else 0) and the sign of the permutation.
type factors struct{ lu, pivots, info, sign *mlir.Value }

// eliminate factors a matrix by Gauss's elimination with row pivots, or without.
func (r reals) eliminate(a *mlir.Value, pivot bool) factors {
	rows, cols := typeOf(a).Shape[0], typeOf(a).Shape[1]
	k := min(rows, cols)
	pivots := tensor.Empty(r.Builder, mlir.TensorType{Shape: []int{k}, Elem: mlir.I32})
	number := func(r reals, n *mlir.Value) *mlir.Value { return arith.IndexCast(r.Builder, n, mlir.I32) }
	out := r.span(r.at(0), r.at(k), []*mlir.Value{a, pivots, number(r, r.at(0)), r.of(1)},
		func(r reals, k *mlir.Value, carried []*mlir.Value) []*mlir.Value {
			m, p, sign := carried[0], k, carried[3]
			if pivot {
				best := r.span(r.after(k), r.at(rows), []*mlir.Value{r.do("absf", r.get(m, k, k)), k}, func(r reals, i *mlir.Value, best []*mlir.Value) []*mlir.Value {
					size := r.do("absf", r.get(m, i, k))
					larger := r.less(best[0], size)
					return []*mlir.Value{r.choose(larger, size, best[0]), r.choose(larger, i, best[1])}
				})
				p = best[1]
				sign = r.choose(r.equal(p, k), sign, r.neg(sign))
				m = r.span(r.at(0), r.at(cols), []*mlir.Value{m}, func(r reals, j *mlir.Value, m []*mlir.Value) []*mlir.Value {
					x, y := r.get(m[0], k, j), r.get(m[0], p, j)
					return []*mlir.Value{r.put(x, r.put(y, m[0], k, j), p, j)}
				})[0]
			}
			d := r.get(m, k, k)
			none := r.same(d, r.of(0))
			first := arith.AndI(r.Builder, none, r.equal(arith.IndexCast(r.Builder, carried[2], mlir.Index), r.at(0)))
			info := r.choose(first, number(r, r.after(k)), carried[2])
			m = r.span(r.after(k), r.at(rows), []*mlir.Value{m}, func(r reals, i *mlir.Value, m []*mlir.Value) []*mlir.Value {
				x := r.get(m[0], i, k)
				factor := r.div(x, d)
				if pivot { // then the column is zero
					factor = r.choose(none, x, factor)
				}
				left := []*mlir.Value{r.put(factor, m[0], i, k)}
				return r.span(r.after(k), r.at(cols), left, func(r reals, j *mlir.Value, m []*mlir.Value) []*mlir.Value {
					return []*mlir.Value{r.put(r.sub(r.get(m[0], i, j), r.mul(factor, r.get(m[0], k, j))), m[0], i, j)}
				})
			})[0]
			return []*mlir.Value{m, tensor.Insert(r.Builder, number(r, r.after(p)), carried[1], k), info, sign}
		})
	return factors{out[0], out[1], out[2], out[3]}
}

func (c *hostCall) factored() []*mlir.Value {
	return c.batches(batchOf(c.in[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		f := r.eliminate(r.load(c.op.Operands[0], batch), c.call.Bool(1))
		return []*mlir.Value{r.store(f.lu, out[0], batch), r.store(f.pivots, out[1], batch),
			tensor.Insert(r.Builder, f.info, out[2], batch...)}
	})
}

// alongDiagonal folds the pivots of a factorization.
func (r reals) alongDiagonal(f factors, first []*mlir.Value, fold func(r reals, d *mlir.Value, carried []*mlir.Value) []*mlir.Value) []*mlir.Value {
	n := typeOf(f.pivots).Shape[0]
	return r.span(r.at(0), r.at(n), first, func(r reals, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
		return fold(r, r.get(f.lu, i, i), carried)
	})
}

func (c *hostCall) determinant() []*mlir.Value {
	return c.batches(batchOf(c.in[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		f := r.eliminate(r.load(c.op.Operands[0], batch), true)
		det := r.alongDiagonal(f, []*mlir.Value{f.sign}, func(r reals, d *mlir.Value, det []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{r.mul(det[0], d)}
		})[0]
		return []*mlir.Value{r.put(det, out[0], batch...), r.store(f.lu, out[1], batch), r.store(f.pivots, out[2], batch)}
	})
}

func (c *hostCall) logDeterminant() []*mlir.Value {
	return c.batches(batchOf(c.in[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		f := r.eliminate(r.load(c.op.Operands[0], batch), true)
		both := r.alongDiagonal(f, []*mlir.Value{f.sign, r.of(0)}, func(r reals, d *mlir.Value, carried []*mlir.Value) []*mlir.Value {
			sign := r.choose(r.less(d, r.of(0)), r.neg(carried[0]), carried[0])
			sign = r.choose(r.same(d, r.of(0)), r.of(0), sign)
			return []*mlir.Value{sign, r.add(carried[1], r.do("log", r.do("absf", d)))}
		})
		return []*mlir.Value{r.put(both[0], out[0], batch...), r.put(both[1], out[1], batch...),
			r.store(f.lu, out[2], batch), r.store(f.pivots, out[3], batch)}
	})
}

// inverse solves for the columns of the identity, whose rows are swapped as the rows of the matrix were.
func (c *hostCall) inverse() []*mlir.Value {
	n := c.in[0].Shape[len(c.in[0].Shape)-1]
	return c.batches(batchOf(c.in[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		f := r.eliminate(r.load(c.op.Operands[0], batch), true)
		x := r.solve(f, r.identity(n))
		// The solution of a singular system is not finite.
		return []*mlir.Value{r.store(x, out[0], batch), tensor.Insert(r.Builder, f.info, out[1], batch...)}
	})
}

// solve solves A·X = B with the factors of A.
func (r reals) solve(f factors, b *mlir.Value) *mlir.Value {
	n, cols := typeOf(b).Shape[0], typeOf(b).Shape[1]
	b = r.span(r.at(0), r.at(n), []*mlir.Value{b}, func(r reals, k *mlir.Value, b []*mlir.Value) []*mlir.Value {
		p := arith.SubI(r.Builder, arith.IndexCast(r.Builder, tensor.Extract(r.Builder, f.pivots, k), mlir.Index), r.at(1))
		return r.span(r.at(0), r.at(cols), b, func(r reals, j *mlir.Value, b []*mlir.Value) []*mlir.Value {
			x, y := r.get(b[0], k, j), r.get(b[0], p, j)
			return []*mlir.Value{r.put(x, r.put(y, b[0], k, j), p, j)}
		})
	})[0]
	b = r.substitute(triangle{matrix: f.lu, n: n, cols: cols, unit: true, turn: straight}, b)
	return r.substitute(triangle{matrix: f.lu, n: n, cols: cols, upper: true, turn: straight}, b)
}

// solved solves systems; B holds vectors if it has a dimension less than A's batch has.
func (c *hostCall) solved() []*mlir.Value {
	a, b := c.in[0], c.in[1]
	vectors := len(b.Shape) == 1 || len(a.Shape) > 2 && slices.Equal(b.Shape, a.Shape[:len(a.Shape)-1])
	right := !c.call.Bool(2) && !vectors
	out := c.factorsOf()
	shape := c.out[0].Shape
	outer := len(shape) - 2
	if vectors {
		outer++
	}
	x := loops(c.Builder, shape[:outer], []*mlir.Value{tensor.Empty(c.Builder, c.out[0])},
		func(b *mlir.Builder, at, x []*mlir.Value) []*mlir.Value {
			r := reals{b}
			f, side := r.load(c.op.Operands[0], at), c.op.Operands[1]
			if vectors {
				y := r.solve(r.eliminate(f, true), r.column(side, at))
				n := typeOf(y).Shape[0]
				return r.span(r.at(0), r.at(n), x, func(r reals, i *mlir.Value, x []*mlir.Value) []*mlir.Value {
					return []*mlir.Value{r.put(r.get(y, i, r.at(0)), x[0], append(slices.Clone(at), i)...)}
				})
			}
			m := r.load(side, at)
			if right {
				f, m = r.transposed(f), r.transposed(m)
			}
			y := r.solve(r.eliminate(f, true), m)
			if right {
				y = r.transposed(y)
			}
			return []*mlir.Value{r.store(y, x[0], at)}
		})
	return append(x, out...)
}

// factorsOf are the results behind the solution: the factors of A.
func (c *hostCall) factorsOf() []*mlir.Value {
	rest := *c
	rest.out = c.out[1:]
	return rest.batches(batchOf(c.in[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		f := r.eliminate(r.load(c.op.Operands[0], batch), true)
		return []*mlir.Value{r.store(f.lu, out[0], batch), r.store(f.pivots, out[1], batch),
			tensor.Insert(r.Builder, f.info, out[2], batch...)}
	})
}

// column copies a vector of a batch into a matrix of one column.
func (r reals) column(t *mlir.Value, batch []*mlir.Value) *mlir.Value {
	shape := typeOf(t).Shape
	n := shape[len(shape)-1]
	return r.span(r.at(0), r.at(n), []*mlir.Value{r.matrix(n, 1)}, func(r reals, i *mlir.Value, m []*mlir.Value) []*mlir.Value {
		from := append(r.repeated(shape[:len(shape)-1], batch), i)
		return []*mlir.Value{r.put(r.get(t, from...), m[0], i, r.at(0))}
	})[0]
}

func (r reals) transposed(m *mlir.Value) *mlir.Value {
	shape := typeOf(m).Shape
	return loops(r.Builder, shape, []*mlir.Value{r.matrix(shape[1], shape[0])}, func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
		r := reals{b}
		return []*mlir.Value{r.put(r.get(m, at...), out[0], at[1], at[0])}
	})[0]
}

// unpacked are P, L and U of factors in one matrix. Results that are not asked for are empty.
func (c *hostCall) unpacked() []*mlir.Value {
	shape := c.in[0].Shape
	rows, cols := shape[len(shape)-2], shape[len(shape)-1]
	k := min(rows, cols)
	return c.batches(batchOf(c.in[0]), func(r reals, batch, out []*mlir.Value) []*mlir.Value {
		out = slices.Clone(out)
		if c.call.Bool(3) {
			out[0] = r.store(r.permutation(c.op.Operands[1], batch, k, rows), out[0], batch)
		}
		if c.call.Bool(2) {
			m := r.load(c.op.Operands[0], batch)
			part := func(rows, cols int, element func(r reals, i, j *mlir.Value) *mlir.Value) *mlir.Value {
				return loops(r.Builder, []int{rows, cols}, []*mlir.Value{r.matrix(rows, cols)}, func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
					r := reals{b}
					return []*mlir.Value{r.put(element(r, at[0], at[1]), out[0], at...)}
				})[0]
			}
			lower := part(rows, k, func(r reals, i, j *mlir.Value) *mlir.Value {
				under := arith.CmpI(r.Builder, arith.SGT, i, j)
				return r.choose(under, r.get(m, i, j), r.choose(r.equal(i, j), r.of(1), r.of(0)))
			})
			upper := part(k, cols, func(r reals, i, j *mlir.Value) *mlir.Value {
				return r.choose(arith.CmpI(r.Builder, arith.SGT, i, j), r.of(0), r.get(m, i, j))
			})
			out[1], out[2] = r.store(lower, out[1], batch), r.store(upper, out[2], batch)
		}
		return out
	})
}

// permutation is the matrix P of swaps: the identity whose columns were swapped.
func (r reals) permutation(pivots *mlir.Value, batch []*mlir.Value, k, n int) *mlir.Value {
	return r.span(r.at(0), r.at(k), []*mlir.Value{r.identity(n)}, func(r reals, i *mlir.Value, m []*mlir.Value) []*mlir.Value {
		p := tensor.Extract(r.Builder, pivots, append(r.repeated(typeOf(pivots).Shape[:len(batch)], batch), i)...)
		to := arith.SubI(r.Builder, arith.IndexCast(r.Builder, p, mlir.Index), r.at(1))
		return r.span(r.at(0), r.at(n), m, func(r reals, row *mlir.Value, m []*mlir.Value) []*mlir.Value {
			x, y := r.get(m[0], row, i), r.get(m[0], row, to)
			return []*mlir.Value{r.put(x, r.put(y, m[0], row, i), row, to)}
		})
	})[0]
}

func (r reals) identity(n int) *mlir.Value {
	return loops(r.Builder, []int{n, n}, []*mlir.Value{r.matrix(n, n)}, func(b *mlir.Builder, at, m []*mlir.Value) []*mlir.Value {
		r := reals{b}
		return []*mlir.Value{r.put(r.choose(r.equal(at[0], at[1]), r.of(1), r.of(0)), m[0], at...)}
	})[0]
}
