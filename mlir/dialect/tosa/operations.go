package tosa

import "github.com/go-acap/acap/mlir/assembly"

// Classes of operands: quantized elements are types of another dialect.
const (
	anyTensor = "tensor*"
	number    = "tensor*(float | anyint | opaque)"
	integer   = "tensor*(anyint)"
	truth     = "tensor*(i1)"
	picture   = "tensor*(4 float | anyint | opaque)"
	volume    = "tensor*(5 float | anyint | opaque)"
	bias      = "tensor*(1 float | anyint | opaque)"

	kernels = "kernel: ints(2), stride: ints(2), pad: ints(4)"
	flat    = "pad: ints(4), stride: ints(2), dilation: ints(2), quantization_info: any?, local_bound: bool?"
	deep    = "pad: ints(6), stride: ints(3), dilation: ints(3), quantization_info: any?, local_bound: bool?"
	places  = "tensor*(2 i32 | i64)"
	oneAxis = "axis: i32"
)

// operations returns the operations of the form "%a, %b {…} : (T, U) -> V".
func operations() []assembly.Op {
	ops := []assembly.Op{
		{Name: "argmax", Operands: "input is " + number, Results: "output is " + anyTensor, Attrs: oneAxis, Verify: found},
		{Name: "avg_pool2d", Operands: "input is " + picture, Results: "output is tensor*(4)", Attrs: kernels + ", acc_type: type"},
		{Name: "max_pool2d", Operands: "input is " + picture, Results: "output is tensor*(4)", Rules: "elem(input, output)", Attrs: kernels, Verify: pooled},
		{Name: "conv2d", Operands: "input is " + picture + ", weight is " + picture + ", bias is " + bias,
			Results: "output is tensor*(4)", Attrs: flat},
		{Name: "depthwise_conv2d", Operands: "input is " + picture + ", weight is " + picture + ", bias is " + bias,
			Results: "output is tensor*(4)", Attrs: flat},
		{Name: "conv3d", Operands: "input is " + volume + ", weight is " + volume + ", bias is " + bias,
			Results: "output is tensor*(5)", Attrs: deep},
		{Name: "transpose_conv2d", Operands: "input is " + picture + ", filter is " + picture + ", bias is " + bias, Results: "output is tensor*(4)",
			Attrs: "out_pad: ints(4), stride: ints(2), out_shape: ints(4), quantization_info: any?, local_bound: bool?"},
		{Name: "fully_connected", Operands: "input is tensor(2), weight is tensor(2), bias is tensor(1)",
			Results: "output is tensor(2)", Attrs: "quantization_info: any?"},
		{Name: "matmul", Operands: "a is tensor(3), b is tensor(3)", Results: "c is tensor(3)", Attrs: "quantization_info: any?"},
		{Name: "fft2d", Operands: "input_real is tensor(3), input_imag is tensor(3)",
			Results: "output_real is tensor(3), output_imag is tensor(3)", Attrs: "inverse: bool, local_bound: bool?", Verify: transformed},
		{Name: "rfft2d", Operands: "input is tensor(3)",
			Results: "output_real is tensor(3), output_imag is tensor(3)", Attrs: "local_bound: bool?", Verify: transformed},
		{Name: "clamp", Operands: "input is " + number, Results: "output is " + number, Rules: "shape(input, output), elem(input, output)",
			Attrs: "min_int: i64, max_int: i64, min_fp: float, max_fp: float"},
		{Name: "negate", Operands: "input is " + number, Results: "output is " + number,
			Rules: "broadcast(input, output)", Attrs: "quantization_info: any?"},
		{Name: "arithmetic_right_shift", Operands: "a, b", Results: "output", Rules: "broadcast(a, b, output), elem(a, b, output)", Attrs: "round: bool"},
		{Name: "mul", Operands: "a, b", Results: "output", Rules: "broadcast(a, b, output)", Attrs: "shift: i8"},
		{Name: "table", Operands: "input is " + anyTensor + ", table is tensor(1)", Results: "output is " + anyTensor, Rules: "shape(input, output)"},
		{Name: "select", Operands: "pred is " + truth + ", a is " + anyTensor + ", b is " + anyTensor, Results: "output is " + anyTensor,
			Rules: "broadcast(pred, a, b, output), elem(a, b, output)"},
		{Name: "concat", Operands: "input* is " + anyTensor, Results: "output is " + anyTensor, Attrs: oneAxis,
			Rules: "elem(input, output)", Verify: joined},
		{Name: "pad", Operands: "input is tensor, padding is tensor*(int | index), pad_const? is tensor*", Results: "output is tensor",
			Rules: "elem(input, output)", Attrs: "quantization_info: any?"},
		{Name: "reshape", Operands: "input is " + anyTensor, Results: "output is tensor", Attrs: "new_shape: ints", Verify: reshaped},
		{Name: "reverse", Operands: "input is " + anyTensor, Results: "output is " + anyTensor, Rules: "elem(input, output)", Attrs: oneAxis, Verify: reversed},
		{Name: "slice", Operands: "input is tensor", Results: "output is tensor", Attrs: "start: ints, size: ints", Verify: sliced},
		{Name: "tile", Operands: "input is " + anyTensor, Results: "output is " + anyTensor, Attrs: "multiples: ints", Verify: tiled},
		{Name: "transpose", Operands: "input is " + anyTensor + ", perms is tensor*(i32 | i64)", Results: "output is " + anyTensor,
			Rules: "elem(input, output)", Verify: transposed},
		{Name: "gather", Operands: "values is tensor(3), indices is " + places, Results: "output is tensor*(3)", Rules: "elem(values, output)", Verify: gathered},
		{Name: "scatter", Operands: "values_in is tensor(3), indices is " + places + ", input is tensor(3)", Results: "values_out is tensor*(3)",
			Rules: "elem(values_in, input, values_out)", Verify: scattered},
		{Name: "resize", Operands: "input is " + picture, Results: "output is tensor*(4)",
			Attrs: "scale: ints(4), offset: ints(2), border: ints(2), mode: str"},
		{Name: "cast", Operands: "input is " + anyTensor, Results: "output is " + anyTensor, Rules: "shape(input, output)"},
		{Name: "rescale", Operands: "input is " + anyTensor, Results: "output is " + anyTensor, Rules: "shape(input, output)",
			Attrs: "input_zp: i32, output_zp: i32, multiplier: any, shift: any, scale32: bool, double_round: bool, per_channel: bool"},
		{Name: "identity", Operands: "input is " + anyTensor, Results: "output is " + anyTensor, Rules: "shape(input, output), elem(input, output)"},
		{Name: "custom", Operands: "inputs* is " + anyTensor, Results: "outputs* is " + anyTensor,
			Attrs: "operator_name: str, domain_name: str, implementation_attrs: str"},
		{Name: "apply_scale", Operands: "value, multiplier is i32 | vector(i32), shift is i8 | vector(i8)", Results: "output is i32 | vector(i32)",
			Attrs: "double_round: bool"},
	}
	for _, name := range []string{"erf", "sigmoid", "tanh", "abs", "bitwise_not", "ceil", "clz", "cos", "exp", "floor",
		"log", "logical_not", "reciprocal", "rsqrt", "sin"} {
		ops = append(ops, assembly.Op{Name: name, Operands: "input is " + unary(name), Results: "output is " + anyTensor,
			Rules: "broadcast(input, output), elem(input, output)"})
	}
	for _, name := range []string{"add", "sub", "maximum", "minimum", "pow", "bitwise_and", "bitwise_or", "bitwise_xor", "int_div",
		"logical_and", "logical_or", "logical_xor", "logical_left_shift", "logical_right_shift"} {
		ops = append(ops, assembly.Op{Name: name, Operands: "a is " + anyTensor + ", b is " + anyTensor, Results: "output is " + anyTensor,
			Rules: "broadcast(a, b, output), elem(a, b, output)"})
	}
	for _, name := range []string{"equal", "greater", "greater_equal"} {
		ops = append(ops, assembly.Op{Name: name, Operands: "a is " + anyTensor + ", b is " + anyTensor, Results: "output is " + truth,
			Rules: "broadcast(a, b, output), elem(a, b)"})
	}
	for _, name := range []string{"all", "any", "max", "min", "prod", "sum"} {
		ops = append(ops, assembly.Op{Name: "reduce_" + name, Operands: "input is " + anyTensor, Results: "output is " + anyTensor,
			Rules: "elem(input, output)", Attrs: oneAxis, Verify: reduced})
	}
	return ops
}

// unary is the class of an operation of one operand.
func unary(name string) string {
	switch name {
	case "bitwise_not", "clz":
		return integer
	case "logical_not":
		return truth
	}
	return number
}
