package ops

import (
	"slices"
	"strconv"

	"github.com/go-acap/acap/base/shape"
)

// max_unpool: the values of max_pool put back at their positions, among zeros.
func init() {
	for n := 2; n <= 3; n++ {
		d := strconv.Itoa(n)
		more := ""
		if n == 3 {
			more = ", int[3] stride, int[3] padding"
		}
		register(&Op{
			Schema: "max_unpool" + d + "d(Tensor self, Tensor indices, int[" + d +
				"] output_size" + more + ") -> Tensor",
			Infer: inferExpansion(func(c *Call) error {
				in := c.Shape(0)
				if len(in) != n+1 && len(in) != n+2 || !shape.Equal(in, c.Shape(1)) || len(c.Ints(2)) != n {
					return c.ShapeErrorf("input %s, indices %s and output_size %v do not fit",
						shape.String(in), shape.String(c.Shape(1)), c.Ints(2))
				}
				if n == 3 && (len(c.Ints(3)) != n || len(c.Ints(4)) != n || slices.Min(c.Ints(3)) < 1) {
					return c.ArgErrorf("stride %v and padding %v need %d entries, and strides above 0", c.Ints(3), c.Ints(4), n)
				}
				return nil
			}),
			Expand: func(e Emit, c *Call) []Value {
				in, size := c.Shape(0), c.Ints(2)
				lead := in[: len(in)-n : len(in)-n]
				flat := append(lead, shape.Size(in[len(in)-n:]))
				zeros := e.Full(append(lead, shape.Size(size)), 0, c.DTypeOf(0))
				out := e.Call("scatter.src", zeros, len(lead), e.Reshape(c.Tensor(1), flat),
					e.Reshape(c.Tensor(0), flat))
				return []Value{e.Reshape(out, append(lead, size...))}
			},
			Samples: samplesOf(unpoolSample(n)),
		})
	}
}

// unpoolSample puts 2 elements along each of n dimensions into 6.
func unpoolSample(n int) Sample {
	s := maxBackwardSample(n)
	if n == 2 {
		return Sample{s[0], s[2], []int{6, 6}}
	}
	return Sample{s[0], s[2], []int{6, 6, 6}, []int{3, 3, 3}, []int{0, 0, 0}}
}
