package machine

import (
	"fmt"
	"slices"
	"strings"
)

// outside is a memory that an array may have instead of its own.
type outside struct {
	name, title string
	apply       func(*Machine)
}

// outsides lists them. Each is a file.
var outsides []outside

// Outsides lists the names of the memories that an array may have instead of its own, behind a + in the machine's name.
func Outsides() (names []string) {
	for _, o := range outsides {
		names = append(names, o.name)
	}
	return names
}

// withMemory returns the preset of an array with another memory outside.
func withMemory(array, memory string) (*Machine, error) {
	m, err := Preset(array)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(outsides, func(o outside) bool { return o.name == memory })
	if i < 0 {
		return nil, fmt.Errorf("no memory %q for %s, want %s", memory, array, strings.Join(Outsides(), ", "))
	}
	if !m.Programmed() {
		return nil, fmt.Errorf("%s has scratchpads and a rate, and no memory %q", array, memory)
	}
	o := outsides[i]
	o.apply(m)
	m.Name, m.Title = array+"+"+o.name, m.Title+", with "+o.title
	return m, nil
}
