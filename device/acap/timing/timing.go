package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Timing is what one launch of a kernel costs.
type Timing struct {
	Seconds float64 // from the host's call to the last byte
	Cycles  float64 // the same in cycles of the array
}

// Estimate returns the cost of running w on m as the mapping says.
func Estimate(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) (Timing, error) {
	return Timing{}, nil
}
