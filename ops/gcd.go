package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// gcd and lcm of integers, by Euclid's algorithm, on the host: the number of steps
// depends on the data.
func init() {
	for _, o := range []struct {
		name     string
		signed   func(a, b int64) int64
		unsigned func(a, b uint64) uint64
	}{{"gcd", gcd[int64], gcd[uint64]}, {"lcm", lcm[int64], lcm[uint64]}} {
		register(&Op{
			Schema:  o.name + "(Tensor self, Tensor other) -> Tensor",
			Inplace: true,
			Infer:   integral(inferBinary),
			Host: func(c *HostCall) ([]*buf.Buffer, error) {
				t := c.Out[0]
				out := buf.New(t.DType, t.Shape)
				a, b, next := c.Buffer(0), c.Buffer(1), 0
				strides := [][]int{broadcastStrides(a.Shape, t.Shape), broadcastStrides(b.Shape, t.Shape)}
				each(t.Shape, strides, func(at []int) {
					x, y := a.Int64(at[0]), b.Int64(at[1])
					if t.DType == dtype.U64 {
						x = int64(o.unsigned(uint64(x), uint64(y)))
					} else {
						x = o.signed(x, y)
					}
					out.SetInt64(next, x)
					next++
				})
				return []*buf.Buffer{out}, nil
			},
			Samples: samplesOf(Sample{T{DType: dtype.I64, Shape: []int{3, 1}, Low: 0, High: 20},
				T{DType: dtype.I64, Shape: []int{4}, Low: -20, High: 20}}),
		})
	}
}

func gcd[E int64 | uint64](a, b E) E {
	for b != 0 {
		a, b = b, a%b
	}
	return magnitude(a)
}

func lcm[E int64 | uint64](a, b E) E {
	g := gcd(a, b)
	if g == 0 {
		return 0
	}
	return magnitude(a / g * b)
}

func magnitude[E int64 | uint64](v E) E {
	if v < 0 {
		return -v
	}
	return v
}
