package quant

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

func init() {
	const stored, numbers, integers = " is opaque | tensor*(opaque)", " is float | tensor*(float)", " is opaque | int | tensor*(opaque | int)"
	cast := func(name, input, result string, verify func(in, out mlir.Type) error) assembly.Op {
		return assembly.Op{Name: "quant." + name, Traits: mlir.Pure, Operands: "input" + input, Results: "result" + result,
			Format: "$input attr-dict `:` type($input) `to` type($result)", Verify: func(op *mlir.Operation) error {
				in, out := op.Operands[0].Type, op.Results[0].Type
				if !mlir.SameType(mlir.WithElement(in, mlir.ElementOf(out)), out) {
					return fmt.Errorf("casts %s to another shape, %s", in, out)
				}
				return verify(in, out)
			}}
	}
	mlir.RegisterDialect(&mlir.Dialect{Name: "quant", Upstream: true, ParseType: parseType, Ops: assembly.Defs([]assembly.Op{
		cast("dcast", stored, numbers, checkNumbers),
		cast("qcast", numbers, stored, func(in, out mlir.Type) error { return checkNumbers(out, in) }),
		cast("scast", integers, integers, func(in, out mlir.Type) error {
			if _, fromIntegers := mlir.ElementOf(in).(mlir.IntegerType); fromIntegers {
				in, out = out, in
			}
			return checkIntegers(in, out)
		}),
	})})
}

// checkNumbers refuses a cast between a quantized type and other numbers than the type stands for.
func checkNumbers(quantized, numbers mlir.Type) error {
	u, ok := Of(mlir.ElementOf(quantized))
	if numbers = mlir.ElementOf(numbers); ok && !mlir.SameType(u.Expressed, numbers) {
		return fmt.Errorf("casts between %s, which stands for %s, and %s", mlir.ElementOf(quantized), u.Expressed, numbers)
	}
	return u.checkAxis(quantized)
}

// checkIntegers refuses a cast between a quantized type and other integers than the type stores. Signs are no part of
// them.
func checkIntegers(quantized, integers mlir.Type) error {
	u, ok := Of(mlir.ElementOf(quantized))
	if integers = mlir.ElementOf(integers); ok && !mlir.SameType(mlir.IntegerType{Width: u.Storage.Width}, integers) {
		return fmt.Errorf("casts between %s, which stores i%d, and %s", mlir.ElementOf(quantized), u.Storage.Width, integers)
	}
	return u.checkAxis(quantized)
}

// checkAxis refuses scales along a dimension that a type does not have or that has another extent.
func (u Uniform) checkAxis(t mlir.Type) error {
	if _, unranked := t.(mlir.UnrankedTensorType); unranked || len(u.Scales) == 0 || u.Axis < 0 {
		return nil
	}
	dims, _, _ := mlir.ShapeOf(t)
	if u.Axis >= len(dims) || dims[u.Axis] >= 0 && dims[u.Axis] != len(u.Scales) {
		return fmt.Errorf("has %d scales along dimension %d of %s", len(u.Scales), u.Axis, t)
	}
	return nil
}
