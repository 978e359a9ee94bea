package compiler

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/group"
	"github.com/go-acap/acap/translate/passes/report"
)

// Division implements [device.Grouped].
func (p *program) Division() []device.Group { return slices.Clone(p.division) }

// Warnings implements [device.Grouped].
func (p *program) Warnings() []string { return slices.Clone(p.warnings) }

// describe says what a group consists of.
func describe(f *mlir.Operation, on string) device.Group {
	g := device.Group{Name: f.Symbol(), Device: on}
	for _, r := range f.Regions {
		for _, b := range r.Blocks {
			g.Ops = slices.Grow(g.Ops, len(b.Ops))
			for _, op := range b.Ops {
				if computes(op) {
					g.Ops = append(g.Ops, op.Name)
				}
			}
			g.Work += work(b.Ops)
		}
	}
	return g
}

// computes reports whether an operation of a group is one to be told of.
func computes(op *mlir.Operation) bool {
	return op.Name != "arith.constant" && op.Name != "func.return"
}

// work adds up the work of operations, on several cores if they are many.
func work(list []*mlir.Operation) int64 {
	const part = 64
	sums := make([]int64, (len(list)+part-1)/part)
	parallel.For(len(sums), func(i int) {
		for _, op := range list[i*part : min((i+1)*part, len(list))] {
			if computes(op) {
				sums[i] += report.Work(op)
			}
		}
	})
	var all int64
	for _, sum := range sums {
		all += sum
	}
	return all
}

// remaining lists the operations that are in no group and what keeps each from one.
func (t *target) remaining(module *mlir.Operation, groups []*mlir.Operation) []device.Group {
	var list []device.Group
	for _, f := range module.Funcs() {
		if slices.Contains(groups, f) {
			continue
		}
		f.Walk(func(op *mlir.Operation) {
			if op == f || walksThrough[op.Name] || op.Def().Has(mlir.Terminator) {
				return
			}
			g := device.Group{Name: f.Symbol(), Device: hostName, Ops: []string{op.Name}, Work: report.Work(op)}
			g.Problem = "it has effects beside its results"
			if err := cmp.Or(t.supports(op), t.refused[op]); err != nil {
				g.Problem = err.Error()
			}
			list = append(list, g)
			if call, err := ops.FromOperation(op, ops.OfIR); err == nil && (group.OnDevice(op) || call.Expansion() != nil) {
				t.hosted = append(t.hosted, op.Name)
			}
		})
	}
	return list
}

// walksThrough are operations that compute nothing themselves.
var walksThrough = map[string]bool{"func.func": true, "func.call": true, "arith.constant": true, "scf.if": true,
	"scf.for": true, "scf.while": true, "scf.execute_region": true, "scf.index_switch": true}

// Plan is the division of a module before anything is compiled.
type Plan struct {
	// Groups and operations of the host, as [device.Grouped] has them.
	Division []device.Group
	// Texts of the groups' functions, in the form in which the device was asked about their
	// operations, by name.
	Texts map[string]string
}

// Divide says how a module is divided for a back end. The module is consumed. Constants of more
// than a few elements are left out of the texts. An operation that does not lower is an error.
func Divide(module *mlir.Operation, backend device.Backend, config device.Config) (*Plan, error) {
	t := &target{backend: backend, config: config}
	groups, err := t.divide(module)
	if err != nil {
		return nil, err
	}
	p := &Plan{Texts: map[string]string{}}
	for _, f := range groups {
		g := describe(f, backend.Name())
		p.Division = append(p.Division, g)
		p.Texts[g.Name] = f.Text(mlir.PrintOptions{ElideLargerThan: printedElements})
	}
	p.Division = append(p.Division, t.remaining(module, groups)...)
	return p, nil
}
