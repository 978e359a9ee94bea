package opinfo

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/opinfo/reference"
)

// Oracle says how many programs have values of an operator that were computed by others,
// and whether package reference computes them.
type Oracle struct {
	Operator  string `json:"operator"`
	Torch     int    `json:"torch"`
	SciPy     int    `json:"scipy"`
	Reference bool   `json:"reference"`
}

// Known reports whether there is any.
func (o Oracle) Known() bool { return o.Torch > 0 || o.SciPy > 0 || o.Reference }

// Oracles lists the functional operators with the oracles that they have in programs.
func Oracles(programs []*Program) []Oracle {
	found := map[string]*Oracle{}
	for _, op := range ops.All() {
		if name := op.Name(); !op.IsInplace() {
			_, computed := reference.Functions[name]
			_, drawn := reference.Distributions[name]
			found[name] = &Oracle{Operator: name, Reference: computed || drawn}
		}
	}
	for _, p := range programs {
		for i := range p.Ops {
			if p.Refused != "" {
				continue
			}
			op := ops.Lookup(p.Ops[i].Op)
			if op == nil {
				continue
			}
			o := found[op.Functional().Name()]
			if o == nil {
				continue // of the table of expansions
			}
			switch p.Oracle {
			case "scipy":
				o.SciPy++
			default:
				o.Torch++
			}
		}
	}
	list := make([]Oracle, 0, len(found))
	for _, o := range found {
		list = append(list, *o)
	}
	slices.SortFunc(list, func(a, b Oracle) int { return cmp.Compare(a.Operator, b.Operator) })
	return list
}
