package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Dispatch is a way in which a host starts a kernel and waits for it.
type Dispatch struct {
	Launch Constant `json:"launch"` // seconds from the call to the first byte, and back
}

// Dispatches lists the names of the other ways to start kernels that a machine knows.
func (m *Machine) Dispatches() []string { return slices.Sorted(maps.Keys(m.Host.Dispatch)) }

// Dispatched returns the machine with kernels that are started in another way than the usual one; "" is the usual one.
// Another name than of [Machine.Dispatches] is an error.
func (m *Machine) Dispatched(name string) (*Machine, error) {
	if name == "" {
		return m, nil
	}
	d, ok := m.Host.Dispatch[name]
	if !ok {
		return nil, fmt.Errorf("%s has no dispatch %q%s", m.Name, name, list(m.Dispatches()))
	}
	with := *m
	with.Host.Launch = d.Launch
	return &with, nil
}

// list ends an error with the names that there are.
func list(names []string) string {
	if len(names) == 0 {
		return ", nor any other"
	}
	return "; it has " + strings.Join(names, ", ")
}
