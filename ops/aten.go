package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// Operation writes a call in the aten dialect: tensors are operands, everything
// else that differs from its default is an attribute under its schema name.
// Operators with optional or list tensors carry operandSegmentSizes.
func (c *Call) Operation(value func(Value) *mlir.Value) *mlir.Operation {
	tensors, segmented := c.Op.Parsed().tensors()
	operands := make([]*mlir.Value, 0, tensors)
	var attrs mlir.Attrs
	var sizes []int
	var open []string
	var openValues []*mlir.Value
	params := c.Op.Parsed().Params
	for i := range params {
		q := &params[i]
		if v := c.Args[i].Open(); v != nil {
			open, openValues = append(open, q.Name), append(openValues, value(v))
			continue
		}
		if q.Type != TypeTensor {
			if !sameArg(&c.Args[i], q) {
				if a := c.Args[i].attribute(); a != nil {
					attrs = append(attrs, mlir.Named{Name: q.Name, Value: a})
				}
			}
			continue
		}
		before := len(operands)
		if v := c.Tensor(i); v != nil {
			operands = append(operands, value(v))
		}
		var absent []bool
		hole := false
		for _, v := range c.Args[i].Tensors() {
			absent = append(absent, v == nil)
			hole = hole || v == nil
			if v != nil {
				operands = append(operands, value(v))
			}
		}
		if hole {
			attrs = append(attrs, mlir.Named{Name: q.Name + "_absent", Value: boolsAttr(absent)})
		}
		if segmented {
			sizes = append(sizes, len(operands)-before)
		}
	}
	if segmented {
		attrs = append(attrs, segments(sizes...))
	}
	if open != nil {
		operands, attrs = append(operands, openValues...), append(attrs, openAttr(open))
	}
	results := make([]mlir.Type, len(c.Out))
	for i, t := range c.Out {
		results[i] = mlir.Tensor(t.DType, t.Shape)
	}
	return mlir.NewOp(c.Op.MLIRName(), operands, results, attrs)
}

// boolsAttr is a dense array of i1.
func boolsAttr(v []bool) mlir.DenseArrayAttr {
	a := mlir.DenseArrayAttr{Elem: mlir.I1, Ints: make([]int64, len(v))}
	for i, b := range v {
		if b {
			a.Ints[i] = 1
		}
	}
	return a
}

// sameArg reports whether a equals the parameter's default.
func sameArg(a *Arg, q *Param) bool {
	if !q.HasDef {
		return a.Kind == KindNone
	}
	return a.Kind == q.Default.Kind && a.Hash(Hash{}) == q.Default.Hash(Hash{})
}

// attribute returns the argument as an attribute; an absent one is unit.
func (a *Arg) attribute() mlir.Attribute {
	switch a.Kind {
	case KindNone:
		return mlir.UnitAttr{}
	case KindInt:
		return mlir.Int(a.Int())
	case KindFloat:
		return mlir.Float(a.Float(), mlir.F64)
	case KindBool:
		return mlir.Bool(a.Bool())
	case KindInts:
		return mlir.Ints(a.Ints())
	case KindFloats:
		return mlir.DenseArrayAttr{Elem: mlir.F64, Floats: a.Floats()}
	case KindBools:
		return boolsAttr(a.Bools())
	case KindString:
		return mlir.StringAttr(a.Text())
	case KindDType:
		return mlir.TypeAttr{Type: mlir.ElemType(a.DType())}
	case KindComplex:
		v := a.Complex()
		return mlir.ArrayAttr{mlir.Float(real(v), mlir.F64), mlir.Float(imag(v), mlir.F64)}
	}
	return nil
}

// FromOperation reads an operation of the aten dialect as a call and checks it. value wraps an operand, [OfIR] for
// instance. An operation without an operator is an [*UnknownError]; operands and attributes that are no arguments of
// the operator are errors, and so is what [Call.Init] refuses.
func FromOperation(op *mlir.Operation, value func(*mlir.Value) Value) (*Call, error) {
	o := Lookup(op.Name)
	if o == nil {
		return nil, &UnknownError{op.Name}
	}
	c := &Call{Op: o, Args: make([]Arg, len(o.Parsed().Params))}
	operands, err := c.readOpen(op, value)
	if err != nil {
		return nil, err
	}
	if err := c.readOperands(op, operands, value); err != nil {
		return nil, err
	}
	params := o.Parsed().Params
	for i := range params {
		q := &params[i]
		if q.Type == TypeTensor || c.Args[i].Open() != nil {
			continue
		}
		a := op.Attrs.Get(q.Name)
		if a == nil {
			c.Args[i] = q.Default
			if !q.HasDef && !q.coerce(&c.Args[i]) {
				return nil, c.ArgErrorf("argument %s is missing", q.Name)
			}
			continue
		}
		arg, err := argOfAttribute(a, q)
		if err != nil {
			return nil, c.ArgErrorf("attribute %s: %v", q.Name, err)
		}
		c.Args[i] = arg
	}
	err = c.Init()
	if _, open := err.(*OpenError); open { // the results' types follow from a number that is not known
		c.Out = c.Out[:0]
		for _, r := range op.Results {
			c.Out = append(c.Out, (IRValue{r}).Type())
		}
		return c, nil
	}
	return c, err
}

func (c *Call) readOperands(op *mlir.Operation, operands []*mlir.Value, value func(*mlir.Value) Value) error {
	sizes, segmented := mlir.IntList(op.Attrs.Get(segmentSizes))
	next, segment := 0, 0
	params := c.Op.Parsed().Params
	for i := range params {
		q := &params[i]
		if q.Type != TypeTensor {
			continue
		}
		n := 1
		if segmented {
			if segment >= len(sizes) {
				return c.ArgErrorf("operandSegmentSizes has %d entries", len(sizes))
			}
			n = sizes[segment]
			segment++
		} else if q.Optional && next >= len(operands) {
			n = 0
		}
		if n < 0 || next+n > len(operands) || !q.List && n > 1 {
			return c.ArgErrorf("wrong number of operands: %d", len(operands))
		}
		list := operands[next : next+n]
		next += n
		switch {
		case q.List:
			c.Args[i] = TensorsArg(spread(list, op.Attrs.Get(q.Name+"_absent"), value))
		case n == 1:
			c.Args[i] = TensorArg(value(list[0]))
		}
	}
	if next != len(operands) {
		return c.ArgErrorf("wrong number of operands: %d", len(operands))
	}
	return nil
}

// spread puts nil where an absent attribute says so.
func spread(list []*mlir.Value, absent mlir.Attribute, value func(*mlir.Value) Value) []Value {
	holes, ok := mlir.IntList(absent)
	if !ok {
		holes = make([]int, len(list))
	}
	out := make([]Value, 0, len(holes))
	next := 0
	for _, h := range holes {
		if h != 0 || next >= len(list) {
			out = append(out, nil)
			continue
		}
		out = append(out, value(list[next]))
		next++
	}
	return out
}

func argOfAttribute(a mlir.Attribute, q *Param) (Arg, error) {
	switch a := a.(type) {
	case mlir.UnitAttr:
		return Arg{}, nil
	case mlir.IntegerAttr:
		if mlir.SameType(a.Type, mlir.I1) {
			return BoolArg(a.Value != 0), nil
		}
		return IntArg(int(a.Value)), nil
	case mlir.FloatAttr:
		return FloatArg(a.Value), nil
	case mlir.StringAttr:
		return StringArg(string(a)), nil
	case mlir.TypeAttr:
		if d := mlir.DTypeOf(a.Type); d != dtype.Invalid {
			return DTypeArg(d), nil
		}
	case mlir.DenseArrayAttr:
		return argOfDense(a), nil
	case mlir.ArrayAttr:
		if ints, ok := mlir.IntList(a); ok {
			return IntsArg(ints), nil
		}
		if len(a) == 2 && q.Type == TypeScalar {
			re, ok1 := a[0].(mlir.FloatAttr)
			im, ok2 := a[1].(mlir.FloatAttr)
			if ok1 && ok2 {
				return ComplexArg(complex(re.Value, im.Value)), nil
			}
		}
	}
	return Arg{}, fmt.Errorf("cannot be %s", a.String())
}

func argOfDense(a mlir.DenseArrayAttr) Arg {
	switch {
	case a.Floats != nil:
		return FloatsArg(a.Floats)
	case mlir.SameType(a.Elem, mlir.I1):
		bools := make([]bool, len(a.Ints))
		for i, v := range a.Ints {
			bools[i] = v != 0
		}
		return BoolsArg(bools)
	}
	if _, float := a.Elem.(mlir.FloatType); float {
		return FloatsArg([]float64{})
	}
	ints, _ := mlir.IntList(a)
	return IntsArg(ints)
}

// IRValue is a value of MLIR as an operand of calls.
type IRValue struct{ V *mlir.Value }

// OfIR wraps a value of MLIR, for [FromOperation].
func OfIR(v *mlir.Value) Value { return IRValue{v} }

// ToIR returns the value of MLIR that [OfIR] wrapped, for [Call.Operation].
func ToIR(v Value) *mlir.Value { return v.(IRValue).V }

// ResultsOf wraps the results of an operation.
func ResultsOf(op *mlir.Operation) []Value {
	out := make([]Value, len(op.Results))
	for i, r := range op.Results {
		out[i] = IRValue{r}
	}
	return out
}

// Appender is a [Builder] that appends calls on values of MLIR to a block as they are.
type Appender struct{ *mlir.Builder }

// Emit implements [Builder].
func (a Appender) Emit(c *Call) []Value { return ResultsOf(a.Insert(c.Operation(ToIR))) }

// Type implements [Value]; a value that is no static tensor has an invalid dtype.
func (v IRValue) Type() TensorType {
	t, ok := v.V.Type.(mlir.TensorType)
	if !ok {
		return TensorType{}
	}
	return TensorType{mlir.DTypeOf(t.Elem), t.Shape}
}
