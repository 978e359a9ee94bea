package peak_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-acap/acap/kernel/x86/peak"
)

// The best of some runs is the peak of a core.
func ExampleMultiplyAdd() {
	l, err := peak.MultiplyAdd()
	if errors.Is(err, peak.ErrUnsupported) {
		fmt.Println("a peak: true")
		return
	}
	defer l.Close()
	best := 0.0
	for range 50 {
		start := time.Now()
		l.Run()
		best = max(best, l.Work/time.Since(start).Seconds())
	}
	fmt.Println("a peak:", best > 0)
	// Output: a peak: true
}
