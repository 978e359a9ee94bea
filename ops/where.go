package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// where: self where condition holds, other elsewhere.
func init() {
	for _, o := range []struct {
		schema string
		sample Sample
	}{
		{"where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
			Sample{mask(2, 3), S(2, 3), S(3)}},
		{"where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
			Sample{mask(2, 3), 1, S(3)}},
		{"where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
			Sample{mask(2, 3), S(2, 1), 0.5}},
		{"where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
			Sample{mask(2, 3), 1.0, 2.0}},
	} {
		register(&Op{Schema: o.schema, Infer: inferWhere, Lower: lowerWhere, Grad: gradWhere,
			Samples: samplesOf(o.sample)})
	}
}

// mask is a bool tensor, for samples.
func mask(dims ...int) T { return T{DType: dtype.Bool, Shape: dims} }

func inferWhere(c *Call) error {
	if d := c.DTypeOf(0); d != dtype.Bool && d != dtype.U8 {
		return c.DTypeErrorf("condition must be bool, got %v", d)
	}
	dims, err := c.BroadcastShape(0, 1, 2)
	if err != nil {
		return err
	}
	return c.Result(c.ResultType(1, 2), dims)
}

func lowerWhere(l *Lowering, c *Call) []*mlir.Value {
	d := c.Out[0].DType
	ins := []Lowered{l.In(c, 0)}
	for i := 1; i <= 2; i++ {
		if c.Tensor(i) != nil {
			ins = append(ins, l.In(c, i))
		}
	}
	// The half types are selected as they are: nothing is computed.
	return one(l.pointwiseRaw(c.Out[0], ins, func(s *Scalars, x []Elem) Elem {
		var picked [2]Elem
		next := 1
		for i := range picked {
			if c.Tensor(i+1) == nil {
				picked[i] = s.Of(d, c.Scalar(i+1))
				continue
			}
			picked[i] = s.Cast(x[next], d)
			next++
		}
		return s.Select(s.Cast(x[0], dtype.Bool), picked[0], picked[1])
	}))
}

func gradWhere(g *Gradient) {
	zero := g.Zeros(g.Out[0])
	if g.Needs(1) {
		g.Set(1, g.Where(g.Tensor(0), g.Grad(0), zero))
	}
	if g.Needs(2) {
		g.Set(2, g.Where(g.Tensor(0), zero, g.Grad(0)))
	}
}
