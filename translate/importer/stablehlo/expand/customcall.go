package expand

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// customCalls replaces custom calls by operations of StableHLO that do the same.
func customCalls(module *mlir.Operation) {
	functions := hlo.FunctionsOf(module) // a function is not in the module while operations in front of it are visited
	err := mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		e := emitter{&r.Builder}
		switch {
		case hlo.Target(op) == "ApproxTopK":
			r.Replace(e.approximateTopK(functions, op)...)
		case hlo.Routine(op) == "trsm" && len(op.Operands) == 2 && len(op.Results) == 1:
			r.Replace(e.triangularSolve(op))
		case threefryTargets[hlo.Target(op)] && len(op.Operands) == 4 && len(op.Results) == 2 && wordsOnly(op):
			r.Replace(e.threefry(op)...)
		}
		return nil
	})
	if err != nil {
		fail(module, "%v", err)
	}
}

// threefryTargets are the names by which JAX calls Threefry-2x32 on GPUs.
var threefryTargets = map[string]bool{"cu_threefry2x32": true, "cu_threefry2x32_ffi": true, "hip_threefry2x32": true, "hip_threefry2x32_ffi": true}

// threefry encrypts counters, the last two operands, with keys, the first two. Each operand has one of two words.
func (e emitter) threefry(op *mlir.Operation) []*mlir.Value {
	words := make([]*mlir.Value, len(op.Operands))
	for i, v := range op.Operands {
		words[i] = e.convert(v, mlir.IntegerType{Width: 64, Signedness: mlir.Unsigned})
	}
	out := threefry(e, words[2:], words[:2])
	for i, v := range out {
		out[i] = e.convert(v, mlir.ElementOf(op.Results[i].Type))
	}
	return out
}

// wordsOnly reports whether all operands and results are tensors of ui32.
func wordsOnly(op *mlir.Operation) bool {
	other := func(v *mlir.Value) bool {
		return !mlir.SameType(mlir.ElementOf(v.Type), mlir.IntegerType{Width: 32, Signedness: mlir.Unsigned})
	}
	return !slices.ContainsFunc(op.Operands, other) && !slices.ContainsFunc(op.Results, other)
}

// approximateTopK sorts by the comparator of the call and takes the first elements: the exact result, whose recall is
// 1.
func (e emitter) approximateTopK(functions map[string]*mlir.Operation, op *mlir.Operation) []*mlir.Value {
	inputs := op.Operands[:len(op.Operands)/2]
	if len(inputs) == 0 || len(op.Results) != len(inputs) {
		fail(op, "%d results of %d operands", len(op.Results), len(op.Operands))
	}
	dim, _ := hlo.BackendConfig(op).Get("reduction_dim").(mlir.IntegerAttr)
	shape := tensorOf(inputs[0]).Shape
	if int(dim.Value) >= len(shape) || dim.Value < 0 {
		fail(op, "reduction_dim is %d, of %s", dim.Value, inputs[0].Type)
	}
	sort := mlir.NewOp("stablehlo.sort", inputs, mlir.TypesOf(inputs), mlir.Attrs{
		{Name: "dimension", Value: mlir.Int(int(dim.Value))}, {Name: "is_stable", Value: mlir.Bool(true)}})
	if err := hlo.CopyCalled(functions, op, sort); err != nil {
		fail(op, "%v", err)
	}
	sorted := e.Insert(sort).Results
	out := make([]*mlir.Value, len(sorted))
	for i, v := range sorted {
		t, _ := op.Results[i].Type.(mlir.TensorType)
		if len(t.Shape) != len(shape) || t.Shape[dim.Value] > shape[dim.Value] {
			fail(op, "%s of %s", op.Results[i].Type, v.Type)
		}
		out[i] = e.part(v, int(dim.Value), 0, t.Shape[dim.Value])
	}
	return out
}

// triangularSolve is LAPACK's trsm with a factor of 1.
func (e emitter) triangularSolve(op *mlir.Operation) *mlir.Value {
	config := hlo.BackendConfig(op)
	is := func(name string, letter byte) mlir.Attribute { return mlir.Bool(hlo.Letter(config, name) == letter) }
	transpose := map[byte]string{'N': "NO_TRANSPOSE", 'T': "TRANSPOSE", 'C': "ADJOINT"}[hlo.Letter(config, "trans_x")]
	if transpose == "" {
		fail(op, "trans_x is %q", hlo.Letter(config, "trans_x"))
	}
	return e.with("triangular_solve", op.Result().Type, mlir.Attrs{
		{Name: "left_side", Value: is("side", 'L')}, {Name: "lower", Value: is("uplo", 'L')},
		{Name: "unit_diagonal", Value: is("diag", 'U')},
		{Name: "transpose_a", Value: mlir.OpaqueAttr{Text: "#stablehlo<transpose " + transpose + ">"}}}, op.Operands...)
}

// called keeps a custom call. The parts of complex operands are joined in front of the call, and those of complex
// results are taken apart behind the call.
func called(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	operands := e.left(mlir.TypesOf(op.Operands), slices.Concat(in...))
	return e.entered(e.again(op, op.Attrs, operands, boundaries(mlir.TypesOf(op.Results))))
}
