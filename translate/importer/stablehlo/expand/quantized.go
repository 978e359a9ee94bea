package expand

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// uniform is what a type !quant.uniform<…> says: a number is (stored - zero point)·scale, with one scale
// for all, or one for each place along an axis.
type uniform struct {
	text               string
	storage, expressed mlir.Type
	low, high          float64 // of what is stored
	axis               int     // -1 without
	scales, zeros      []float64
}

// uniformText takes uniform<i8<-128:127>:f32:1, {0.1:-30, 0.5:-20}> apart.
var uniformText = regexp.MustCompile(`^uniform<([iu])(\d+)(?:<(-?\d+):(-?\d+)>)?\s*:\s*(\w+)(?:\s*:\s*(\d+))?\s*,` +
	`\s*\{?([^{}]*)\}?\s*>$`)

// quantization reads a quantized element type. Other types give false.
func quantization(t mlir.Type) (q uniform, ok bool) {
	o, _ := t.(mlir.OpaqueType)
	m := uniformText.FindStringSubmatch(o.Text)
	if o.Dialect != "quant" || m == nil {
		return q, false
	}
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		ok = ok && err == nil
		return v
	}
	width, _ := strconv.Atoi(m[2])
	q = uniform{text: o.Text, expressed: mlir.FloatType{Name: m[5]}, axis: -1,
		low: -math.Ldexp(1, width-1), high: math.Ldexp(1, width-1) - 1}
	integers := mlir.IntegerType{Width: width}
	if m[1] == "u" {
		integers.Signedness, q.low, q.high = mlir.Unsigned, 0, math.Ldexp(1, width)-1
	}
	ok = width > 0 && width <= 32 && mlir.ElementSize(q.expressed) > 0
	q.storage = integers
	if m[3] != "" {
		q.low, q.high = number(m[3]), number(m[4])
	}
	if m[6] != "" {
		q.axis = int(number(m[6]))
	}
	for _, pair := range strings.Split(m[7], ",") {
		scale, zero, given := strings.Cut(pair, ":")
		if !given {
			zero = "0"
		}
		q.scales, q.zeros = append(q.scales, number(scale)), append(q.zeros, number(zero))
	}
	return q, ok && (q.axis >= 0 || len(q.scales) == 1)
}

// along are values, one or one for each place of the axis, as a tensor of type t.
func (q uniform) along(e emitter, op *mlir.Operation, t mlir.TensorType, values []float64) *mlir.Value {
	if q.axis < 0 {
		return e.splat(t, values[0])
	}
	if q.axis >= len(t.Shape) || t.Shape[q.axis] != len(values) {
		fail(op, "%d scales along dimension %d of %s", len(values), q.axis, t)
	}
	line := e.constant(mlir.DenseFloats(mlir.TensorType{Shape: []int{len(values)}, Elem: t.Elem}, values))
	return e.broadcast(line, t.Shape, []int{q.axis})
}

// express gives the numbers that stored integers stand for.
func (q uniform) express(e emitter, op *mlir.Operation, stored *mlir.Value) *mlir.Value {
	x := e.convert(stored, q.expressed)
	t := tensorOf(x)
	return e.mul(e.sub(x, q.along(e, op, t, q.zeros)), q.along(e, op, t, q.scales))
}

// store gives the integers for numbers: to the nearest, ties to even, within the range.
func (q uniform) store(e emitter, op *mlir.Operation, x *mlir.Value) *mlir.Value {
	x = e.convert(x, q.expressed)
	t := tensorOf(x)
	scaled := e.add(e.same("round_nearest_even", e.div(x, q.along(e, op, t, q.scales))), q.along(e, op, t, q.zeros))
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
				t = of(t, q.expressed)
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
			if q.axis >= 0 || text != "" && text != q.text {
				return false
			}
			text = q.text
		}
	}
	return true
}
