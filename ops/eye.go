package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// eye: ones on the main diagonal.
func init() {
	const kw = ", *, " + tensorOptions + ") -> Tensor"
	for i, o := range []struct {
		schema string
		sample Sample
	}{
		{"eye(SymInt n" + kw, Sample{3}},
		{"eye.m(SymInt n, SymInt m" + kw, Sample{3, 4}},
	} {
		register(&Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				dims := []int{c.Int(0), c.Int(i)}
				if err := shape.Check(dims); err != nil {
					return err
				}
				return c.Result(c.DType(i+1, dtype.F32), dims)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
					return s.Cmp("eq", at[0], at[1])
				}))
			},
			Samples: samplesOf(o.sample),
		})
	}
}
