package simplify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// specializeRounds bounds how often extents are passed on and what they make constant is folded.
const specializeRounds = 64

// Specialize gives the arguments of a function types of known extents, and passes the extents on
// as far as they determine others: tensor.dim becomes a constant, and what is computed from it.
// Where an operation does not say what follows from its operands the types stay open; the
// result may then be malformed, so that the caller verifies it and keeps the original. Types that are no cases of the
// arguments' are an error.
func Specialize(module, f *mlir.Operation, inputs []mlir.Type) error {
	body := f.Body()
	if body == nil || len(inputs) != len(body.Args) {
		return fmt.Errorf("%d types for the arguments of a function", len(inputs))
	}
	for i, v := range body.Args {
		if !refines(inputs[i], v.Type) {
			return fmt.Errorf("argument %d is of type %v, which %v is no case of", i, v.Type, inputs[i])
		}
	}
	if err := Inline(module); err != nil {
		return err
	}
	if err := SymbolDCE(module); err != nil {
		return err
	}
	for i, v := range body.Args {
		v.Type = inputs[i]
	}
	before := true
	for range specializeRounds {
		changed := false
		f.Walk(func(op *mlir.Operation) { changed = specialize(op) || changed })
		if !changed && !before { // nor did what was folded in between tell more
			break
		}
		before = changed
		if err := Canonicalize(module); err != nil {
			return err
		}
	}
	end := f.Body().Terminator()
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{
		Inputs: mlir.TypesOf(f.Body().Args), Results: mlir.TypesOf(end.Operands)}})
	return nil
}

// refines reports whether t is the type of, or the same with extents for its open ones.
func refines(t, of mlir.Type) bool {
	a, ok := t.(mlir.TensorType)
	b, ok2 := of.(mlir.TensorType)
	if !ok || !ok2 {
		return mlir.SameType(t, of)
	}
	if !mlir.SameType(a.Elem, b.Elem) || len(a.Shape) != len(b.Shape) {
		return false
	}
	for i, n := range b.Shape {
		if n != mlir.Dynamic && n != a.Shape[i] {
			return false
		}
	}
	return true
}

// refine gives a value a type with more known extents, and reports whether it had fewer.
func refine(v *mlir.Value, t mlir.Type) bool {
	if mlir.SameType(v.Type, t) || !refines(t, v.Type) {
		return false
	}
	v.Type = t
	return true
}

// withShape is a tensor type with extents of its own.
func withShape(t mlir.Type, shape []int) mlir.Type {
	tensor, ok := t.(mlir.TensorType)
	if !ok {
		return t
	}
	tensor.Shape = shape
	return tensor
}

// bounded are the operations with lists of numbers that may be operands: how many other operands
// stand before, and the lists.
var bounded = map[string]struct {
	leading int
	lists   []string
}{
	"tensor.extract_slice": {1, []string{"static_offsets", "static_sizes", "static_strides"}},
	"tensor.insert_slice":  {2, []string{"static_offsets", "static_sizes", "static_strides"}},
	"tensor.pad":           {1, []string{"static_low", "static_high"}},
	"tensor.expand_shape":  {1, []string{"static_output_shape"}},
}

// specialize passes on what is known of the operands of an operation, and reports whether that
// was more than before.
func specialize(op *mlir.Operation) (changed bool) {
	if b, ok := bounded[op.Name]; ok {
		settle(op, b.leading, b.lists)
	}
	dialect, _, _ := strings.Cut(op.Name, ".")
	for i, t := range inferred(op, dialect) {
		changed = refine(op.Results[i], t) || changed
	}
	switch op.Name {
	case "scf.for":
		for i, v := range op.Operands[min(3, len(op.Operands)):] {
			changed = refine(op.Results[i], v.Type) || changed
			changed = refine(op.Body().Args[i+1], v.Type) || changed
		}
	case "scf.if":
		for i, v := range op.Body().Terminator().Operands {
			changed = refine(op.Results[i], v.Type) || changed
		}
	}
	return changed
}

// settle puts constants into the lists of an operation in place of operands.
func settle(op *mlir.Operation, leading int, lists []string) {
	operands := slices.Clone(op.Operands[:leading])
	rest := op.Operands[leading:]
	segments := slices.Repeat([]int64{1}, leading)
	for _, name := range lists {
		list, _ := op.Attrs.Get(name).(mlir.DenseArrayAttr)
		list.Ints = slices.Clone(list.Ints)
		open := int64(0)
		for i, n := range list.Ints {
			if n != mlir.DynamicStride || len(rest) == 0 {
				continue
			}
			if k, ok := constantIndex(rest[0]); ok {
				list.Ints[i] = int64(k)
			} else {
				operands = append(operands, rest[0])
				open++
			}
			rest = rest[1:]
		}
		segments = append(segments, open)
		op.Attrs = op.Attrs.With(name, list)
	}
	op.Operands = operands
	if op.Attrs.Get("operandSegmentSizes") != nil {
		op.Attrs = op.Attrs.With("operandSegmentSizes", mlir.DenseArrayAttr{Elem: mlir.I32, Ints: segments})
	}
}

func constantIndex(v *mlir.Value) (int, bool) {
	a, ok := mlir.ConstantValue(v).(mlir.IntegerAttr)
	return int(a.Value), ok && a.Value >= 0
}

// inferred are the types of an operation's results as far as they follow from its operands; nil
// where that is not known.
func inferred(op *mlir.Operation, dialect string) []mlir.Type {
	switch {
	case dialect == "linalg" && len(op.Results) > 0 && len(op.Operands) >= len(op.Results):
		return mlir.TypesOf(op.Operands[len(op.Operands)-len(op.Results):])
	case (dialect == "arith" || dialect == "math") && len(op.Results) == 1 && len(op.Operands) > 0:
		if t, ok := op.Operands[len(op.Operands)-1].Type.(mlir.TensorType); ok {
			return []mlir.Type{withShape(op.Results[0].Type, t.Shape)}
		}
	case dialect == "tensor" && len(op.Results) == 1:
		if shape := tensorShape(op); shape != nil {
			return []mlir.Type{withShape(op.Results[0].Type, shape)}
		}
	case dialect == "aten":
		return inferredByOperator(op)
	}
	return nil
}

// inferredByOperator are the types of a call of an operator whose operands have known extents.
func inferredByOperator(op *mlir.Operation) []mlir.Type {
	for _, v := range op.Operands {
		if !mlir.IsStaticTensor(v.Type) {
			return nil
		}
	}
	c, err := ops.FromOperation(op, ops.OfIR)
	if err != nil || len(c.Out) != len(op.Results) {
		return nil
	}
	var types []mlir.Type
	for _, t := range c.Out {
		types = append(types, mlir.Tensor(t.DType, t.Shape))
	}
	return types
}

// tensorShape are the extents of what an operation of the tensor dialect makes, or nil.
func tensorShape(op *mlir.Operation) []int {
	result, ok := op.Results[0].Type.(mlir.TensorType)
	if !ok {
		return nil
	}
	operand := func(i int) []int {
		t, _ := op.Operands[i].Type.(mlir.TensorType)
		return t.Shape
	}
	switch op.Name {
	case "tensor.empty", "tensor.generate":
		shape, rest := slices.Clone(result.Shape), []*mlir.Value(nil)
		next := 0
		for i, n := range shape {
			if n != mlir.Dynamic || next >= len(op.Operands) {
				continue
			}
			if k, ok := constantIndex(op.Operands[next]); ok {
				shape[i] = k
			} else {
				rest = append(rest, op.Operands[next])
			}
			next++
		}
		op.Operands = rest
		return shape
	case "tensor.cast":
		return operand(0)
	case "tensor.insert", "tensor.insert_slice":
		return operand(1)
	case "tensor.extract_slice":
		sizes, _ := mlir.IntList(op.Attrs.Get("static_sizes"))
		return listed(sizes, result)
	case "tensor.expand_shape":
		sizes, _ := mlir.IntList(op.Attrs.Get("static_output_shape"))
		return listed(sizes, result)
	case "tensor.collapse_shape":
		return collapsed(op, operand(0))
	case "tensor.pad":
		low, _ := mlir.IntList(op.Attrs.Get("static_low"))
		high, _ := mlir.IntList(op.Attrs.Get("static_high"))
		shape := slices.Clone(operand(0))
		for i, n := range shape {
			if n == mlir.Dynamic || low[i] == mlir.DynamicStride || high[i] == mlir.DynamicStride {
				return nil
			}
			shape[i] = n + low[i] + high[i]
		}
		return shape
	}
	return nil
}

// listed are sizes of a list, if they are all known and the result has as many.
func listed(sizes []int, result mlir.TensorType) []int {
	if len(sizes) != len(result.Shape) || slices.Contains(sizes, mlir.DynamicStride) {
		return nil
	}
	return sizes
}

// collapsed multiplies the extents of groups.
func collapsed(op *mlir.Operation, from []int) []int {
	groups, _ := op.Attrs.Get("reassociation").(mlir.ArrayAttr)
	shape := []int{}
	for _, g := range groups {
		dims, _ := mlir.IntList(g)
		n := 1
		for _, d := range dims {
			if d >= len(from) || from[d] == mlir.Dynamic {
				return nil
			}
			n *= from[d]
		}
		shape = append(shape, n)
	}
	return shape
}
