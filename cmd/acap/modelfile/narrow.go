package modelfile

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/npy"
)

// Files of .npy have neither bf16 nor floats of 8 bits. Their numbers are f32 there, which holds them exactly.

// Narrow replaces inputs of f32 by tensors of the types that a model wants, where .npy files do not have these. A
// number that such a type does not have is an error.
func Narrow(inputs []*buf.Buffer, wanted []dtype.DType) error {
	for i, in := range inputs {
		if i >= len(wanted) || in.DType != dtype.F32 || !wanted[i].IsFloat() || npy.Has(wanted[i]) {
			continue
		}
		narrow := in.Cast(wanted[i])
		for k := range in.Len() {
			given, kept := in.Float64(k), narrow.Float64(k)
			if given != kept && !(math.IsNaN(given) && math.IsNaN(kept)) {
				return fmt.Errorf("input %d: the model takes %v, which has no %v (%s): round the numbers before they are saved as f32",
					i, wanted[i], given, position(k, in.Shape))
			}
		}
		inputs[i] = narrow
	}
	return nil
}

// Widen returns a tensor as a .npy file can have it.
func Widen(b *buf.Buffer) *buf.Buffer {
	if b.DType.IsFloat() && !npy.Has(b.DType) {
		return b.Cast(dtype.F32)
	}
	return b
}

// InputDTypes are the element types of the arguments of the function that runs, [dtype.Invalid] for an argument that is
// no tensor.
func InputDTypes(module *mlir.Operation) []dtype.DType {
	f, err := compiler.EntryOf(module)
	if err != nil || f.Body() == nil {
		return nil
	}
	var list []dtype.DType
	for _, a := range f.Body().Args {
		t, _ := a.Type.(mlir.TensorType)
		list = append(list, mlir.DTypeOf(t.Elem))
	}
	return list
}
