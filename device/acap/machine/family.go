package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Family names the generation of an array's tiles.
type Family string

// Architecture is what machines of a family share beyond their numbers. Each family has a file, which registers the
// architecture and the presets of the family.
type Architecture interface {
	// Changes are the machines that what-if lines compare with.
	Changes() []Change
	// Upstream returns the name that mlir-aie has for the array, "" if it has none.
	Upstream(m *Machine) string
	// named returns the machine of a name that says a size, nil if there is none.
	named(name string) *Machine
	// find returns the name of the machine that a measurement is of, "" for none of the family, from what the
	// measurement says of the device and of the work.
	find(device, work string) (string, error)
	// check holds the fields that machines of other families do not have against their ranges.
	check(v *checker, m *Machine)
	// row returns what a row of the array holds, "" for one that is not drawn.
	row(m *Machine, row int) string
}

// Fixed is an architecture without programs: a kernel has one mapping, on the whole array, and its cycles have a
// formula.
type Fixed interface {
	Architecture
	// Style names the one mapping.
	Style(m *Machine) string
	// Product returns the cycles of a product of rows × depth by depth × cols.
	Product(m *Machine, rows, depth, cols int64) int64
}

// Change is one respect in which a machine may differ.
type Change struct {
	Name  string
	Apply func(*Machine)
}

// family is the entry of a family in the register.
type family struct {
	name Family
	Architecture
	sizes string // the form of names that say a size, "" if there are none
}

// preset is a machine with a name.
type preset struct {
	family Family
	name   string
	make   func() *Machine
	words  []string // other names that measurements have for the device, in lower case
}

var (
	families []family
	presets  []preset
)

// register adds a family and its presets.
func register(f family, list ...preset) {
	families = append(families, f)
	for _, p := range list {
		p.family = f.name
		presets = append(presets, p)
	}
}

// Architecture returns the architecture of the machine's family; a machine of an unknown family is an array of tiles.
func (m *Machine) Architecture() Architecture {
	if i := slices.IndexFunc(families, func(f family) bool { return f.name == m.Family }); i >= 0 {
		return families[i].Architecture
	}
	return tiles{}
}

// Fixed returns the architecture of a machine without programs, and false for arrays of tiles.
func (m *Machine) Fixed() (Fixed, bool) {
	f, ok := m.Architecture().(Fixed)
	return f, ok
}

// Programmed reports whether cores run programs, which DMA channels feed.
func (m *Machine) Programmed() bool {
	_, fixed := m.Fixed()
	return !fixed
}

// Names lists the presets, small arrays first.
func Names() []string { return slices.Clone(smallFirst()) }

// smallFirst are the names of the presets by the number of cores.
var smallFirst = sync.OnceValue(func() []string {
	list, cores := make([]string, len(presets)), make(map[string]int)
	for i, p := range presets {
		list[i], cores[p.name] = p.name, p.make().Grid.Cores()
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(cores[a], cores[b]) })
	return list
})

// Preset returns a fresh copy of the named machine, which the caller may change. Besides the names of [Names] it knows
// names that say a size, such as "systolic-16x32-ws", and names with another memory outside, such as "vek280+hbm2e".
// Another name is an error, which lists the known ones.
func Preset(name string) (*Machine, error) {
	if array, memory, other := strings.Cut(name, "+"); other && !strings.HasPrefix(name, string(Grid2D)) {
		return withMemory(array, memory)
	}
	if i := slices.IndexFunc(presets, func(p preset) bool { return p.name == name }); i >= 0 {
		return presets[i].make(), nil
	}
	known := strings.Join(Names(), ", ")
	for _, f := range families {
		if m := f.named(name); m != nil {
			if err := m.Check(); err != nil {
				return nil, err
			}
			return m, nil
		}
		if f.sizes != "" {
			known += " and " + f.sizes
		}
	}
	return nil, fmt.Errorf("no machine %q; known are %s, and arrays with %s, such as vek280+hbm2e", name, known, strings.Join(Outsides(), ", "))
}

// Find returns the name of the machine that a measurement is of, "" if there is none, from what the measurement says of
// the device and of the work, in lower case. An error is a
// device that names a systolic array without a size, or work on one without its dataflow.
func Find(device, work string) (string, error) {
	for _, f := range families {
		if name, err := f.find(device, work); name != "" || err != nil {
			return name, err
		}
	}
	name, longest := "", 0
	for _, p := range presets {
		for _, word := range append([]string{p.name}, p.words...) {
			if len(word) > longest && strings.Contains(device, word) {
				name, longest = p.name, len(word)
			}
		}
	}
	return name, nil
}

// bandwidth is a change that every machine may have.
var bandwidth = Change{"twice the memory bandwidth", func(m *Machine) {
	for _, c := range []*Constant{&m.DDR.Read, &m.DDR.Write, &m.DDR.Total, &m.DDR.PerShim} {
		c.Value *= 2
	}
}}

// familyNames lists the families.
func familyNames() string {
	var list []string
	for _, f := range families {
		list = append(list, string(f.name))
	}
	return strings.Join(list, ", ")
}
