package tileexact_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// TestHalfWords: rows, values of rows and arrays that repeat, all of elements shorter than a word and in odd numbers,
// travel in whole words and give the same results as on the host.
func TestHalfWords(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 13))
	const rows, cols = 29, 13
	kernels := []kernel.Kernel{softmax(rows, cols, dtype.BF16)}
	for _, d := range []dtype.DType{dtype.I16, dtype.I8} {
		b := kernel.NewBody()
		b.Store(2, b.Emit(kernel.Instr{Op: kernel.Add, Type: d, A: b.Load(0, d), B: b.Load(1, d)}))
		kernels = append(kernels, extremes(rows, cols, d), &kernel.Nest{Name: fmt.Sprintf("points of %v", d), Outer: []int{rows, cols}, Inner: []int{},
			Access: []kernel.Access{
				{Port: port(d, rows*cols, false), Outer: []int{cols, 1}, Inner: []int{}},
				{Port: port(d, cols, false), Outer: []int{0, 1}, Inner: []int{}},
				{Port: port(d, rows*cols, true), Outer: []int{cols, 1}, Inner: []int{}}}, Stages: []kernel.Stage{{Body: b.Body()}}})
	}
	for _, name := range []string{"npu1", "vck190"} {
		for _, k := range kernels {
			c := &tileexact.Checker{Machine: machinetest.Preset(t, name), Native: native.Compile}
			v := check(t, c, k, r)
			require.NoError(t, v.Err, "%v on %s: %v", v.Kernel, name, v.Mapping)
			require.Empty(t, v.Skipped, "%v on %s", v.Kernel, name)
			require.Positive(t, v.Elements)
			require.Zero(t, v.Differ, "%v on %s: %v", v.Kernel, name, v.Mapping)
		}
	}
}
