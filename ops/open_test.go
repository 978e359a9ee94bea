package ops_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// openModule is sampleModule with argument i of the call as the last input; nil if the call has
// no such form. closed is the same without an open argument.
func openModule(c *ops.Call, i int) (open, closed *mlir.Operation) {
	module := func(open bool) *mlir.Operation {
		k := *c
		k.Args = append([]ops.Arg(nil), c.Args...)
		var inputs, results []mlir.Type
		c.Each(func(v ops.Value) { inputs = append(inputs, mlir.Tensor(v.Type().DType, v.Type().Shape)) })
		number := &mlir.Value{}
		if open {
			t := ops.OpenType(c.Args[i].Kind)
			inputs = append(inputs, mlir.Tensor(t.DType, t.Shape))
			number.Type = inputs[len(inputs)-1]
			k.Args[i] = ops.OpenArg(c.Args[i].Kind, ops.IRValue{V: number})
		}
		for _, o := range c.Out {
			results = append(results, mlir.Tensor(o.DType, o.Shape))
		}
		m := mlir.NewModule()
		f := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
			{Name: "sym_name", Value: mlir.StringAttr("main")},
			{Name: "function_type", Value: mlir.TypeAttr{Type: mlir.FunctionType{Inputs: inputs, Results: results}}},
		})
		m.Body().Append(f)
		block := f.AddRegion().AddBlock(inputs...)
		next := -1
		call := k.Operation(func(v ops.Value) *mlir.Value {
			if w, ok := v.(ops.IRValue); ok && w.V == number {
				return block.Args[len(inputs)-1]
			}
			next++
			return block.Args[next]
		})
		block.Append(call)
		block.Append(mlir.NewOp("func.return", call.Results, nil, nil))
		return m
	}
	return module(true), module(false)
}

// folded are the arguments whose constants are computed in a way of their own: an exponent of
// 2 is a product.
var folded = map[string]bool{"pow.Tensor_Scalar exponent": true}

// mustBeOpen are arguments that programs vary from step to step.
var mustBeOpen = []string{"mul.Scalar other", "add.Scalar other", "sub.Scalar other", "div.Scalar other",
	"add.Tensor alpha", "rsub.Scalar other", "pow.Tensor_Scalar exponent", "full fill_value", "full_like fill_value",
	"clamp min", "clamp max", "select.int index", "slice.Tensor start", "narrow start", "select_scatter index",
	"slice_scatter start", "masked_fill.Scalar value", "lt.Scalar other", "eq.Scalar other", "addcmul value",
	"addcdiv value", "lerp.Scalar weight", "leaky_relu negative_slope", "addmm alpha", "fill.Scalar value",
	"remainder.Scalar other", "where.ScalarOther other", "threshold value"}

// TestOpen runs every sample of every operator with each of its numbers as an input of the
// program, where that can be, and wants the bits of the program that has it as a constant.
func TestOpen(t *testing.T) {
	opened := map[string]bool{}
	for _, op := range ops.All() {
		if op.IsInplace() || op.Samples == nil || op.Draws {
			continue
		}
		for _, s := range op.Samples() {
			c, err := op.NewCall(s.Args(rand.New(rand.NewPCG(1, 2)))...)
			if err != nil {
				continue
			}
			for i, q := range op.Parsed().Params {
				if name := op.Name() + " " + q.Name; c.Opens(i) && compareOpen(t, name, c, i) {
					opened[name] = true
				}
			}
		}
	}
	for _, name := range mustBeOpen {
		if !opened[name] {
			t.Errorf("%s is not an input", name)
		}
	}
}

// compareOpen reports whether argument i may be open, and fails if that gives other bits.
func compareOpen(t *testing.T, name string, c *ops.Call, i int) bool {
	open, closed := openModule(c, i)
	exe, err := compiler.Compile(context.Background(), open)
	var known *ops.OpenError
	if errors.As(err, &known) {
		return false
	}
	require.NoError(t, err, name)
	defer exe.Close()
	want, err := compiler.Compile(context.Background(), closed)
	require.NoError(t, err, name)
	defer want.Close()
	var inputs []*buf.Buffer
	c.Each(func(v ops.Value) { inputs = append(inputs, v.(ops.BufferValue).Buffer) })
	number := buf.New(ops.OpenType(c.Args[i].Kind).DType, nil)
	if c.Args[i].Kind == ops.KindInt {
		number.SetInt64(0, int64(c.Args[i].Int()))
	} else {
		number.SetFloat64(0, c.Args[i].Float())
	}
	expected, err := want.Run(context.Background(), inputs)
	require.NoError(t, err, name)
	got, err := exe.Run(context.Background(), append(inputs, number))
	require.NoError(t, err, name)
	for k := range got {
		if !folded[name] {
			require.Equal(t, expected[k].Bytes(), got[k].Bytes(), "%s of result %d", name, k)
		}
	}
	return true
}

// TestOpenText reads open arguments from text, and refuses what does not fit.
func TestOpenText(t *testing.T) {
	const head = `module { func.func @main(%a: tensor<4xf32>, %s: tensor<f64>, %i: tensor<i64>) -> tensor<4xf32> {
`
	const tail = `
 return %0 : tensor<4xf32> } }`
	for line, right := range map[string]bool{
		`%0 = "aten.mul.Scalar"(%a, %s) {open = ["other"]} : (tensor<4xf32>, tensor<f64>) -> tensor<4xf32>`:                  true,
		`%0 = "aten.mul.Scalar"(%a, %i) {open = ["other"]} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>`:                  true,
		`%0 = "aten.mul.Scalar"(%a, %a) {open = ["other"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:                false,
		`%0 = "aten.mul.Scalar"(%a, %s) {open = ["self"]} : (tensor<4xf32>, tensor<f64>) -> tensor<4xf32>`:                   false,
		`%0 = "aten.mul.Scalar"(%a, %s) {open = ["none"]} : (tensor<4xf32>, tensor<f64>) -> tensor<4xf32>`:                   false,
		`%0 = "aten.mul.Scalar"(%a, %s) : (tensor<4xf32>, tensor<f64>) -> tensor<4xf32>`:                                     false,
		`%0 = "aten.mul.Scalar"() {open = ["other"]} : () -> tensor<4xf32>`:                                                  false,
		`%0 = "aten.slice.Tensor"(%a, %i) {open = ["start"]} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>`:                true,
		`%0 = "aten.slice.Tensor"(%a, %i) {open = ["dim"]} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>`:                  false,
		`%0 = "aten.slice.Tensor"(%a, %s) {open = ["start"]} : (tensor<4xf32>, tensor<f64>) -> tensor<4xf32>`:                false,
		`%0 = "aten.slice.Tensor"(%a, %i) {open = ["start"], end = 2 : i64} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>`: true,
		`%x = "aten.slice.Tensor"(%a, %i) {open = ["start"]} : (tensor<4xf32>, tensor<i64>) -> tensor<9xf32>
		 %0 = "aten.slice.Tensor"(%x) {end = 4 : i64} : (tensor<9xf32>) -> tensor<4xf32>`: false,
		`%x = "aten.slice.Tensor"(%a, %i) {open = ["start"]} : (tensor<4xf32>, tensor<i64>) -> tensor<4x1xf32>
		 %0 = "aten.squeeze"(%x) : (tensor<4x1xf32>) -> tensor<4xf32>`: false,
	} {
		m, err := mlir.Parse("open.mlir", []byte(head+line+tail))
		if err == nil {
			var exe *compiler.Executable
			if exe, err = compiler.Compile(context.Background(), m); err == nil {
				exe.Close()
			}
		}
		require.Equal(t, right, err == nil, "%s: %v", line, err)
	}
}
