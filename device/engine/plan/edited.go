package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/kernel"
)

// edit notes the kernels that take the place of others, by their names.
func (pl *planner) edit() error {
	pl.edited = make(map[string]kernel.Kernel, len(pl.opts.Kernels))
	for _, k := range pl.opts.Kernels {
		name := kernel.NameOf(k)
		if pl.edited[name] != nil {
			return fmt.Errorf("kernel %q: the text has two kernels of this name", name)
		}
		pl.edited[name] = k
	}
	return nil
}

// replaced returns the kernel that takes the place of another, or the other if none does.
func (pl *planner) replaced(k kernel.Kernel) (kernel.Kernel, error) {
	edited := pl.edited[kernel.NameOf(k)]
	if edited == nil {
		return k, nil
	}
	if err := kernel.Verify(edited); err != nil {
		return nil, err
	}
	have, want := edited.Ports(), k.Ports()
	if len(have) != len(want) {
		return nil, fmt.Errorf("kernel %q: the kernel has %d ports in the text, and %d in the program", kernel.NameOf(k), len(have), len(want))
	}
	for i := range want {
		if have[i] != want[i] {
			return nil, fmt.Errorf("kernel %q: port %d is %+v in the text, and %+v in the program", kernel.NameOf(k), i,
				have[i], want[i])
		}
	}
	return edited, nil
}

// absent returns an error if no step has the name of a kernel that is to take the place of another.
func (pl *planner) absent() error {
	var names []string
	for _, s := range pl.p.Steps {
		if s.Kernel != nil {
			names = append(names, s.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pl.edited)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("kernel %q: the program has no kernel of this name: its kernels are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}
