package nest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestManyPorts: a nest with more ports than there are registers for addresses has code: one whose lanes run along rows
// that do not follow each other in memory, and one whose lanes run along the outer loop.
func TestManyPorts(t *testing.T) {
	const inputs, planes, rows, columns = 20, 3, 5, 21
	for _, n := range []*kernel.Nest{
		manyPorts(inputs, []int{4, planes, rows, columns}, func(padded int) (steps []int) {
			row := columns + padded
			return []int{rows * row, 4 * rows * row, row, 1}
		}),
		manyPorts(inputs, []int{40, planes, rows, columns}, func(padded int) (steps []int) {
			return []int{1, (rows + padded) * columns * 48, columns * 48, 48}
		}),
	} {
		for _, f := range kerneltest.Levels() {
			code, err := compile(n, f)
			require.NoError(t, err, "%v\n%s", f, n)
			if kerneltest.Executes(f) {
				require.NoError(t, kerneltest.Check(rand.New(rand.NewPCG(1, 2)), n, code, 4), "%v\n%s", f, n)
			}
			code.Close()
		}
	}
}

// manyPorts is a nest that sums its inputs over all inner points, and writes the largest input less the sum. The first
// extent is the outer loop's. Strides are given; every third port is padded, the others are not.
func manyPorts(inputs int, extents []int, strides func(padded int) []int) *kernel.Nest {
	first, last := kernel.NewBody(), kernel.NewBody()
	sum, written := first.Load(0, dtype.F32), last.Load(0, dtype.F32)
	for i := 1; i < inputs; i++ {
		sum = first.Binary(kernel.Add, sum, first.Load(i, dtype.F32))
		written = last.Binary(kernel.Max, written, last.Load(i, dtype.F32))
	}
	last.Store(inputs, last.Binary(kernel.Sub, written, last.Acc(0, 0, dtype.F32)))
	n := &kernel.Nest{Name: "many", Outer: extents[:1], Inner: extents[1:], Stages: []kernel.Stage{
		{Body: first.Body(), Reduce: []kernel.Reduction{{Value: sum, Type: dtype.F32}}}, {Body: last.Body()}}}
	for i := range inputs + 1 {
		padded := 0
		if i%3 == 2 {
			padded = 2
		}
		steps, length := strides(padded), 1
		for loop, extent := range extents {
			length += (extent - 1) * steps[loop]
		}
		n.Access = append(n.Access, kernel.Access{Outer: steps[:1], Inner: steps[1:],
			Port: kernel.Port{DType: dtype.F32, Len: length, Write: i == inputs}})
	}
	return n
}
