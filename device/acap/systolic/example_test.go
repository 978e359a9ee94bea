package systolic_test

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/systolic"
)

// The farthest cell begins Rows + Cols - 2 cycles after the first one and multiplies for K cycles. SCALE-Sim counts the
// last cycle from 0: Rows + Cols + K - 3. Nobody waits where the memory is fast.
func ExampleProduct_Count() {
	p := systolic.Product{Flow: machine.OutputStationary, Rows: 32, Cols: 32, M: 32, K: 64, N: 32,
		Input: 64 << 10, Filter: 64 << 10, Output: 64 << 10, Words: 1000}
	c, err := p.Count()
	fmt.Println(c.Compute, c.Stalls, err)
	// Output: 125 0 <nil>
}
