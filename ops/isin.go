package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// isin tells which elements occur among test_elements.
func init() {
	for _, o := range []struct{ overload, params string }{
		{"Tensor_Tensor", "Tensor elements, Tensor test_elements"},
		{"Tensor_Scalar", "Tensor elements, Scalar test_element"},
		{"Scalar_Tensor", "Scalar element, Tensor test_elements"},
	} {
		sample := Sample{indices(5, 2, 3), indices(5, 3)}
		if o.overload == "Tensor_Scalar" {
			sample[1] = 2
		} else if o.overload == "Scalar_Tensor" {
			sample[0] = 2
		}
		register(&Op{
			Schema: "isin." + o.overload + "(" + o.params +
				", *, bool assume_unique=False, bool invert=False) -> Tensor",
			Infer: func(c *Call) error {
				c.ResultType(0, 1) // it refuses what has no common type
				if c.Tensor(0) == nil {
					return c.Result(dtype.Bool, nil)
				}
				return inferBool(c)
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				x, test := valueBuffer(h, 0), valueBuffer(h, 1)
				switch {
				case x.DType.IsFloat() || test.DType.IsFloat():
					return isinHost(h, x.Shape, view[float64](x), view[float64](test)), nil
				case x.DType == dtype.U64 || test.DType == dtype.U64:
					return isinHost(h, x.Shape, view[uint64](x), view[uint64](test)), nil
				}
				return isinHost(h, x.Shape, view[int64](x), view[int64](test)), nil
			},
			Samples: samplesOf(sample),
		})
	}
}

func isinHost[E number](h *HostCall, dims []int, x, test []E) []*buf.Buffer {
	set := make(map[E]bool, len(test))
	for _, v := range test {
		set[v] = true
	}
	out := buf.New(dtype.Bool, dims)
	for i, v := range x {
		if set[v] != h.Bool(3) {
			out.Bytes()[i] = 1
		}
	}
	return []*buf.Buffer{out}
}
