package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// maxRefined bounds the rounds in which extents are passed on.
const maxRefined = 64

// Refine gives the arguments of a function types of known extents, and passes the extents on: to results, to
// regions, and to what is computed of them by get_dimension_size. Calls are expanded. A program's assertions about
// shapes are checked. An extent that stays open is left to what lowers the function. Types that are no cases of the
// arguments' are an error, and so are an assertion that does not hold and an extent that remains open.
func Refine(module, f *mlir.Operation, inputs []mlir.Type) error {
	body := f.Body()
	if body == nil || len(inputs) != len(body.Args) {
		return fmt.Errorf("%d types for the arguments of a function", len(inputs))
	}
	for i, v := range body.Args {
		given, ok := inputs[i].(mlir.TensorType)
		want, open := v.Type.(mlir.TensorType)
		if !ok || !open || !fits(given, want) {
			return fmt.Errorf("argument %d is of type %v, which %v is no case of", i, v.Type, inputs[i])
		}
	}
	if err := simplify.Inline(module); err != nil {
		return err
	}
	for i, v := range f.Body().Args {
		t := v.Type.(mlir.TensorType)
		v.Type = mlir.TensorType{Shape: inputs[i].(mlir.TensorType).Shape, Elem: t.Elem}
	}
	functions := hlo.FunctionsOf(module)
	for range maxRefined {
		r := &refiner{functions: functions}
		f.Walk(r.operation)
		if r.err != nil {
			return r.err
		}
		if !r.changed {
			break
		}
	}
	end := f.Body().Terminator()
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{
		Inputs: mlir.TypesOf(f.Body().Args), Results: mlir.TypesOf(end.Operands)}})
	return nil
}

// fits reports whether a tensor is one of a type with open extents. Integers of an input may be without sign.
func fits(given, want mlir.TensorType) bool {
	return mlir.DTypeOf(given.Elem) == mlir.DTypeOf(want.Elem) && slices.EqualFunc(given.Shape, want.Shape, func(m, n int) bool {
		return n == mlir.Dynamic || m == n
	})
}

type refiner struct {
	functions map[string]*mlir.Operation // that custom calls name
	changed   bool
	err       error
}

func (r *refiner) operation(op *mlir.Operation) {
	if op.Name == "tensor.cast" && len(op.Operands) == 1 && len(op.Results) == 1 {
		r.narrow(op.Results[0], op.Operands[0].Type)
	}
	if r.err != nil || !strings.HasPrefix(op.Name, "stablehlo.") && !strings.HasPrefix(op.Name, "chlo.") {
		return
	}
	if op.Name == "stablehlo.custom_call" {
		r.assertion(op)
		r.sized(op)
		return
	}
	r.regions(op)
	if value := folded(op); value != nil {
		op.Name, op.Operands, op.Attrs = "stablehlo.constant", nil, mlir.Attrs{{Name: "value", Value: *value}}
		op.Results[0].Type = value.Type
		r.changed = true
		return
	}
	types, err := hlo.Infer(op)
	if err != nil {
		r.err = op.Errorf("%w", err)
		return
	}
	for i, t := range types {
		r.narrow(op.Results[i], t)
	}
}

// narrow gives a value the extents that a type knows and the value's own does not.
func (r *refiner) narrow(v *mlir.Value, t mlir.Type) {
	have, ok := v.Type.(mlir.TensorType)
	more, both := t.(mlir.TensorType)
	if !ok || !both || len(have.Shape) != len(more.Shape) {
		return
	}
	shape := slices.Clone(have.Shape)
	for i, n := range more.Shape {
		if shape[i] == mlir.Dynamic && n != mlir.Dynamic {
			shape[i] = n
		}
	}
	if slices.Equal(shape, have.Shape) {
		return
	}
	if have.Shape = shape; !slices.Contains(shape, mlir.Dynamic) {
		have.Encoding = nil // its bounds say no more
	}
	v.Type = have
	r.changed = true
}

// regions gives the arguments of a loop's regions the types of what it begins with.
func (r *refiner) regions(op *mlir.Operation) {
	if op.Name != "stablehlo.while" {
		return
	}
	for _, region := range op.Regions {
		for i, v := range region.Blocks[0].Args {
			r.narrow(v, op.Operands[i].Type)
		}
	}
}

// assertion checks what JAX asserts of shapes: a condition, and a message with places for numbers.
func (r *refiner) assertion(op *mlir.Operation) {
	name, _ := op.Attrs.Get("call_target_name").(mlir.StringAttr)
	if name != "shape_assertion" || len(op.Operands) == 0 {
		return
	}
	holds, ok := constantInts(op.Operands[0])
	if !ok {
		return
	}
	if holds[0] == 0 {
		text, _ := op.Attrs.Get("error_message").(mlir.StringAttr)
		message := string(text)
		for i, v := range op.Operands[1:] {
			if n, known := constantInts(v); known {
				message = strings.ReplaceAll(message, fmt.Sprintf("{%d}", i), fmt.Sprint(n[0]))
			}
		}
		r.err = op.Errorf("the program asserts of its shapes: %s", message)
		return
	}
	op.Name, op.Operands, op.Attrs = "stablehlo.constant", nil, mlir.Attrs{{Name: "value",
		Value: mlir.DenseInts(mlir.TensorType{Elem: mlir.I1}, []int64{1})}}
	op.SetResults(mlir.TensorType{Elem: mlir.I1})
	r.changed = true
}

// maxFolded bounds the elements that are computed here: the elements of shapes.
const maxFolded = 256

// constantInts are the integers of a constant.
func constantInts(v *mlir.Value) ([]int64, bool) {
	a, ok := mlir.ConstantValue(v).(mlir.DenseAttr)
	if !ok || a.Len() > maxFolded || mlir.DTypeOf(a.Elem()) == 0 {
		return nil, false
	}
	if _, integer := a.Elem().(mlir.IntegerType); !integer && !mlir.SameType(a.Elem(), mlir.Index) {
		return nil, false
	}
	list := make([]int64, a.Len())
	for i := range list {
		list[i] = a.IntAt(i)
	}
	return list, true
}

// folded computes an operation on integers that are known, as programs compute shapes.
func folded(op *mlir.Operation) *mlir.DenseAttr {
	if len(op.Results) != 1 || op.Name == "stablehlo.constant" || op.Name == "chlo.constant" {
		return nil
	}
	t, ok := op.Results[0].Type.(mlir.TensorType)
	if _, integer := t.Elem.(mlir.IntegerType); !ok || !integer {
		return nil
	}
	name := strings.TrimPrefix(op.Name, "stablehlo.")
	if name == "get_dimension_size" {
		x, _ := op.Operands[0].Type.(mlir.TensorType)
		d, _ := op.Attrs.Get("dimension").(mlir.IntegerAttr)
		if int(d.Value) >= len(x.Shape) || x.Shape[d.Value] == mlir.Dynamic {
			return nil
		}
		return integersOf(t, []int64{int64(x.Shape[d.Value])})
	}
	in := make([][]int64, len(op.Operands))
	for i, v := range op.Operands {
		if in[i], ok = constantInts(v); !ok {
			return nil
		}
	}
	if out := computed(op, name, in); out != nil {
		if t.Shape = slices.Clone(t.Shape); slices.Contains(t.Shape, mlir.Dynamic) {
			return nil
		}
		return integersOf(t, out)
	}
	return nil
}

// integersOf makes a constant; numbers that do not fit the type wrap around.
func integersOf(t mlir.TensorType, list []int64) *mlir.DenseAttr {
	n := 1
	for _, e := range t.Shape {
		n *= e
	}
	if n != len(list) {
		return nil
	}
	a := mlir.DenseInts(t, list)
	return &a
}

// computed are the results of operations on integers.
func computed(op *mlir.Operation, name string, in [][]int64) []int64 {
	if f := onIntegers[name]; f != nil && len(in) == 2 && len(in[0]) == len(in[1]) {
		out := make([]int64, len(in[0]))
		for i := range out {
			if (name == "divide" || name == "remainder") && in[1][i] == 0 {
				return nil
			}
			out[i] = f(in[0][i], in[1][i])
		}
		return out
	}
	switch name {
	case "convert", "reshape", "dynamic_reshape", "broadcast_in_dim":
		if name == "broadcast_in_dim" && len(in[0]) != 1 {
			return nil
		}
		if t := op.Results[0].Type.(mlir.TensorType); name == "broadcast_in_dim" && len(t.Shape) == 1 && t.Shape[0] > 0 && t.Shape[0] <= maxFolded {
			return slices.Repeat(in[0], t.Shape[0])
		}
		return in[0]
	case "negate":
		out := slices.Clone(in[0])
		for i := range out {
			out[i] = -out[i]
		}
		return out
	case "concatenate":
		return concatenated(op, in)
	case "select":
		out := slices.Clone(in[1])
		for i := range out {
			if in[0][min(i, len(in[0])-1)] == 0 {
				out[i] = in[2][i]
			}
		}
		return out
	case "compare":
		return compared(hlo.Enum(op.Attrs.Get("comparison_direction")), in)
	case "slice":
		start, _ := mlir.IntList(op.Attrs.Get("start_indices"))
		limit, _ := mlir.IntList(op.Attrs.Get("limit_indices"))
		strides, _ := mlir.IntList(op.Attrs.Get("strides"))
		if len(start) != 1 {
			return nil
		}
		var out []int64
		for i := start[0]; i < limit[0]; i += strides[0] {
			out = append(out, in[0][i])
		}
		return out
	}
	return nil
}

// concatenated takes from each operand in turn what lies along the dimension, for each place of the dimensions before.
func concatenated(op *mlir.Operation, in [][]int64) (out []int64) {
	x, _ := op.Operands[0].Type.(mlir.TensorType)
	d, _ := op.Attrs.Get("dimension").(mlir.IntegerAttr)
	if d.Value < 0 || int(d.Value) >= len(x.Shape) {
		return nil
	}
	outer := 1
	for _, n := range x.Shape[:d.Value] {
		outer *= n
	}
	for i := range outer {
		for _, list := range in {
			n := len(list) / outer
			out = append(out, list[i*n:(i+1)*n]...)
		}
	}
	return out
}

var onIntegers = map[string]func(a, b int64) int64{
	"add": func(a, b int64) int64 { return a + b }, "subtract": func(a, b int64) int64 { return a - b },
	"multiply": func(a, b int64) int64 { return a * b }, "divide": func(a, b int64) int64 { return a / b },
	"remainder": func(a, b int64) int64 { return a % b }, "maximum": func(a, b int64) int64 { return max(a, b) },
	"minimum": func(a, b int64) int64 { return min(a, b) }, "and": func(a, b int64) int64 { return a & b },
	"or": func(a, b int64) int64 { return a | b },
}

func compared(direction string, in [][]int64) []int64 {
	holds := map[string]func(a, b int64) bool{"EQ": func(a, b int64) bool { return a == b }, "NE": func(a, b int64) bool { return a != b },
		"LT": func(a, b int64) bool { return a < b }, "LE": func(a, b int64) bool { return a <= b },
		"GT": func(a, b int64) bool { return a > b }, "GE": func(a, b int64) bool { return a >= b }}[direction]
	if holds == nil || len(in[0]) != len(in[1]) {
		return nil
	}
	out := make([]int64, len(in[0]))
	for i := range out {
		if holds(in[0][i], in[1][i]) {
			out[i] = 1
		}
	}
	return out
}
