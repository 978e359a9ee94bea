//go:build !unix

package hostile

import "time"

var began = time.Now()

// processorTime is the time of the clock where that of the processor is not known.
func processorTime() float64 { return float64(time.Since(began)) }
