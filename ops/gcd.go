package ops

import (
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// gcd and lcm of integers, by Euclid's algorithm, on the host: the number of steps
// depends on the data.
func init() {
	for name, f := range map[string]func(a, b int64) int64{"gcd": gcd, "lcm": lcm} {
		register(&Op{
			Schema:  name + "(Tensor self, Tensor other) -> Tensor",
			Inplace: true,
			Infer:   integral(inferBinary),
			Host: func(c *HostCall) ([]*buf.Buffer, error) {
				t := c.Out[0]
				out := buf.New(t.DType, t.Shape)
				a, b, next := c.Buffer(0), c.Buffer(1), 0
				strides := [][]int{broadcastStrides(a.Shape, t.Shape), broadcastStrides(b.Shape, t.Shape)}
				each(t.Shape, strides, func(at []int) {
					out.SetInt64(next, f(a.Int64(at[0]), b.Int64(at[1])))
					next++
				})
				return []*buf.Buffer{out}, nil
			},
			Samples: samplesOf(Sample{T{DType: dtype.I64, Shape: []int{3, 1}, Low: 0, High: 20},
				T{DType: dtype.I64, Shape: []int{4}, Low: -20, High: 20}}),
		})
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func lcm(a, b int64) int64 {
	g := gcd(a, b)
	if g == 0 {
		return 0
	}
	v := a / g * b
	return max(v, -v)
}
