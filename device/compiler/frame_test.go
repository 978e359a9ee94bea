package compiler_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// doubling is a loop of four turns between two groups: 16·(-a) of 4096 elements, and -a.
const doubling = `func.func @main(%a: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = "aten.neg"(%a) : (tensor<4096xf32>) -> tensor<4096xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %0) -> (tensor<4096xf32>) {
    %3 = "aten.add.Tensor"(%x, %x) : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
    scf.yield %3 : tensor<4096xf32>
  }
  return %1, %0 : tensor<4096xf32>, tensor<4096xf32>
}`

// TestRunsShareMemory: later runs of a program of several groups compute in the memory of earlier ones, apart from the
// memory of results, which belong to the caller.
func TestRunsShareMemory(t *testing.T) {
	ctx := context.Background()
	exe := compile(t, doubling)
	input := func(x float32) *buf.Buffer { return buf.From(slices.Repeat([]float32{x}, 4096), 4096) }
	given := []*buf.Buffer{input(0), input(0)}
	require.NoError(t, exe.RunInto(ctx, []*buf.Buffer{input(1)}, given))
	x := []*buf.Buffer{input(3)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const runs = 50
	for range runs {
		require.NoError(t, exe.RunInto(ctx, x, given))
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(runs*4096), "bytes of a quarter of one value in each run")
	require.Equal(t, slices.Repeat([]float32{-48}, 4096), buf.Slice[float32](given[0]))

	var all [][]*buf.Buffer
	for i := range 5 {
		all = append(all, run(t, exe, input(float32(i))))
		require.NoError(t, exe.RunInto(ctx, x, given))
	}
	for i, results := range all {
		require.Equal(t, slices.Repeat([]float32{-16 * float32(i)}, 4096), buf.Slice[float32](results[0]), i)
		require.Equal(t, slices.Repeat([]float32{-float32(i)}, 4096), buf.Slice[float32](results[1]), i)
	}
}

// TestRunsAtOnce: runs that go on beside each other have memory of their own.
func TestRunsAtOnce(t *testing.T) {
	exe := compile(t, doubling)
	done := make(chan []float32)
	const goroutines = 4
	for g := range goroutines {
		go func() {
			x := buf.From(slices.Repeat([]float32{float32(g)}, 4096), 4096)
			var wrong []float32
			for range 50 {
				out, err := exe.Run(context.Background(), []*buf.Buffer{x})
				if err != nil {
					wrong = append(wrong, -1)
					break
				}
				for _, v := range buf.Slice[float32](out[0]) {
					if v != -16*float32(g) {
						wrong = append(wrong, v)
					}
				}
			}
			done <- wrong
		}()
	}
	for range goroutines {
		require.Empty(t, <-done)
	}
}

// TestConditionalLoopKeepsNothing: what a run leaves behind does not grow with the turns of a loop with a condition.
func TestConditionalLoopKeepsNothing(t *testing.T) {
	exe := compile(t, `func.func @main(%a: tensor<16384xf32>) -> tensor<16384xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %turns = arith.constant 200 : index
  %0:2 = scf.while (%i = %c0, %x = %a) : (index, tensor<16384xf32>) -> (index, tensor<16384xf32>) {
    %more = arith.cmpi slt, %i, %turns : index
    scf.condition(%more) %i, %x : index, tensor<16384xf32>
  } do {
  ^bb0(%i: index, %x: tensor<16384xf32>):
    %j = arith.addi %i, %c1 : index
    %y = "aten.add.Tensor"(%x, %a) : (tensor<16384xf32>, tensor<16384xf32>) -> tensor<16384xf32>
    scf.yield %j, %y : index, tensor<16384xf32>
  }
  return %0#1 : tensor<16384xf32>
}`)
	x := buf.From(slices.Repeat([]float32{2}, 1<<14), 1<<14)
	results := []*buf.Buffer{x.Clone()}
	before := inUse()
	require.NoError(t, exe.RunInto(context.Background(), []*buf.Buffer{x}, results))
	require.Less(t, inUse(), before+20*4<<14, "bytes of a tenth of the turns")
	require.Equal(t, slices.Repeat([]float32{2 * 201}, 1<<14), buf.Slice[float32](results[0]))
	runtime.KeepAlive(append(results, x))
	runtime.KeepAlive(exe)
}

// inUse are the bytes of the heap that something refers to.
func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one finalized
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestLargeValuesAreFreed: a program keeps no memory between runs where its values are large.
func TestLargeValuesAreFreed(t *testing.T) {
	exe := compile(t, strings.ReplaceAll(doubling, "4096", "393216"))
	x := buf.From(make([]float32, 393216), 393216)
	results := []*buf.Buffer{x.Clone(), x.Clone()}
	before := inUse()
	require.NoError(t, exe.RunInto(context.Background(), []*buf.Buffer{x}, results))
	require.Less(t, inUse(), before+1<<20)
	runtime.KeepAlive(append(results, x))
	runtime.KeepAlive(exe)
}
