package program

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Build makes the device program of a mapped kernel at the object FIFO level.
func Build(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) (*Program, error) {
	return nil, fmt.Errorf("program %s: a %v has no program on %s", w.Name, w.Kind, m.Name)
}
