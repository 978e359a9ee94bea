package mapper

import (
	"sync"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Narrowed has the best mappings of kernels on parts of a machine. A product is searched for once on each grid of
// cores, whichever parts have space for the grid. Its methods may be called from several goroutines.
type Narrowed struct {
	machine *machine.Machine
	mu      sync.Mutex
	kernels map[string]*narrowed // by their keys
}

// narrowed is the results of searches for a kernel, by columns and rows: of the grid for a product, of the part for
// other kernels.
type narrowed struct {
	mu    sync.Mutex
	model *timing.Model
	known map[[2]int]found
}

// found is the best mapping that a search found. A nil choice says that no mapping takes at most bound seconds or, if
// bound is 0, that there is no mapping at all.
type found struct {
	choice *Choice
	bound  float64
}

// NewNarrowed returns one that has none yet.
func NewNarrowed(m *machine.Machine) *Narrowed {
	return &Narrowed{machine: m, kernels: make(map[string]*narrowed)}
}

// kernel returns what is known of a kernel, locked.
func (n *Narrowed) kernel(key string) *narrowed {
	n.mu.Lock()
	k := n.kernels[key]
	if k == nil {
		k = &narrowed{known: make(map[[2]int]found)}
		n.kernels[key] = k
	}
	n.mu.Unlock()
	k.mu.Lock()
	return k
}

// Know takes the best mapping of a kernel on all of the machine, as [Map] returns it.
func (n *Narrowed) Know(key string, c *Choice) {
	k := n.kernel(key)
	defer k.mu.Unlock()
	shape := [2]int{n.machine.Grid.Cols, n.machine.Grid.CoreRows}
	if ofProduct(c.Kernel) {
		shape = [2]int{c.Mapping.Cols, c.Mapping.Rows}
	}
	k.known[shape] = found{choice: c}
}

// Map is [Within] for a kernel with a key, see [workload.Kernel.Key]; no timing says that there is no mapping.
func (n *Narrowed) Map(w *workload.Kernel, key string, cols, rows int) (mapping.Mapping, *timing.Timing) {
	k := n.kernel(key)
	defer k.mu.Unlock()
	if k.model == nil {
		var err error
		if k.model, err = timing.NewModel(n.machine, w); err != nil {
			return mapping.Mapping{}, nil
		}
	}
	s := search{machine: n.machine, kernel: w, model: k.model, cols: cols, rows: rows, alone: true}
	shapes := [][2]int{{cols, rows}}
	if ofProduct(w) {
		shapes = s.fitting()
	}
	var best *Choice
	for _, s.shape = range shapes {
		if s.bound = 0; best != nil {
			s.bound = best.Timing.Seconds
		}
		f, known := k.known[s.shape]
		if !known || f.choice == nil && f.bound > 0 && (s.bound == 0 || s.bound > f.bound) {
			f = found{bound: s.bound}
			f.choice, _ = s.run()
			k.known[s.shape] = f
		}
		if c := f.choice; c != nil && (best == nil || less(c.Timing.Seconds, &c.Mapping, &Candidate{best.Mapping, best.Timing.Seconds})) {
			best = c
		}
	}
	if best == nil {
		return mapping.Mapping{}, nil
	}
	return best.Mapping, &best.Timing
}

// ofProduct reports whether a kernel is searched for on one grid of cores after the other.
func ofProduct(w *workload.Kernel) bool {
	return w.Kind == workload.KindContraction || w.Kind == workload.KindConvolution
}
