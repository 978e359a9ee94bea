package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// promotion computes the common type of operands by PyTorch's rule: tensors with
// dimensions decide; tensors without, and then plain numbers, take part only if
// their category is higher.
type promotion struct {
	dims, zero, number dtype.DType
	clash              dtype.DType // of a tensor that no type has in common with those before it
}

func (p *promotion) tensor(t TensorType) {
	of := &p.dims
	if len(t.Shape) == 0 {
		of = &p.zero
	}
	if !dtype.Compatible(*of, t.DType) {
		p.clash = t.DType
	}
	*of = dtype.Promote(*of, t.DType)
}

func (p *promotion) scalar(s Scalar) { p.number = dtype.Promote(p.number, s.DType()) }

func (p *promotion) result() dtype.DType {
	return p.combine(p.combine(p.dims, p.zero), p.number)
}

func (p *promotion) combine(high, low dtype.DType) dtype.DType {
	switch {
	case high == dtype.Invalid:
		return low
	case low != dtype.Invalid && low.Category() > high.Category():
		switch {
		case !low.IsComplex() || !high.IsFloat():
			return low
		case high == dtype.F64:
			return dtype.C128
		}
		return dtype.C64 // the parts have the type of the floats
	}
	return high
}

// ResultType is the promoted type of the tensor and number arguments named.
func (c *Call) ResultType(args ...int) dtype.DType {
	var p promotion
	for _, i := range args {
		switch c.Args[i].Kind {
		case KindTensor:
			p.tensor(c.Type(i))
		case KindTensors:
			for _, v := range c.Tensors(i) {
				p.tensor(v.Type())
			}
		case KindInt, KindFloat, KindBool, KindComplex:
			p.scalar(c.Scalar(i))
		}
	}
	if p.clash != dtype.Invalid {
		panic(c.DTypeErrorf("no integer type holds u64 and signed integers: convert one of them"))
	}
	return p.result()
}

// BroadcastShape is the common shape of the tensor arguments with these numbers; absent ones are skipped. Shapes that
// do not broadcast are an error.
func (c *Call) BroadcastShape(args ...int) ([]int, error) {
	var out []int
	first := true
	for _, i := range args {
		if c.Tensor(i) == nil {
			continue
		}
		if first {
			out, first = c.Shape(i), false
			continue
		}
		var err error
		if out, err = shape.Broadcast(out, c.Shape(i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inferSame gives the result the type of the first argument.
func inferSame(c *Call) error { return c.Result(c.DTypeOf(0), c.Shape(0)) }

// inferFloat is inferSame with integers promoted to the default float.
func inferFloat(c *Call) error { return c.Result(dtype.Floating(c.DTypeOf(0)), c.Shape(0)) }

// inferBool gives a bool result of the first argument's shape.
func inferBool(c *Call) error { return c.Result(dtype.Bool, c.Shape(0)) }

// inferPromoted gives the result the broadcast shape of the first n arguments and
// the type typ of their promoted type. Absent arguments do not count.
func inferPromoted(n int, typ func(dtype.DType) dtype.DType) func(*Call) error {
	all := shape.UpTo(n) // made once: inference runs for every recorded call
	return func(c *Call) error {
		dims, err := c.BroadcastShape(all...)
		if err != nil {
			return err
		}
		return c.Result(typ(c.ResultType(all...)), dims)
	}
}

// The inferences of pointwise operators of two or three operands.
var (
	inferBinary      = inferPromoted(2, same)
	inferBinaryFloat = inferPromoted(2, dtype.Floating)
	inferCompare     = inferPromoted(2, toBool)
	inferTernary     = inferPromoted(3, same)
)

// same is the identity on types.
func same(d dtype.DType) dtype.DType { return d }

// toBool is the result type of comparisons.
func toBool(dtype.DType) dtype.DType { return dtype.Bool }

// sumType is the result type of sums and products: i64 for integers and bool.
func sumType(d dtype.DType) dtype.DType {
	if d.Category() <= dtype.CategoryInt {
		return dtype.I64
	}
	return d
}

// floating refuses results that are not floating.
func floating(infer func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := infer(c); err != nil {
			return err
		}
		if d := c.Out[0].DType; !d.IsFloat() {
			return c.DTypeErrorf("takes floating tensors, not %v", d)
		}
		return nil
	}
}

// notBool refuses operands whose common type is bool: there is no quotient of truths.
func notBool(infer func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := infer(c); err != nil {
			return err
		}
		if c.Out[0].DType == dtype.Bool {
			return c.DTypeErrorf("takes numbers, not bool")
		}
		return nil
	}
}

// integral refuses floating results.
func integral(infer func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := infer(c); err != nil {
			return err
		}
		if d := c.Out[0].DType; d.Category() > dtype.CategoryInt {
			return c.DTypeErrorf("takes integers and bool, not %v", d)
		}
		return nil
	}
}

// inferMean refuses results that no mean has.
func inferMean(infer func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := infer(c); err != nil {
			return err
		}
		if d := c.Out[0].DType; d.Category() < dtype.CategoryFloat {
			return c.DTypeErrorf("has no %v result; pass a floating dtype", d)
		}
		return nil
	}
}
