package median_test

import (
	"fmt"
	"time"

	"github.com/go-acap/acap/base/median"
)

// Of an even number of times the median is the mean of the two in the middle; one that took long counts no more than
// others.
func ExampleOf() {
	fmt.Println(median.Of([]time.Duration{4, 900, 2, 6}), median.Of([]float64{3, 1, 2}))
	// Output: 5ns 2
}
