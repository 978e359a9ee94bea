package machine

import (
	"fmt"
	"slices"
	"strings"
)

// Arrays is how many arrays of one kind are beside each other, and what they share. All are at work at the same time,
// on the same work.
type Arrays struct {
	Number int      `json:"number"`
	Share  []string `json:"share"` // of [SharedMemory] and [SharedHost]
	// Counted says that the machine's rates are those that one array gets while all are at work: see [Machine.Shared].
	Counted bool `json:"counted,omitempty"`
}

// The resources that arrays may share.
const (
	SharedMemory = "memory" // the rates of the memory outside: ddr.read, ddr.write, ddr.total
	SharedHost   = "host"   // the rates at which the host hands arrays over: host.write, host.copy
)

// MostArrays bounds the arrays beside each other.
const MostArrays = 64

// shared are the rates that arrays may share, by name.
var shared = map[string]func(*Machine) []*Constant{
	SharedMemory: func(m *Machine) []*Constant { return []*Constant{&m.DDR.Read, &m.DDR.Write, &m.DDR.Total} },
	SharedHost:   func(m *Machine) []*Constant { return []*Constant{&m.Host.Write, &m.Host.Copy} },
}

// Shared returns one of the arrays of a machine as it is while all of them are at work: with an equal part of each rate
// that they share. Arrays that do the same want the same of the memory, and with an equal part of its rate a kernel
// that wants less than that waits for nobody. A machine of one array is returned as it is.
func (m *Machine) Shared() *Machine {
	if m.Arrays == nil || m.Arrays.Counted {
		return m
	}
	one, arrays := *m, *m.Arrays
	arrays.Counted = true
	one.Arrays = &arrays
	for _, name := range arrays.Share {
		for _, rate := range shared[name](&one) {
			rate.Value /= float64(arrays.Number)
		}
	}
	return &one
}

// Working returns the machine with a number of its arrays at work, for [Machine.Shared], and an error if the machine
// has fewer arrays. A machine that does not describe its arrays has as many as the caller asks for, and these share
// nothing.
func (m *Machine) Working(number int) (*Machine, error) {
	if m.Arrays == nil {
		return m, nil
	}
	if number < 1 || number > m.Arrays.Number {
		return nil, fmt.Errorf("%s has %d arrays, of which %d cannot be at work", m.Name, m.Arrays.Number, number)
	}
	some, arrays := *m, *m.Arrays
	arrays.Number = number
	some.Arrays = &arrays
	return &some, nil
}

// Alone returns one of the arrays of a machine with all that the arrays share for itself.
func (m *Machine) Alone() *Machine {
	one := *m
	one.Arrays = nil
	return &one
}

// String says how many arrays there are and what they share.
func (a *Arrays) String() string {
	return fmt.Sprintf("%d arrays that share the %s", a.Number, strings.Join(a.Share, " and the "))
}

func (v *checker) arrays(a *Arrays) {
	if a == nil {
		return
	}
	v.require("arrays.number", a.Number >= 1 && a.Number <= MostArrays, "is %d, want 1 to %d", a.Number, MostArrays)
	v.require("arrays.share", len(a.Share) > 0, "is empty, want %s or %s", SharedMemory, SharedHost)
	for i, name := range a.Share {
		_, known := shared[name]
		v.require("arrays.share", known && !slices.Contains(a.Share[:i], name), "has %q, want %s or %s, each once", name, SharedMemory, SharedHost)
	}
}
