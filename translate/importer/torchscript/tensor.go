package torchscript

import (
	"errors"
	"math"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// tensor is a tensor of the running program: a variable in the sense of [ops.Ref], so that
// in-place operators and views behave as in PyTorch. It is given to the builder only when an
// operator needs it: a parameter that is not used, or a number that a traced program carries in a
// tensor of its own, leaves no trace.
type tensor struct {
	ref       *ops.Ref   // nil until an operator needs the tensor
	parameter *Parameter // what it is as long as ref is nil, unless it is a number
	number    value      // bool, int or float64 of a tensor without dimensions, if known
	dtype     dtype.DType
	deferred  *deferred // what it is as long as ref is nil, if it is neither
	written   bool      // by an in-place operator: the number or parameter is out of date
}

func isTensor(v value) bool {
	_, ok := v.(*tensor)
	return ok
}

func (ev *evaluator) newTensor(v ops.Value) *tensor { return &tensor{ref: ops.NewRef(v)} }

// numberTensor returns a tensor without dimensions of the type that torch.tensor(v) has, but in
// double precision: it is what tracing makes of Python's numbers.
func numberTensor(v value) *tensor {
	d := dtype.F64
	switch v.(type) {
	case bool:
		d = dtype.Bool
	case int:
		d = dtype.I64
	case complex128:
		d = dtype.C128
	}
	return &tensor{number: v, dtype: d}
}

// ref gives the tensor to the builder if it is not there yet.
func (ev *evaluator) ref(at script.Position, t *tensor) *ops.Ref {
	if t.ref != nil {
		return t.ref
	}
	if d := t.deferred; d != nil {
		t.ref = ev.ref(at, d.make())
		d.made = t.ref.Value(ev.builder)
		return t.ref
	}
	ev.builder.SetLocation(ev.location(at))
	if t.parameter != nil {
		t.ref = ops.NewRef(ev.builder.Constant(t.parameter.Name, t.parameter.Data))
		if t.parameter.inside {
			ev.layouts[t.ref] = layout{unknown: insideMemory}
		}
		return t.ref
	}
	t.ref = ops.NewRef(ev.builder.Constant("", scalarBuffer(t.number, t.dtype)))
	return t.ref
}

func scalarBuffer(v value, d dtype.DType) *buf.Buffer {
	b := buf.New(d, []int{})
	if n, ok := v.(complex128); ok {
		b.SetComplex(0, n)
	}
	switch n, _ := number(v); n := n.(type) {
	case int:
		b.SetInt64(0, int64(n))
	case float64:
		b.SetFloat64(0, n)
	}
	return b
}

// typeOf returns the static type of a tensor without giving it to the builder.
func (t *tensor) typeOf() ops.TensorType {
	switch {
	case t.ref != nil:
		return t.ref.Type()
	case t.deferred != nil:
		return ops.TensorType{DType: t.deferred.dtype, Shape: t.deferred.dims}
	case t.parameter != nil:
		return ops.TensorType{DType: t.parameter.Data.DType, Shape: t.parameter.Data.Shape}
	}
	return ops.TensorType{DType: t.dtype, Shape: []int{}}
}

// isScalar reports whether the tensor has no dimensions.
func (t *tensor) isScalar() bool { return len(t.typeOf().Shape) == 0 }

// isConstant reports whether the tensor is a constant of the program, not a trained number.
func (p *Parameter) isConstant() bool {
	return p.Name == "" || strings.HasPrefix(p.Name, constantsPrefix)
}

// known returns the number in a tensor of one element if it is known now.
func (t *tensor) known() (value, bool) {
	if t.number != nil && !t.written {
		return t.number, true
	}
	p := t.parameter
	if t.written || p == nil || p.Data.Len() != 1 {
		return nil, false
	}
	switch d := p.Data.DType; {
	case d == dtype.Bool:
		return p.Data.Int64(0) != 0, true
	case d.IsInt():
		return int(p.Data.Int64(0)), true
	case d.IsFloat() && p.isConstant():
		return p.Data.Float64(0), true
	}
	return nil, false
}

// knownScalar returns the number in a tensor without dimensions if it is known now.
func (t *tensor) knownScalar() (value, bool) {
	if !t.isScalar() {
		return nil, false
	}
	return t.known()
}

var errDataDependent = errors.New("depends on the elements of a tensor, " +
	"which are not known before the program runs")

// scalarOf returns the number in a tensor; what names the use of the number in an error.
func (ev *evaluator) scalarOf(at script.Position, t *tensor, what string) value {
	if v, ok := t.known(); ok {
		return v
	}
	if p := t.parameter; p != nil && !t.written && p.IsBuffer && p.Data.Len() == 1 && p.Data.DType.IsFloat() {
		return p.Data.Float64(0) // what is not trained is part of the program
	}
	if _, ok := ev.builder.Reader(); ok {
		if size := shape.Size(t.typeOf().Shape); size != 1 {
			failAt(at, "%s is in a tensor of %d elements, not one", what, size)
		}
	}
	b := ev.read(at, t, what)
	switch d := b.DType; {
	case d == dtype.Bool:
		return b.Int64(0) != 0
	case d.IsInt():
		return int(b.Int64(0))
	case d.IsComplex():
		return b.Complex(0)
	}
	return b.Float64(0)
}

// read returns the elements of a tensor; what is the use that needs them, for the message.
func (ev *evaluator) read(at script.Position, t *tensor, what string) *buf.Buffer {
	reader, ok := ev.builder.Reader()
	if !ok {
		failAt(at, "%s %w", what, errDataDependent)
	}
	v := ev.current(at, t)
	ev.builder.SetLocation(ev.location(at))
	b, err := reader.Read(v, what)
	if err != nil {
		failAt(at, "%s %w: %w", what, errDataDependent, err)
	}
	return b
}

// fold computes a function of numbers that are in tensors; traced programs compute shapes so. The
// result has the element type that PyTorch gives it.
func (ev *evaluator) fold(at script.Position, name string, args arguments) (value, bool) {
	name, named := roundedDivision(name, args.named)
	if len(named) > 0 {
		return nil, false
	}
	plain := make([]value, len(args.positional))
	var types []operand
	for i, a := range args.positional {
		plain[i] = a
		if t, ok := a.(*tensor); ok {
			v, known := t.knownScalar()
			if !known {
				return nil, false
			}
			plain[i] = v
			types = append(types, operand{t.typeOf().DType, true})
		} else if n, ok := number(a); ok {
			types = append(types, operand{numberTensor(n).dtype, false})
		} else {
			return nil, false
		}
	}
	if len(types) == 0 {
		return nil, false
	}
	d := resultType(types)
	result, ok, err := arithmetic(name, roundedAll(plain, d))
	if _, isFloat := result.(float64); isFloat && !d.IsFloat() { // a quotient of integers, say
		d = dtype.F32
		result, ok, err = arithmetic(name, roundedAll(plain, d))
	}
	if err != nil {
		ev.fail(at, err)
	}
	if !ok {
		return nil, false
	}
	if _, isBool := result.(bool); isBool {
		d = dtype.Bool
	}
	return rounded(result, d), true
}

// roundedAll returns the numbers as a floating type holds them, in which they are computed with.
func roundedAll(list []value, d dtype.DType) []value {
	if !d.IsFloat() {
		return list
	}
	out := make([]value, len(list))
	for i, v := range list {
		out[i] = rounded(v, d).number
	}
	return out
}

// roundedDivision names the division of numbers that div with a rounding_mode is, and returns
// the named arguments that are left.
func roundedDivision(name string, named []namedValue) (string, []namedValue) {
	if name != "div" || len(named) != 1 || named[0].name != "rounding_mode" {
		return name, named
	}
	switch named[0].value {
	case "floor":
		return "floordiv", nil
	case "trunc":
		return "__round_to_zero_floordiv", nil
	case nil:
		return name, nil
	}
	return name, named
}

type operand struct {
	dtype    dtype.DType
	isTensor bool
}

// resultType is the type of the result of an operator on tensors without dimensions and plain numbers: a plain number
// counts only if its category is higher, and then a float means float32 and a complex number complex64, or complex128
// beside float64.
func resultType(operands []operand) dtype.DType {
	d := dtype.Invalid
	for _, o := range operands {
		if o.isTensor {
			if d == dtype.Invalid {
				d = o.dtype
			} else {
				d = dtype.Promote(d, o.dtype)
			}
		}
	}
	for _, o := range operands {
		if !o.isTensor && (d == dtype.Invalid || o.dtype.Category() > d.Category()) {
			switch {
			case o.dtype == dtype.F64:
				d = dtype.F32
			case o.dtype == dtype.C128 && d != dtype.F64:
				d = dtype.C64
			default:
				d = o.dtype
			}
		}
	}
	return d
}

// rounded returns a tensor of the number as the element type holds it.
func rounded(v value, d dtype.DType) *tensor {
	b := scalarBuffer(v, d)
	switch {
	case d == dtype.Bool:
		v = b.Int64(0) != 0
	case d.IsInt():
		v = int(b.Int64(0))
	case d.IsFloat():
		v = b.Float64(0)
	}
	return &tensor{number: v, dtype: d}
}

// constantTensor returns a tensor of numbers that the program lists, as torch.tensor makes it.
func (ev *evaluator) constantTensor(at script.Position, v value, d dtype.DType) *tensor {
	var dims []int
	var flat []value
	ev.flatten(at, v, 0, &dims, &flat)
	if d == dtype.Invalid {
		d = dtype.Bool
		for _, n := range flat {
			switch n.(type) {
			case int:
				if d == dtype.Bool {
					d = dtype.I64
				}
			case float64:
				d = dtype.F32
			}
		}
		if len(flat) == 0 {
			d = dtype.F32
		}
	}
	if len(dims) == 0 {
		return rounded(flat[0], d)
	}
	b := buf.New(d, dims)
	for i, v := range flat {
		switch n, _ := number(v); n := n.(type) {
		case int:
			b.SetInt64(i, int64(n))
		case float64:
			b.SetFloat64(i, n)
		}
	}
	return &tensor{parameter: &Parameter{Data: b}}
}

// flatten collects the numbers of nested lists and checks that they form a rectangle.
func (ev *evaluator) flatten(at script.Position, v value, level int, dims *[]int, flat *[]value) {
	if t, ok := v.(*tensor); ok {
		v = ev.scalarOf(at, t, "an element of torch.tensor")
	}
	ev.charge(at, 1)
	if items := itemsOf(v); items != nil || kindOf(v) == "List[]" {
		if level > maxRank {
			failAt(at, "lists are nested more than %d deep", maxRank)
		}
		if level == len(*dims) && len(*flat) == 0 {
			*dims = append(*dims, len(items))
		}
		if level >= len(*dims) || (*dims)[level] != len(items) {
			failAt(at, "the lists of a tensor have different lengths")
		}
		for _, item := range items {
			ev.flatten(at, item, level+1, dims, flat)
		}
		return
	}
	if _, ok := number(v); !ok {
		failAt(at, "a tensor of %s is not supported", kindOf(v))
	}
	if level != len(*dims) {
		failAt(at, "the lists of a tensor have different depths")
	}
	if *flat = append(*flat, v); len(*flat) > maxItems {
		failAt(at, "a list of more than %d numbers", maxItems)
	}
}

// toInt converts a number as Python's int() does.
func toInt(v value) (int, bool) {
	switch n, _ := number(v); n := n.(type) {
	case int:
		return n, true
	case float64:
		if n = math.Trunc(n); n >= -(1<<63) && n < 1<<63 {
			return int(n), true
		}
	}
	return 0, false
}
