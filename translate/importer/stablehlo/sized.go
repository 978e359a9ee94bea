package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// sized gives a custom call the extents that operands tell. JAX writes targets of this kind for operations whose
// extents are open; an operation with constant extents takes the call's place as soon as these operands are constants.
func (r *refiner) sized(op *mlir.Operation) {
	if shapes, ok := mlir.IntList(op.Attrs.Get("indices_of_shape_operands")); ok {
		r.shapeOperands(op, shapes)
	}
	switch hlo.Target(op) {
	case "stablehlo.dynamic_top_k":
		r.topK(op)
	case "stablehlo.dynamic_approx_top_k":
		r.approximateTopK(op)
	case "stablehlo.dynamic_rng_bit_generator":
		r.randomBits(op)
	case "stablehlo.dynamic_reduce_window":
		r.reduceWindow(op)
	}
}

// shapeOperands takes the shape of each result from the operand at the place that places has for the result.
func (r *refiner) shapeOperands(op *mlir.Operation, places []int) {
	if len(places) != len(op.Results) {
		return
	}
	var shapes [][]int
	for _, i := range places {
		if i < 0 || i >= len(op.Operands) {
			return
		}
		list, ok := constantInts(op.Operands[i])
		if !ok {
			return
		}
		shapes = append(shapes, extents(list))
	}
	for i, v := range op.Results {
		if t, ok := v.Type.(mlir.TensorType); ok {
			r.narrow(v, mlir.TensorType{Shape: shapes[i], Elem: t.Elem})
		}
	}
	var kept []*mlir.Value
	for i, v := range op.Operands {
		if !slices.Contains(places, i) {
			kept = append(kept, v)
		}
	}
	op.Operands, op.Attrs = kept, op.Attrs.Without("indices_of_shape_operands")
	r.changed = true
}

func extents(list []int64) []int {
	out := make([]int, len(list))
	for i, n := range list {
		out[i] = int(n)
	}
	return out
}

// becomes makes the call another operation.
func (r *refiner) becomes(op *mlir.Operation, name string, operands []*mlir.Value, attrs mlir.Attrs) {
	op.Name, op.Operands, op.Attrs = name, operands, attrs
	r.changed = true
}

func (r *refiner) topK(op *mlir.Operation) {
	if len(op.Operands) != 2 || len(op.Results) != 2 {
		return
	}
	if k, ok := constantInts(op.Operands[1]); ok && len(k) == 1 {
		r.becomes(op, "chlo.top_k", op.Operands[:1], mlir.Attrs{{Name: "k", Value: mlir.Int(int(k[0]))}})
	}
}

// approximateTopK has the number of values behind inputs and what a reduction of these begins with.
func (r *refiner) approximateTopK(op *mlir.Operation) {
	n := 2 * len(op.Results)
	if len(op.Operands) != n+1 {
		return
	}
	if _, ok := constantInts(op.Operands[n]); ok {
		r.becomes(op, op.Name, op.Operands[:n], op.Attrs.With("call_target_name", mlir.StringAttr("ApproxTopK")))
	}
}

func (r *refiner) randomBits(op *mlir.Operation) {
	if len(op.Operands) != 2 || len(op.Results) != 2 {
		return
	}
	shape, ok := constantInts(op.Operands[1])
	t, tensor := op.Results[1].Type.(mlir.TensorType)
	if !ok || !tensor {
		return
	}
	r.narrow(op.Results[1], mlir.TensorType{Shape: extents(shape), Elem: t.Elem})
	r.becomes(op, "stablehlo.rng_bit_generator", op.Operands[:1],
		mlir.Attrs{{Name: "rng_algorithm", Value: op.Attrs.Get("rng_algorithm")}})
}

// reduceWindow has its windows' extents, strides, dilations of both kinds, and paddings as the last operands.
func (r *refiner) reduceWindow(op *mlir.Operation) {
	names := []string{"window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding"}
	n := len(op.Operands) - len(names)
	if n != 2*len(op.Results) || n == 0 {
		return
	}
	var attrs mlir.Attrs
	for i, name := range names {
		list, ok := constantInts(op.Operands[n+i])
		t, tensor := op.Operands[n+i].Type.(mlir.TensorType)
		if !ok || !tensor {
			return
		}
		if name == "padding" {
			attrs = append(attrs, mlir.Named{Name: name, Value: mlir.DenseInts(mlir.TensorType{Shape: t.Shape, Elem: mlir.I64}, list)})
		} else {
			attrs = append(attrs, mlir.Named{Name: name, Value: mlir.Ints(extents(list))})
		}
	}
	if err := hlo.CopyCalled(r.functions, op, op); err != nil {
		r.err = op.Errorf("%w", err)
		return
	}
	r.becomes(op, "stablehlo.reduce_window", op.Operands[:n], attrs)
}
