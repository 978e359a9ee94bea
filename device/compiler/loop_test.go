package compiler_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// writing is a loop of four turns that carries three tensors and the number of a row, from 0 on. A turn computes %p, which
// is %x with %row in the row of that number, and %q, which is %y with %other in row 0, and yields some of %x to %q.
func writing(rows, columns int, yields string) string {
	return fmt.Sprintf(`func.func @main(%%a: %[1]s, %%b: %[1]s, %%row: %[2]s, %%other: %[2]s, %%zero: tensor<1xi64>, %%one: tensor<1xi64>) -> (%[1]s, %[1]s, %[1]s) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c4 = arith.constant 4 : index
  %%r:4 = scf.for %%i = %%c0 to %%c4 step %%c1 iter_args(%%x = %%a, %%y = %%b, %%z = %%b, %%at = %%zero) -> (%[1]s, %[1]s, %[1]s, tensor<1xi64>) {
    %%p = "aten.index_copy"(%%x, %%at, %%row) {dim = 0 : i64} : (%[1]s, tensor<1xi64>, %[2]s) -> %[1]s
    %%q = "aten.index_copy"(%%y, %%zero, %%other) {dim = 0 : i64} : (%[1]s, tensor<1xi64>, %[2]s) -> %[1]s
    %%next = "aten.add.Tensor"(%%at, %%one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    scf.yield %[3]s, %%next : %[1]s, %[1]s, %[1]s, tensor<1xi64>
  }
  return %%r#0, %%r#1, %%r#2 : %[1]s, %[1]s, %[1]s
}`, fmt.Sprintf("tensor<%dx%dxf32>", rows, columns), fmt.Sprintf("tensor<1x%dxf32>", columns), yields)
}

// TestLoopsWriteInPlace: a turn writes a row in the memory of the earlier turn where nothing but the result needs the
// tensor, and nowhere else. The results are computed by hand.
func TestLoopsWriteInPlace(t *testing.T) {
	const rows, columns = 4, 3
	of := func(list ...float32) *buf.Buffer {
		var all []float32
		for _, v := range list {
			all = append(all, v, v, v)
		}
		return buf.From(all, len(list), columns)
	}
	zero, one := buf.From([]int64{0}, 1), buf.From([]int64{1}, 1)
	for _, c := range []struct {
		yields  string
		x, y, z *buf.Buffer
	}{
		{"%p, %q, %z", of(7, 7, 7, 7), of(9, 2, 2, 2), of(2, 2, 2, 2)},
		{"%q, %p, %z", of(9, 1, 7, 1), of(9, 7, 2, 7), of(2, 2, 2, 2)},
		{"%p, %x, %z", of(7, 7, 7, 7), of(7, 7, 7, 1), of(2, 2, 2, 2)},
		{"%p, %p, %q", of(7, 7, 7, 7), of(7, 7, 7, 7), of(9, 7, 7, 1)},
		{"%x, %q, %p", of(1, 1, 1, 1), of(9, 2, 2, 2), of(1, 1, 1, 7)},
	} {
		exe := compile(t, writing(rows, columns, c.yields))
		a, b := of(1, 1, 1, 1), of(2, 2, 2, 2)
		for range 2 {
			require.Equal(t, values(c.x, c.y, c.z), values(run(t, exe, a, b, of(7), of(9), zero, one)...), c.yields)
			require.Equal(t, values(c.x), values(run(t, exe, a, a, of(7), of(9), zero, one)[0]), c.yields)
			require.Equal(t, values(of(1, 1, 1, 1), of(2, 2, 2, 2)), values(a, b), c.yields)
		}
	}
}

func values(list ...*buf.Buffer) (all [][]float32) {
	for _, b := range list {
		all = append(all, buf.Slice[float32](b))
	}
	return all
}

// TestLoopsCopyNothing: a loop that writes rows of a tensor takes the memory of the tensor once, whether the loop counts
// or has a condition.
func TestLoopsCopyNothing(t *testing.T) {
	const rows, columns = 64, 1 << 14
	const conditional = `func.func @main(%a: tensor<64x16384xf32>, %row: tensor<1x16384xf32>, %zero: tensor<1xi64>, %one: tensor<1xi64>) -> tensor<64x16384xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %turns = arith.constant 8 : index
  %r:3 = scf.while (%i = %c0, %x = %a, %at = %zero) : (index, tensor<64x16384xf32>, tensor<1xi64>) -> (index, tensor<64x16384xf32>, tensor<1xi64>) {
    %more = arith.cmpi slt, %i, %turns : index
    scf.condition(%more) %i, %x, %at : index, tensor<64x16384xf32>, tensor<1xi64>
  } do {
  ^bb0(%i: index, %x: tensor<64x16384xf32>, %at: tensor<1xi64>):
    %j = arith.addi %i, %c1 : index
    %p = "aten.index_copy"(%x, %at, %row) {dim = 0 : i64} : (tensor<64x16384xf32>, tensor<1xi64>, tensor<1x16384xf32>) -> tensor<64x16384xf32>
    %next = "aten.add.Tensor"(%at, %one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    scf.yield %j, %p, %next : index, tensor<64x16384xf32>, tensor<1xi64>
  }
  return %r#1 : tensor<64x16384xf32>
}`
	a := buf.New(dtype.F32, []int{rows, columns})
	row, zero, one := buf.New(dtype.F32, []int{1, columns}), buf.From([]int64{0}, 1), buf.From([]int64{1}, 1)
	for _, c := range []struct {
		text   string
		inputs []*buf.Buffer
		values uint64
	}{
		{writing(rows, columns, "%p, %q, %z"), []*buf.Buffer{a, a, row, row, zero, one}, 2},
		{conditional, []*buf.Buffer{a, row, zero, one}, 1},
	} {
		exe := compile(t, c.text)
		run(t, exe, c.inputs...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := exe.Run(context.Background(), c.inputs)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, 2*c.values*rows*columns*4, "bytes of two buffers for each value: %s", c.text)
	}
}
