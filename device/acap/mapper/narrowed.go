package mapper

import (
	"sync"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Narrowed has the best mappings of kernels on parts of a machine, each searched for once. Its methods may be called from several
// goroutines.
type Narrowed struct {
	machine *machine.Machine
	mu      sync.Mutex
	known   map[within]func() *Choice // which returns nil where there is none
}

// within is a kernel on so many columns and rows of cores at most.
type within struct {
	key        string
	cols, rows int
}

// NewNarrowed returns one that has none yet.
func NewNarrowed(m *machine.Machine) *Narrowed {
	return &Narrowed{machine: m, known: make(map[within]func() *Choice)}
}

// Map is [Within] for a kernel with a key, see [workload.Kernel.Key]; no timing says that there is no mapping.
func (n *Narrowed) Map(w *workload.Kernel, key string, cols, rows int) (mapping.Mapping, *timing.Timing) {
	at := within{key, cols, rows}
	n.mu.Lock()
	search := n.known[at]
	if search == nil {
		search = sync.OnceValue(func() *Choice {
			c, _ := Within(n.machine, w, cols, rows)
			return c
		})
		n.known[at] = search
	}
	n.mu.Unlock()
	c := search()
	if c == nil {
		return mapping.Mapping{}, nil
	}
	return c.Mapping, &c.Timing
}
