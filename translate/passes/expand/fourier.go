package expand

import (
	stdmath "math"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

func init() {
	hosted["_fft_c2c"] = func(c *hostCall) []*mlir.Value { return c.transform(c.call.Bool(3)) }
	hosted["_fft_r2c"] = func(c *hostCall) []*mlir.Value { return c.transform(true) }
	hosted["_fft_c2r"] = func(c *hostCall) []*mlir.Value { return c.transform(false) }
}

// transform is the discrete Fourier transform as the sum that it is, over the points of all its
// dimensions. A transform to real numbers has half of a symmetric spectrum, whose points count twice
// but for the first and the middle one.
func (c *hostCall) transform(forward bool) []*mlir.Value {
	in, out := c.in[0], c.out[0]
	dims := slices.Clone(c.call.Ints(1))
	points, count := []int{}, 1 // points that are summed in each dimension, and all of the transform
	sizes := map[int]int{}      // the points of the transform by dimension
	for i, d := range dims {
		if d < 0 {
			d += len(in.Shape)
			dims[i] = d
		}
		n, sum := in.Shape[d], in.Shape[d]
		if _, complex := out.Elem.(mlir.ComplexType); !complex && i == len(dims)-1 {
			n = out.Shape[d]
			sum = n/2 + 1
		}
		sizes[d], count = n, count*n
		points = append(points, sum)
	}
	scale := [...]float64{1, 1 / stdmath.Sqrt(float64(count)), 1 / float64(count)}[c.call.Int(2)]
	turn := 2 * stdmath.Pi
	if forward {
		turn = -turn
	}
	_, fromComplex := in.Elem.(mlir.ComplexType)
	_, toComplex := out.Elem.(mlir.ComplexType)
	self := c.op.Operands[0]
	result := tensor.Empty(c.Builder, partsOf(out).(mlir.TensorType))
	return loops(c.Builder, out.Shape, []*mlir.Value{result}, func(b *mlir.Builder, to, carried []*mlir.Value) []*mlir.Value {
		r := reals{b}
		sums := loops(b, points, []*mlir.Value{r.of(0), r.of(0)}, func(b *mlir.Builder, j, sums []*mlir.Value) []*mlir.Value {
			r := reals{b}
			from, angle := slices.Clone(to), r.of(0)
			for i, d := range dims {
				from[d] = j[i]
				// Whole turns are left out exactly, as integers.
				step := arith.RemUI(b, arith.MulI(b, j[i], to[d]), arith.Index(b, sizes[d]))
				angle = r.add(angle, r.mul(r.index(step), r.of(turn/float64(sizes[d]))))
			}
			x, y := (*mlir.Value)(nil), r.of(0)
			if fromComplex {
				x = r.get(self, append(from, arith.Index(b, 0))...)
				y = r.get(self, append(from, arith.Index(b, 1))...)
			} else {
				x = r.get(self, from...)
			}
			if !toComplex {
				last := len(dims) - 1
				first := arith.CmpI(b, arith.EQ, j[last], arith.Index(b, 0))
				middle := arith.CmpI(b, arith.EQ, arith.AddI(b, j[last], j[last]), arith.Index(b, sizes[dims[last]]))
				weight := r.choose(arith.OrI(b, first, middle), r.of(1), r.of(2))
				x, y = r.mul(x, weight), r.mul(y, weight)
			}
			cos, sin := r.do("cos", angle), r.do("sin", angle)
			re := r.sub(r.mul(x, cos), r.mul(y, sin))
			im := r.add(r.mul(x, sin), r.mul(y, cos))
			return []*mlir.Value{r.add(sums[0], re), r.add(sums[1], im)}
		})
		re, im := r.mul(sums[0], r.of(scale)), r.mul(sums[1], r.of(scale))
		if !toComplex {
			return []*mlir.Value{r.put(re, carried[0], to...)}
		}
		half := r.put(re, carried[0], append(slices.Clone(to), arith.Index(b, 0))...)
		return []*mlir.Value{r.put(im, half, append(slices.Clone(to), arith.Index(b, 1))...)}
	})
}
