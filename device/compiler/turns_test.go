package compiler_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

// while is a loop that adds one to %x while a condition %p on %i and %n holds; next is what makes %j, the next %i.
func while(start int, condition, next string) string {
	return fmt.Sprintf(`func.func @main(%%a: tensor<1xf32>, %%in: tensor<i32>) -> tensor<1xf32> {
		%%start = arith.constant %d : i32
		%%n = arith.constant 40 : i32
		%%two = arith.constant 2 : i32
		%%one = arith.constant dense<1.0> : tensor<1xf32>
		%%given = tensor.extract %%in[] : tensor<i32>
		%%r:3 = scf.while (%%i = %%start, %%x = %%a, %%k = %%two) : (i32, tensor<1xf32>, i32) -> (i32, tensor<1xf32>, i32) {
			%s
			scf.condition(%%p) %%i, %%x, %%k : i32, tensor<1xf32>, i32
		} do {
		^bb0(%%i: i32, %%x: tensor<1xf32>, %%k: i32):
			%%y = "aten.add.Tensor"(%%x, %%one) {alpha = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
			%s
			scf.yield %%j, %%y, %%l : i32, tensor<1xf32>, i32
		}
		return %%r#1 : tensor<1xf32> }`, start, condition, next)
}

// TestTurns: how often a group runs is known where a condition depends on constants and what turns make of them, and is
// what a run does; where it depends on an input, it is not.
func TestTurns(t *testing.T) {
	const less, more = "%p = arith.cmpi slt, %i, %n : i32", "%j = arith.addi %i, %two : i32\n%l = arith.addi %k, %two : i32"
	for name, c := range map[string]struct {
		text string
		want int // turns, 0 for those that nobody knows
	}{
		"counter":              {while(0, less, more), 20},
		"uneven counter":       {while(1, less, more), 20},
		"product":              {while(1, less, "%j = arith.muli %i, %two : i32\n%l = arith.addi %k, %two : i32"), 6},
		"down":                 {while(50, "%p = arith.cmpi sgt, %i, %n : i32", "%j = arith.subi %i, %two : i32\n%l = arith.addi %k, %two : i32"), 5},
		"two numbers":          {while(0, less, "%j = arith.addi %i, %k : i32\n%l = arith.addi %k, %two : i32"), 6}, // 2, 6, 12, 20, 30, 42
		"limit of an input":    {while(0, "%p = arith.cmpi slt, %i, %given : i32", more), 0},
		"counter by an input":  {while(0, less, "%j = arith.addi %i, %given : i32\n%l = arith.addi %k, %two : i32"), 0},
		"condition on results": {while(0, "%c0 = arith.constant 0 : index\n%e = tensor.extract %x[%c0] : tensor<1xf32>\n%f = arith.fptosi %e : f32 to i32\n%p = arith.cmpi slt, %f, %n : i32", more), 0},
	} {
		module, err := mlir.Parse("x.mlir", []byte(c.text))
		require.NoError(t, err, name)
		require.NoError(t, mlir.Verify(module), name)
		exe, err := compiler.Compile(context.Background(), module)
		require.NoError(t, err, name)
		groups := exe.Groups()
		if turns := groups[len(groups)-1].Turns; c.want == 0 {
			require.True(t, turns.Open, name)
		} else {
			require.False(t, turns.Open, name)
			require.Equal(t, c.want, turns.Calls*turns.Each, name)
			out, err := exe.Run(context.Background(), []*buf.Buffer{f32(0), buf.From([]int32{9})})
			require.NoError(t, err, name)
			require.Equal(t, int64(c.want), out[0].Int64(0), name)
		}
		exe.Close()
	}
}

// TestNoTurns: a loop that never begins gives what it is given.
func TestNoTurns(t *testing.T) {
	const less, more = "%p = arith.cmpi slt, %i, %n : i32", "%j = arith.addi %i, %two : i32\n%l = arith.addi %k, %two : i32"
	out, err := runText(context.Background(), while(40, less, more), f32(3), buf.From([]int32{9}))
	require.NoError(t, err)
	require.Equal(t, int64(3), out[0].Int64(0))
}
