package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Call is an operator with all its arguments, in schema order, and the types of
// its results.
type Call struct {
	Op   *Op
	Args []Arg
	Out  []TensorType

	expanded bool // Out is from the expansion
}

// NewCall completes args (in schema order; trailing ones with defaults may be missing) and infers the result types. Its
// error is that of [Call.Init].
func (op *Op) NewCall(args ...Arg) (*Call, error) {
	c := &Call{Op: op, Args: args}
	return c, c.Init()
}

// Init checks the arguments of a call whose Op and Args are set, fills in
// defaults and computes Out. Its error is a [*ShapeError], [*DTypeError] or
// [*ArgError], or [ErrDataDependent].
func (c *Call) Init() error {
	params := c.Op.Parsed().Params
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
		if err := c.accept(&params[i], &c.Args[i]); err != nil {
			return err
		}
	}
	if err := c.refuseMixed(); err != nil {
		return err
	}
	if err := c.refuseComplexValue(); err != nil {
		return err
	}
	if op := c.onComplex(); op != nil && !c.Op.IsInplace() {
		c.Op = op
	}
	if err := c.refuseComplex(); err != nil {
		return err
	}
	if err := c.infer(); err != nil {
		return err
	}
	if err := c.refuseTypes(); err != nil {
		return err
	}
	if err := c.refuseNumbers(); err != nil {
		return err
	}
	if c.Op.IsInplace() && !c.Op.IsInplaceView() {
		self := c.Type(0)
		if !shape.Equal(c.Out[0].Shape, self.Shape) {
			return c.ShapeErrorf("result %s does not fit into self %s",
				shape.String(c.Out[0].Shape), shape.String(self.Shape))
		}
		if c.Out[0].DType.Category() > self.DType.Category() {
			return c.DTypeErrorf("the result is %v, which self, of %v, cannot hold", c.Out[0].DType, self.DType)
		}
		c.Out[0].DType = self.DType
	}
	return nil
}

// infer computes Out. Panics of an expansion become its error.
func (c *Call) infer() (err error) {
	if op := c.onComplex(); op != nil && op != c.Op {
		f := &Call{Op: op, Args: c.Args}
		err = f.infer()
		c.Out = f.Out
		return err
	}
	if tried := Try(func() { err = c.Op.Infer(c) }); tried != nil {
		err = tried
	}
	if _, open := err.(*OpenError); open {
		return err
	}
	if err != nil {
		return c.wrap(err)
	}
	for _, t := range c.Out {
		if err := shape.Check(t.Shape); err != nil {
			return c.wrap(err)
		}
	}
	return c.checkExpansion()
}

// CheckMemory reports results that are larger than [buf.Limit], for a program that records the call itself. Results of
// Host operators are always allocated and checked. Results of other operators may be fused away, so that only operators
// whose arguments are sizes, such as constructors, are checked.
func (c *Call) CheckMemory() error {
	if c.Op.IsView() || c.Op.Functional().Host == nil && !c.Op.takesSizes() {
		return nil
	}
	var sum int64
	for _, t := range c.Out {
		sum = buf.AddBytes(sum, buf.MulBytes(int64(shape.Size(t.Shape)), int64(t.DType.Size())))
	}
	return c.memoryError(buf.CheckBytes(sum, "the result"))
}

// checkBytes reports n things of some bytes each that are larger than [buf.Limit].
func (c *Call) checkBytes(what string, n, bytes int) error {
	return c.memoryError(buf.CheckBytes(buf.MulBytes(int64(n), int64(bytes)), what))
}

func (c *Call) memoryError(err error) error {
	if err == nil {
		return nil
	}
	return &ShapeError{Op: c.Op.Name(), Detail: err.Error(), Err: err}
}

// mostResults bounds the results of one call.
const mostResults = 1 << 16

// checkResults reports a call that would have n results, more than there may be.
func (c *Call) checkResults(n int) error {
	if n > mostResults {
		return c.ArgErrorf("would have %d results; there may be %d", n, mostResults)
	}
	return nil
}

// takesSizes reports whether numbers say how large the results are: there are ints among the
// arguments, or no tensors.
func (op *Op) takesSizes() bool {
	tensors := false
	params := op.Parsed().Params
	for i := range params {
		switch params[i].Type {
		case TypeInt:
			return true
		case TypeTensor:
			tensors = true
		}
	}
	return !tensors
}

// Result appends a result type. Its error is always nil, for functions that end with it.
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
