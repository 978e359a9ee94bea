package acap2019

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// constant makes the aten.constant of an argument, or nil. Numbers are of 32 bits
// where these hold them and of 64 otherwise; an absent argument is a none.
func constant(a *ops.Arg) *mlir.Operation {
	build := func(name string, value mlir.Attribute, t mlir.Type) *mlir.Operation {
		return mlir.NewOp(constantOp, nil, []mlir.Type{t}, mlir.Attrs{
			{Name: "type", Value: mlir.StringAttr(name)}, {Name: "value", Value: value}})
	}
	list := func(elem mlir.Type, value mlir.Attribute) *mlir.Operation {
		return build("List["+elem.String()+"]", value,
			mlir.OpaqueType{Dialect: "aten", Text: "list<" + elem.String() + ">"})
	}
	switch a.Kind {
	case ops.KindNone:
		return build("none", mlir.UnitAttr{}, mlir.NoneType{})
	case ops.KindInt:
		t := intType(a.Int())
		return build(t.String(), mlir.IntegerAttr{Value: int64(a.Int()), Type: t}, t)
	case ops.KindFloat:
		t := mlir.F64
		if v := a.Float(); float64(float32(v)) == v || math.IsNaN(v) {
			t = mlir.F32
		}
		return build(t.String(), mlir.Float(a.Float(), t), t)
	case ops.KindBool:
		return build("bool", mlir.Bool(a.Bool()), mlir.I1)
	case ops.KindComplex:
		t := mlir.ComplexType{Elem: mlir.F64}
		v := a.Complex()
		return build("complex", mlir.DenseFloats(listType(2, mlir.F64), []float64{real(v), imag(v)}), t)
	case ops.KindString:
		return build("str", mlir.StringAttr(a.Text()), mlir.OpaqueType{Dialect: "aten", Text: "str"})
	case ops.KindInts:
		elem := mlir.I32
		values := make([]int64, len(a.Ints()))
		for i, v := range a.Ints() {
			values[i] = int64(v)
			if intType(v) == mlir.I64 {
				elem = mlir.I64
			}
		}
		return list(elem, mlir.DenseInts(listType(len(values), elem), values))
	case ops.KindBools:
		values := make([]int64, len(a.Bools()))
		for i, v := range a.Bools() {
			if v {
				values[i] = 1
			}
		}
		return list(mlir.I1, mlir.DenseInts(listType(len(values), mlir.I1), values))
	case ops.KindFloats:
		return list(mlir.F64, mlir.DenseFloats(listType(len(a.Floats()), mlir.F64), a.Floats()))
	case ops.KindDType:
		return build("dtype", mlir.IntegerAttr{Value: int64(a.DType().TorchCode()), Type: mlir.I32}, mlir.I32)
	}
	return nil
}

// intType is the smaller type that holds v.
func intType(v int) mlir.IntegerType {
	if v == int(int32(v)) {
		return mlir.I32
	}
	return mlir.I64
}

// listType is a vector, as PyTorch/ACAP had it; vectors are never empty.
func listType(n int, elem mlir.Type) mlir.Type {
	if n == 0 {
		return mlir.TensorType{Shape: []int{0}, Elem: elem}
	}
	return mlir.VectorType{Shape: []int{n}, Elem: elem}
}

// Arg reads an aten.constant. A value of another kind than its type says is an error.
func Arg(op *mlir.Operation) (ops.Arg, error) {
	kind, _ := op.Attrs.Get("type").(mlir.StringAttr)
	switch a := op.Attrs.Get("value").(type) {
	case mlir.UnitAttr:
		return ops.Arg{}, nil
	case mlir.StringAttr:
		return ops.StringArg(string(a)), nil
	case mlir.IntegerAttr:
		if mlir.SameType(a.Type, mlir.I1) {
			return ops.BoolArg(a.Value != 0), nil
		}
		if kind == "dtype" {
			arg := ops.IntArg(int(a.Value))
			return ops.DTypeArg(arg.DType()), nil
		}
		return ops.IntArg(int(a.Value)), nil
	case mlir.FloatAttr:
		return ops.FloatArg(a.Value), nil
	case mlir.DenseAttr:
		return listArg(string(kind), a)
	}
	return ops.Arg{}, fmt.Errorf("aten.constant without a value that PyTorch/ACAP had")
}

// maxList bounds the length of a list argument.
const maxList = 1 << 20

func listArg(kind string, a mlir.DenseAttr) (ops.Arg, error) {
	if a.Len() > maxList {
		return ops.Arg{}, fmt.Errorf("a list of %d elements; at most %d are read", a.Len(), maxList)
	}
	if ints, ok := mlir.IntList(a); ok {
		if mlir.SameType(a.Elem(), mlir.I1) {
			bools := make([]bool, len(ints))
			for i, v := range ints {
				bools[i] = v != 0
			}
			return ops.BoolsArg(bools), nil
		}
		return ops.IntsArg(ints), nil
	}
	floats, ok := a.Float()
	switch {
	case ok && kind == "complex" && len(floats) == 2:
		return ops.ComplexArg(complex(floats[0], floats[1])), nil
	case ok:
		return ops.FloatsArg(floats), nil
	}
	return ops.Arg{}, fmt.Errorf("aten.constant of %s", a.Type)
}
