package published

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Ours returns the best mapping of package mapper on the number of cores that a kernel was measured on; 0 is all cores.
// The error says that the machine has no such grid, or why no mapping exists.
func Ours(m *machine.Machine, k *workload.Kernel, cores int) (mapping.Mapping, error) {
	if cores == 0 || !m.Programmed() || cores == m.Grid.Cores() {
		c, err := mapper.Map(m, k)
		if err != nil {
			return mapping.Mapping{}, err
		}
		return c.Mapping, nil
	}
	if cores > m.Grid.Cores() {
		return mapping.Mapping{}, fmt.Errorf("measured on %d cores; %s has %d", cores, m.Name, m.Grid.Cores())
	}
	best, g := math.Inf(1), mapping.Mapping{}
	var err error
	for cols := 1; cols <= min(m.Grid.Cols, cores); cols++ {
		if cores%cols != 0 || cores/cols > m.Grid.CoreRows {
			continue
		}
		c, e := mapper.Within(m, k, cols, cores/cols)
		if e != nil {
			err = e
		} else if c.Timing.Seconds < best {
			best, g = c.Timing.Seconds, c.Mapping
		}
	}
	switch {
	case !math.IsInf(best, 1):
		return g, nil
	case err != nil:
		return g, err
	}
	return g, fmt.Errorf("measured on %d cores, which are no columns and rows of %d x %d", cores, m.Grid.Cols, m.Grid.CoreRows)
}
