package ops

import (
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// Call is an operator with all its arguments, in schema order, and the types of
// its results.
type Call struct {
	Op   *Op
	Args []Arg
	Out  []TensorType
}

// NewCall completes args (in schema order; trailing ones with defaults may be
// missing) and infers the result types.
func (op *Op) NewCall(args ...Arg) (*Call, error) {
	c := &Call{Op: op, Args: args}
	return c, c.Init()
}

// Init checks the arguments of a call whose Op and Args are set, fills in
// defaults and computes Out. Its error is a [*ShapeError], [*DTypeError] or
// [*ArgError], or [ErrDataDependent].
func (c *Call) Init() error {
	params := c.Op.schema.Params
	if len(c.Args) > len(params) {
		return c.ArgErrorf("takes at most %d arguments, got %d", len(params), len(c.Args))
	}
	for i := range params {
		if i == len(c.Args) {
			if !params[i].HasDef && !params[i].Optional {
				return c.ArgErrorf("argument %s is missing", params[i].Name)
			}
			c.Args = append(c.Args, params[i].Default)
			continue
		}
		if c.Args[i].Kind == KindNone && params[i].HasDef && !params[i].Optional {
			c.Args[i] = params[i].Default
		}
		if !params[i].coerce(&c.Args[i]) {
			return c.ArgErrorf("argument %s is a %v, not a %v", params[i].Name,
				c.Args[i].Kind, params[i].describe())
		}
	}
	if err := c.refuseComplex(); err != nil {
		return err
	}
	if err := c.Op.Infer(c); err != nil {
		return c.wrap(err)
	}
	if c.Op.IsInplace() && !c.Op.IsInplaceView() {
		self := c.Type(0)
		if !shape.Equal(c.Out[0].Shape, self.Shape) {
			return c.ShapeErrorf("result %s does not fit into self %s",
				shape.String(c.Out[0].Shape), shape.String(self.Shape))
		}
		c.Out[0].DType = self.DType
	}
	return nil
}

// refuseComplex keeps complex tensors from host operators that compute with real
// numbers; kernels refuse them when they are compiled.
func (c *Call) refuseComplex() (err error) {
	if op := c.Op.Functional(); op.Host == nil || op.Complex {
		return nil
	}
	c.Each(func(v Value) {
		if d := v.Type().DType; d.IsComplex() {
			err = c.DTypeErrorf("complex tensors are not supported, got %v", d)
		}
	})
	return err
}

// Result appends a result type.
func (c *Call) Result(d dtype.DType, dims []int) error {
	c.Out = append(c.Out, TensorType{d, dims})
	return nil
}

// Tensor returns tensor argument i, or nil if it is absent.
func (c *Call) Tensor(i int) Value { return c.Args[i].Tensor() }

// Tensors returns tensor list argument i.
func (c *Call) Tensors(i int) []Value { return c.Args[i].Tensors() }

// Type returns the type of tensor argument i.
func (c *Call) Type(i int) TensorType { return c.Args[i].held.Type() }

// Shape returns the shape of tensor argument i.
func (c *Call) Shape(i int) []int { return c.Type(i).Shape }

// DTypeOf returns the element type of tensor argument i.
func (c *Call) DTypeOf(i int) dtype.DType { return c.Type(i).DType }

// Has reports whether argument i is present.
func (c *Call) Has(i int) bool { return c.Args[i].Kind != KindNone }

// Int returns int argument i.
func (c *Call) Int(i int) int { return c.Args[i].Int() }

// Float returns float argument i.
func (c *Call) Float(i int) float64 { return c.Args[i].Float() }

// Bool returns bool argument i.
func (c *Call) Bool(i int) bool { return c.Args[i].Bool() }

// Ints returns int list argument i.
func (c *Call) Ints(i int) []int { return c.Args[i].Ints() }

// Scalar returns number argument i.
func (c *Call) Scalar(i int) Scalar { return c.Args[i].Scalar() }

// DType returns element type argument i, or or if it is absent.
func (c *Call) DType(i int, or dtype.DType) dtype.DType {
	if d := c.Args[i].DType(); d != dtype.Invalid {
		return d
	}
	return or
}

// Each visits every tensor of the arguments, those in lists too.
func (c *Call) Each(visit func(v Value)) {
	for i := range c.Args {
		if v := c.Tensor(i); v != nil {
			visit(v)
		}
		for _, v := range c.Args[i].Tensors() {
			if v != nil {
				visit(v)
			}
		}
	}
}

// Map returns the arguments with every tensor replaced by f of it.
func (c *Call) Map(f func(v Value) Value) []Arg {
	args := make([]Arg, len(c.Args))
	for i, a := range c.Args {
		switch a.Kind {
		case KindTensor:
			a.held = f(a.held)
		case KindTensors:
			list := make([]Value, len(a.Tensors()))
			for j, v := range a.Tensors() {
				if v != nil {
					list[j] = f(v)
				}
			}
			a = TensorsArg(list)
		}
		args[i] = a
	}
	return args
}
