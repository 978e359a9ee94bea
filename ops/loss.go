package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Losses that compare a prediction with a target, element by element.
func init() {
	for _, o := range []elementLoss{
		{"mse_loss", "int reduction=Mean", 2, func(e Emit, c *Call, x, y Value) Value {
			return e.Square(e.Sub(x, y))
		}, nil, false, ofBoth, promoted, realFloats},
		{"l1_loss", "int reduction=Mean", 2, func(e Emit, c *Call, x, y Value) Value {
			return e.Call("abs", e.Sub(x, y))
		}, nil, false, ofBoth, promoted, nil},
		{"smooth_l1_loss", "int reduction=Mean, float beta=1.0", 2,
			func(e Emit, c *Call, x, y Value) Value {
				v, beta := e.Sub(x, y), c.Float(3)
				d := e.Call("abs", v)
				if beta == 0 {
					return d
				}
				return e.squareNear(v, d, beta, 0.5/beta, e.Sub(d, 0.5*beta))
			}, []Sample{{S(3), S(3), 0, 0.5}}, false, ofBoth, promoted, notNegative("beta")},
		{"huber_loss", "int reduction=Mean, float delta=1.0", 2, func(e Emit, c *Call, x, y Value) Value {
			v, delta := e.Sub(x, y), c.Float(3)
			d := e.Call("abs", v)
			return e.squareNear(v, d, delta, 0.5, e.Mul(e.Sub(d, 0.5*delta), delta))
		}, []Sample{{S(3), S(3), 2, 0.5}}, false, ofBoth, ofSelf, notNegative("delta")},
		{"soft_margin_loss", "int reduction=Mean", 2, func(e Emit, c *Call, x, y Value) Value {
			return e.Call("log1p", e.Call("exp", e.Neg(e.Mul(x, y))))
		}, nil, false, ofInput, ofSelf, nil},
		{"kl_div", "int reduction=Mean, *, bool log_target=False", 2,
			func(e Emit, c *Call, x, y Value) Value {
				if c.Bool(3) {
					return e.Mul(e.Call("exp", y), e.Sub(y, x))
				}
				return e.Sub(e.Call("xlogy.Tensor", y, y), e.Mul(y, x))
			}, nil, false, ofBoth, promoted, nil},
		{"binary_cross_entropy_with_logits",
			"Tensor? weight=None, Tensor? pos_weight=None, int reduction=Mean", 4, logitsEntropy,
			[]Sample{{S(2, 3), SIn(0, 1, 2, 3), S(3), S(3), 2}}, true, ofEach, ofTarget, nil},
	} {
		register(&Op{
			Schema: o.name + "(Tensor self, Tensor target, " + o.options + ") -> Tensor",
			Infer:  inferExpansion(o.checkShapes),
			Expand: func(e Emit, c *Call) []Value {
				d := c.ResultType(0, 1)
				x, y := e.To(c.Tensor(0), d), e.To(c.Tensor(1), d)
				if !o.composite {
					x, y = e.wide(x), e.wide(y)
				}
				return []Value{e.reduceLoss(o.f(e, c, x, y), c.Int(o.reduction), o.result(c))}
			},
			Samples: samplesOf(append(o.samples, Sample{SIn(0, 1, 2, 3), SIn(0, 1, 2, 3)})...),
		})
	}
}

// elementLoss is a loss of one prediction x and one target y; c has its options.
type elementLoss struct {
	name, options string
	reduction     int // the argument that holds the reduction
	f             func(e Emit, c *Call, x, y Value) Value
	samples       []Sample
	composite     bool // PyTorch composes it of operators: the half types round in between
	shape         lossShape
	dtype         lossType
	end           func(c *Call) error // checks types, and where the loss goes on as a line
}

// lossShape says whose shape the losses of single elements have.
type lossShape int

const (
	ofBoth lossShape = iota // input and target broadcast
	ofInput
	ofEach
)

// lossType says what element type the losses have.
type lossType int

const (
	promoted lossType = iota // of input and target
	ofSelf                   // the losses are converted to the type of the input
	ofTarget
)

// result returns the element type of the losses.
func (o elementLoss) result(c *Call) dtype.DType {
	switch o.dtype {
	case ofSelf:
		return c.DTypeOf(0)
	case ofTarget:
		return c.DTypeOf(1)
	}
	return c.ResultType(0, 1)
}

// realFloats refuses losses whose squares would be complex, or integers modulo the width.
func realFloats(c *Call) error {
	if !c.ResultType(0, 1).IsFloat() {
		return c.DTypeErrorf("takes real floating tensors, got %v and %v: convert them first", c.DTypeOf(0), c.DTypeOf(1))
	}
	return nil
}

// notNegative checks argument 3, where a loss goes on as a line, and the types.
func notNegative(name string) func(c *Call) error {
	return func(c *Call) error {
		if !(c.Float(3) >= 0) {
			return c.ArgErrorf("%s is %v, and must not be negative", name, c.Float(3))
		}
		return realFloats(c)
	}
}

func (o elementLoss) checkShapes(c *Call) error {
	x, y := c.Shape(0), c.Shape(1)
	all, err := shape.Broadcast(x, y)
	if err == nil && (o.shape == ofInput && !shape.Equal(x, all) || o.shape == ofEach && !shape.Equal(x, y)) {
		return c.ShapeErrorf("target %v does not fit input %v: they would broadcast to %v", y, x, all)
	}
	if o.end != nil {
		return o.end(c)
	}
	return nil
}

// squareNear is factor·v² where d, the magnitude of v, is below an end, and far from there on. The square does not see
// v far off: the derivative of a square of infinity would be infinite, and 0 times that NaN.
func (e Emit) squareNear(v, d Value, end, factor float64, far Value) Value {
	off := e.Compare("ge", d, end)
	near := e.Square(e.Where(off, e.Number(end, d), v))
	return e.Where(off, far, e.Mul(near, factor))
}

// The reductions of losses, in PyTorch's numbers.
const (
	lossNone = iota
	lossMean
	lossSum
)

// reduceLoss applies a reduction to the losses of single elements and converts to d.
func (e Emit) reduceLoss(v Value, reduction int, d dtype.DType) Value {
	switch reduction {
	case lossMean:
		v = e.Call("mean", v)
	case lossSum:
		v = e.Call("sum", v)
		if v.Type().DType.IsInt() && d.IsInt() { // a sum of integers is of i64, which holds more
			return v
		}
	}
	if have := v.Type().DType; have.IsComplex() && !d.IsComplex() || have.IsFloat() && !d.IsFloat() && !d.IsComplex() {
		panic(&DTypeError{Op: "a loss", Detail: fmt.Sprintf("has elements of %v and a result of %v, which cannot hold them: convert input and target", v.Type().DType, d)})
	}
	return e.To(v, d)
}

// wide converts to the type in which PyTorch computes: the half types in float32.
func (e Emit) wide(v Value) Value { return e.To(v, widened(v.Type().DType)) }

// logitsEntropy is (1-y)·x - w·log σ(x), where w is 1, or 1 + (pos_weight - 1)·y.
func logitsEntropy(e Emit, c *Call, x, y Value) Value {
	log := e.Call("log_sigmoid", x)
	if c.Has(3) {
		log = e.Mul(log, e.Add(e.Mul(e.Sub(c.Tensor(3), 1), y), 1))
	}
	v := e.Sub(e.Mul(e.OneMinus(y), x), log)
	if c.Has(2) {
		v = e.Mul(v, c.Tensor(2))
	}
	return v
}
