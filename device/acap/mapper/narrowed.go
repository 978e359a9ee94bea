package mapper

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Narrowed has the best mappings of kernels on parts of a machine, each searched for once.
type Narrowed struct {
	machine *machine.Machine
	known   map[within]*Choice // nil where there is none
}

// within is a kernel on so many columns and rows of cores at most.
type within struct {
	key        string
	cols, rows int
}

// NewNarrowed returns one that has none yet.
func NewNarrowed(m *machine.Machine) *Narrowed { return &Narrowed{m, make(map[within]*Choice)} }

// Map is [Within] for a kernel with a key, see [workload.Kernel.Key]; no timing says that there is no mapping.
func (n *Narrowed) Map(w *workload.Kernel, key string, cols, rows int) (mapping.Mapping, *timing.Timing) {
	at := within{key, cols, rows}
	c, ok := n.known[at]
	if !ok {
		c, _ = Within(n.machine, w, cols, rows)
		n.known[at] = c
	}
	if c == nil {
		return mapping.Mapping{}, nil
	}
	return c.Mapping, &c.Timing
}
