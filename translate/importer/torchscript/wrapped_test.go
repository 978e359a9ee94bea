package torchscript

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestWrappedNumbers: what tracing writes as constants without dimensions counts as Python's numbers do. c0 is 4 and c1
// is 2.5; what PyTorch 2.14 gives for them stands in pairs: of a tensor without dimensions and of a vector, of each
// type.
func TestWrappedNumbers(t *testing.T) {
	types := []dtype.DType{dtype.U8, dtype.I8, dtype.I32, dtype.F16, dtype.BF16, dtype.F32, dtype.F64}
	for _, c := range []struct{ expression, want string }{
		{`torch.mul(x, CONSTANTS.c1)`, "f32 167.5; f32 167.5; f32 167.5; f32 167.5; f32 167.5; f32 167.5; f16 0.75; f16 0.75; bf16 0.75; bf16 0.75; f32 0.75; f32 0.75; f64 0.75; f64 0.75"},
		{`torch.mul(x, CONSTANTS.c0)`, "u8 12.0; u8 12.0; i8 12.0; i8 12.0; i32 268.0; i32 268.0; f16 1.2001953125; f16 1.2001953125; bf16 1.203125; bf16 1.203125; f32 1.2000000476837158; f32 1.2000000476837158; f64 1.2; f64 1.2"},
		{`torch.add(x, CONSTANTS.c1, alpha=2)`, "f32 72.0; f32 72.0; f32 72.0; f32 72.0; f32 72.0; f32 72.0; f16 5.30078125; f16 5.30078125; bf16 5.3125; bf16 5.3125; f32 5.300000190734863; f32 5.300000190734863; f64 5.3; f64 5.3"},
		{`torch.sub(x, CONSTANTS.c0)`, "u8 63.0; u8 63.0; i8 63.0; i8 63.0; i32 63.0; i32 63.0; f16 -3.69921875; f16 -3.69921875; bf16 -3.703125; bf16 -3.703125; f32 -3.700000047683716; f32 -3.700000047683716; f64 -3.7; f64 -3.7"},
		{`torch.div(x, CONSTANTS.c0)`, "f32 16.75; f32 16.75; f32 16.75; f32 16.75; f32 16.75; f32 16.75; f16 0.07501220703125; f16 0.07501220703125; bf16 0.0751953125; bf16 0.0751953125; f32 0.07500000298023224; f32 0.07500000298023224; f64 0.075; f64 0.075"},
		{`torch.floor_divide(x, CONSTANTS.c0)`, "u8 16.0; u8 16.0; i8 16.0; i8 16.0; i32 16.0; i32 16.0; f16 0.0; f16 0.0; bf16 0.0; bf16 0.0; f32 0.0; f32 0.0; f64 0.0; f64 0.0"},
		{`torch.div(x, CONSTANTS.c1, rounding_mode="floor")`, "f32 26.0; f32 26.0; f32 26.0; f32 26.0; f32 26.0; f32 26.0; f16 0.0; f16 0.0; bf16 0.0; bf16 0.0; f32 0.0; f32 0.0; f64 0.0; f64 0.0"},
		{`torch.mul(CONSTANTS.c1, x)`, "f32 167.5; f32 167.5; f32 167.5; f32 167.5; f32 167.5; f32 167.5; f16 0.75; f16 0.75; bf16 0.75; bf16 0.75; f32 0.75; f32 0.75; f64 0.75; f64 0.75"},
		{`torch.sub(CONSTANTS.c0, x)`, "u8 193.0; u8 193.0; i8 -63.0; i8 -63.0; i32 -63.0; i32 -63.0; f16 3.69921875; f16 3.69921875; bf16 3.703125; bf16 3.703125; f32 3.700000047683716; f32 3.700000047683716; f64 3.7; f64 3.7"},
		{`torch.div(CONSTANTS.c0, x)`, "f32 0.05970149114727974; f32 0.05970149114727974; f32 0.05970149114727974; f32 0.05970149114727974; f32 0.05970149114727974; f32 0.05970149114727974; f16 13.328125; f16 13.328125; bf16 13.3125; bf16 13.3125; f32 13.333333015441895; f32 13.333333015441895; f64 13.333333333333334; f64 13.333333333333334"},
		{`torch.floor_divide(CONSTANTS.c0, x)`, "u8 0.0; u8 0.0; i8 0.0; i8 0.0; i32 0.0; i32 0.0; f16 13.0; f16 13.0; bf16 13.0; bf16 13.0; f32 13.0; f32 13.0; f64 13.0; f64 13.0"},
		{`torch.mul_(x, CONSTANTS.c0)`, "u8 12.0; u8 12.0; i8 12.0; i8 12.0; i32 268.0; i32 268.0; f16 1.2001953125; f16 1.2001953125; bf16 1.203125; bf16 1.203125; f32 1.2000000476837158; f32 1.2000000476837158; f64 1.2; f64 1.2"},
	} {
		for i, want := range strings.Split(c.want, "; ") {
			x := buf.New(types[i/2], [][]int{{}, {1}}[i%2])
			x.SetFloat64(0, 0.3)
			if x.DType.IsInt() {
				x.SetInt64(0, 67)
			}
			what := fmt.Sprintf("%s of %v%v", c.expression, x.DType, x.Shape)
			m, err := read(moduleArchive(t, "    return "+c.expression+"\n"))
			require.NoError(t, err)
			module, err := m.Specialize([]*buf.Buffer{x}, onHost)
			require.NoError(t, err, what)
			out, err := onHost(module, []*buf.Buffer{x})
			require.NoError(t, err, what)
			name, number, _ := strings.Cut(want, " ")
			require.Equal(t, name, out[0].DType.String(), what)
			value, err := strconv.ParseFloat(number, 64)
			require.NoError(t, err)
			require.Equal(t, value, out[0].Float64(0), what)
		}
	}
}

// TestWrappedArguments: an overload that takes tensors takes numbers as Python wraps them, which decompositions of
// torch.export write: 3 - x is sub.Tensor(3, x). The results come from torch.ops.aten in PyTorch 2.14.
func TestWrappedArguments(t *testing.T) {
	types := []dtype.DType{dtype.I8, dtype.I32, dtype.F16, dtype.BF16, dtype.F32, dtype.F64}
	for _, c := range []struct {
		target string
		number any
		rest   []any
		want   string
	}{
		{"sub.Tensor", fields{"as_float": 0.7}, []any{"*", "alpha", fields{"as_int": 2}}, "f32 -133.3000030517578; f32 -133.3000030517578; f16 0.10009765625; bf16 0.09765625; f32 0.09999996423721313; f64 0.09999999999999998"},
		{"sub.Tensor", fields{"as_int": 7}, []any{"*", "alpha", fields{"as_int": 2}}, "i8 -127; i32 -127; f16 6.3984375; bf16 6.40625; f32 6.400000095367432; f64 6.4"},
		{"div.Tensor", fields{"as_float": 0.7}, nil, "f32 0.010447761043906212; f32 0.010447761043906212; f16 2.333984375; bf16 2.328125; f32 2.3333332538604736; f64 2.3333333333333335"},
		{"mul.Tensor", fields{"as_bool": true}, nil, "i8 67.0; i32 67.0; f16 0.300048828125; bf16 0.30078125; f32 0.30000001192092896; f64 0.3"},
	} {
		for i, want := range strings.Split(c.want, "; ") {
			for _, dims := range [][]int{{}, {1}} {
				x := buf.New(types[i], dims)
				x.SetFloat64(0, 0.3)
				if x.DType.IsInt() {
					x.SetInt64(0, 67)
				}
				for _, args := range [][]any{{"self", c.number, "other", tensorOf("x")}, {"self", c.number, "*", "other", tensorOf("x"), "*"}} {
					p := newProgram()
					p.input("x", x.DType, dims...)
					p.call("torch.ops.aten."+c.target, "y", append(args, c.rest...)...)
					p.output("user_output", "y")
					out := runProgram(t, p.archive(t), x)
					name, number, _ := strings.Cut(want, " ")
					value, err := strconv.ParseFloat(number, 64)
					require.NoError(t, err)
					require.Equal(t, name, out[0].DType.String())
					require.Equal(t, value, out[0].Float64(0), "%s of %v and %v", c.target, c.number, x.DType)
				}
			}
		}
	}
}

// TestWrappedTruth: True beside truths stays a truth.
func TestWrappedTruth(t *testing.T) {
	p := newProgram()
	p.input("x", dtype.Bool, 2)
	p.call("torch.ops.aten.mul.Tensor", "y", "self", fields{"as_bool": true}, "other", tensorOf("x"))
	p.output("user_output", "y")
	out := runProgram(t, p.archive(t), buf.From([]bool{true, false}, 2))
	require.Equal(t, []bool{true, false}, buf.Slice[bool](out[0]))
}

// TestNumbersInTensors: numbers that a traced program carries in tensors are computed in the type that they have.
func TestNumbersInTensors(t *testing.T) {
	requireBody(t, "n = torch.mul(ops.prim.NumToTensor(torch.size(x, 1)), CONSTANTS.c1)\n"+
		"    assert ops.prim.dtype(n) == 6\n    return n", []float64{7.5}, 0)
	third := "torch.div(torch.to(ops.prim.NumToTensor(1), 6), 3)"
	requireBody(t, "return "+third, []float64{float64(float32(1) / 3)}, 0)
	requireBody(t, "y = torch.gt(torch.to(ops.prim.NumToTensor(0.1), 6), 0.1)\n    return torch.to(y, 4)", []float64{0}, 0) // of f32 both
}

// TestComplexOperands: a complex number beside float64 is complex128, and complex64 beside other types; it keeps its
// parts. The types are those of (2 - 3j) - x in PyTorch 2.14.
func TestComplexOperands(t *testing.T) {
	for of, want := range map[dtype.DType]dtype.DType{dtype.I64: dtype.C64, dtype.BF16: dtype.C64, dtype.F32: dtype.C64, dtype.F64: dtype.C128, dtype.C64: dtype.C64} {
		d := resultType([]operand{{of, true}, {numberTensor(2 - 3i).dtype, false}})
		require.Equal(t, want, d, of)
		require.Equal(t, 2-3i, scalarBuffer(rounded(2-3i, d).number, d).Complex(0))
	}
}
