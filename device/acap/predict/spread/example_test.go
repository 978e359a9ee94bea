package spread_test

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/predict/spread"
)

// Two makers measured products of matrices. The interval for a third maker covers four fifths of what is known of both.
func Example() {
	kinds := spread.Kinds{}
	for _, times := range []float64{0.9, 1, 1.1} { // measured over predicted
		kinds.Add("product", "first", times)
	}
	for _, times := range []float64{1.2, 1.5, 1.3} {
		kinds.Add("product", "second", times)
	}
	s := kinds.Spread("product", "", 0.8)
	low, high := s.Around(10, false)
	fmt.Printf("predicted 10 ms: measured %.1f to %.1f ms\n", low, high)
	// Output: predicted 10 ms: measured 9.0 to 15.0 ms
}
