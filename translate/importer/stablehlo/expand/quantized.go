package expand

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

// uniform is a quantized element type, with its zero points and what may be stored as numbers.
type uniform struct {
	quant.Uniform
	text      string
	storage   mlir.IntegerType // signed integers are signless
	low, high float64
	zeros     []float64
}

// quantization reads a quantized element type. Other types give false.
func quantization(t mlir.Type) (uniform, bool) {
	u, ok := quant.Of(t)
	if !ok || mlir.ElementSize(u.Expressed) == 0 {
		return uniform{}, false
	}
	q := uniform{Uniform: u, text: t.String(), storage: u.Storage, low: float64(u.Low), high: float64(u.High)}
	for _, z := range u.Zeros {
		q.zeros = append(q.zeros, float64(z))
	}
	return q, true
}

// along are values, one or one for each place of the axis, as a tensor of type t.
func (q uniform) along(e emitter, op *mlir.Operation, t mlir.TensorType, values []float64) *mlir.Value {
	if q.Axis < 0 {
		return e.splat(t, values[0])
	}
	if q.Axis >= len(t.Shape) || t.Shape[q.Axis] != len(values) {
		fail(op, "%d scales along dimension %d of %s", len(values), q.Axis, t)
	}
	line := e.constant(mlir.DenseFloats(mlir.TensorType{Shape: []int{len(values)}, Elem: t.Elem}, values))
	return e.broadcast(line, t.Shape, []int{q.Axis})
}

// express gives the numbers that stored integers stand for.
func (q uniform) express(e emitter, op *mlir.Operation, stored *mlir.Value) *mlir.Value {
	x := e.convert(stored, q.Expressed)
	t := tensorOf(x)
	return e.mul(e.sub(x, q.along(e, op, t, q.zeros)), q.along(e, op, t, q.Scales))
}

// store gives the integers for numbers: to the nearest, ties to even, within the range.
func (q uniform) store(e emitter, op *mlir.Operation, x *mlir.Value) *mlir.Value {
	x = e.convert(x, q.Expressed)
	t := tensorOf(x)
	scaled := e.add(e.same("round_nearest_even", e.div(x, q.along(e, op, t, q.Scales))), q.along(e, op, t, q.zeros))
	return e.convert(e.op("clamp", t, e.number(scaled, q.low), scaled, e.number(scaled, q.high)), q.storage)
}

// moves only copy elements, stored ones as well as others.
var moves = map[string]bool{"broadcast_in_dim": true, "reshape": true, "transpose": true, "slice": true, "reverse": true,
	"concatenate": true, "pad": true, "dynamic_slice": true, "dynamic_update_slice": true, "gather": true,
	"select": true, "real_dynamic_slice": true, "dynamic_broadcast_in_dim": true, "dynamic_reshape": true,
	"dynamic_gather": true, "dynamic_pad": true}

// quantizedRule computes with the numbers that quantized operands stand for, and stores the result.
// Operations that copy elements copy the stored ones, if all have one quantization.
func quantizedRule(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	name := strings.TrimPrefix(op.Name, "stablehlo.")
	stored := slices.Concat(in...)
	switch name {
	case "bitcast_convert":
		return []*mlir.Value{e.bits(stored[0], parts(op.Result().Type)[0])}
	case "constant":
		d, ok := op.Attrs.Get("value").(mlir.DenseAttr)
		t := parts(op.Result().Type)[0]
		if !ok || len(d.Data) == 0 || mlir.ElementSize(d.Elem()) != mlir.ElementSize(t.(mlir.TensorType).Elem) {
			fail(op, "a quantized constant must be the integers that are stored")
		}
		d.Type = t
		return []*mlir.Value{e.constant(d)}
	}
	if moves[name] && oneQuantization(op) {
		return e.again(op, op.Attrs, stored, flatTypes(op.Results))
	}
	var numbers []*mlir.Value
	for i, v := range op.Operands {
		x := stored[i]
		if t, ok := v.Type.(mlir.TensorType); ok {
			if q, ok := quantization(t.Elem); ok {
				x = q.express(e, op, x)
			}
		}
		numbers = append(numbers, x)
	}
	var results []*mlir.Value
	if name == "uniform_quantize" || name == "uniform_dequantize" {
		results = numbers
	} else {
		var want []mlir.Type
		for _, r := range op.Results {
			t, _ := r.Type.(mlir.TensorType)
			if q, ok := quantization(t.Elem); ok {
				t = of(t, q.Expressed)
			}
			want = append(want, t)
		}
		if len(op.Regions) > 0 {
			fail(op, "quantized elements are not supported")
		}
		results = slices.Clone(e.again(op, op.Attrs, numbers, want))
	}
	for i, r := range op.Results {
		t, _ := r.Type.(mlir.TensorType)
		if q, ok := quantization(t.Elem); ok {
			results[i] = q.store(e, op, results[i])
		} else {
			results[i] = e.convert(results[i], t.Elem)
		}
	}
	return results
}

// again appends an operation of the same name and attributes.
func (e emitter) again(op *mlir.Operation, attrs mlir.Attrs, operands []*mlir.Value, results []mlir.Type) []*mlir.Value {
	return e.Create(op.Name, operands, results, attrs).Results
}

// oneQuantization reports whether all quantized operands and results have the same type.
func oneQuantization(op *mlir.Operation) bool {
	text := ""
	for _, v := range append(slices.Clone(op.Operands), op.Results...) {
		t, _ := v.Type.(mlir.TensorType)
		if q, ok := quantization(t.Elem); ok {
			if q.Axis >= 0 || text != "" && text != q.text {
				return false
			}
			text = q.text
		}
	}
	return true
}
