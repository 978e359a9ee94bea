package compiler

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/group"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// target is the target that a module is compiled for.
type target struct {
	backend device.Backend
	config  device.Config
	hosted  []string // operators that the host runs although it has no Go function for them
	times   []device.CompileTime
	silent  bool                      // nothing is printed between passes
	refused map[*mlir.Operation]error // operations that the device takes, and why they are in no group

	unaffected []string // settings that change nothing
}

// isNative reports whether groups run on the engine and may stay in the module.
func (t *target) isNative() bool {
	_, ok := t.backend.(interface{ native() Backend })
	return ok
}

// plain reports whether nothing is asked but what the engine does of itself.
func (t *target) plain() bool { return t.ownCode() && t.config.IsZero() }

// ownCode reports whether groups are the engine's and their kernels are compiled as it does.
func (t *target) ownCode() bool {
	n, ok := t.backend.(interface{ native() Backend })
	return ok && n.native() == nil
}

var errDeclared = errors.New("the device declares the operation unsupported")

// atOnce reports whether several groups may be compiled at once. Kernels for a back end of the caller's come one after
// the other, in the order of the program.
func (t *target) atOnce() bool { return t.ownCode() || !t.isNative() }

// supports returns why an operation cannot be in a group, or nil.
func (t *target) supports(op *mlir.Operation) error {
	if t.config.Excludes(op.Name) {
		return errDeclared
	}
	return t.backend.Supports(op)
}

// keeps reports whether an operation is not to be expanded.
func (t *target) keeps(op *mlir.Operation) bool {
	return t.config.Excludes(op.Name) || !t.isNative() && t.supports(op) == nil
}

// smallest is how many operations a group needs.
func (t *target) smallest() int {
	if n := t.config.Smallest(); n > 0 {
		return n
	}
	return t.backend.Smallest()
}

// divide divides a module into groups, which it returns, and operations of the host. Groups are
// functions of the module in the form in which the device was asked about their operations.
func (t *target) divide(module *mlir.Operation) ([]*mlir.Operation, error) {
	asked, err := passes.Parse(t.config.Passes())
	if err != nil {
		return nil, err
	}
	var groups []*mlir.Operation
	wide := t.config.Autocast() != dtype.Invalid && !hasType(module, t.config.Autocast())
	// Passes of a pipeline may be the user's: what they leave is verified, and their errors name them.
	asked.Unverified = t.config.Pipeline() == ""
	if err := t.timed(asked, module); err != nil {
		return nil, err
	}
	divide := passes.New(
		passes.Pass{Name: "unaffected", Run: func(root *mlir.Operation) error {
			t.unaffected = unaffected(root, t.config, wide)
			return nil
		}},
		passes.Pass{Name: "decompose", Run: func(root *mlir.Operation) error {
			countLoops(root)
			return lowering.DecomposeIntoLoops(root, t.keeps)
		}},
		passes.Pass{Name: "partition", Run: func(root *mlir.Operation) error {
			t.refused = map[*mlir.Operation]error{}
			groups = group.Group(root, group.Grouping{Supports: t.supports, MinNodes: t.smallest(),
				Separate: t.config.Separate(), Outline: !t.isNative(),
				Refused: func(op *mlir.Operation, why error) { t.refused[op] = why }})
			return nil
		}})
	err = t.run(divide, module)
	return groups, err
}

// lower brings a module to the form that is compiled: the groups of the engine and of the host in linalg. The groups of
// other devices are taken out and returned by name, as they are.
func (t *target) lower(module *mlir.Operation) (division []device.Group, apart map[string]*mlir.Operation, err error) {
	groups, err := t.divide(module)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range groups {
		division = append(division, describe(f, t.backend.Name()))
	}
	division = append(division, t.remaining(module, groups)...)
	hosted, err := t.lowerRest(module, groups)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range hosted {
		f.Attrs = f.Attrs.With(hostMark, mlir.UnitAttr{})
	}
	if !t.isNative() {
		apart = map[string]*mlir.Operation{}
		for _, f := range groups {
			apart[f.Symbol()] = f
		}
		body := module.Body()
		body.Ops = slices.DeleteFunc(body.Ops, func(op *mlir.Operation) bool { return apart[op.Symbol()] == op })
	}
	pipeline, err := passes.Parse(nativeForm)
	if err != nil {
		return nil, nil, err
	}
	return division, apart, t.run(pipeline, module)
}

// hostMark marks groups that the host runs because the device does not.
const hostMark = "acap.host"

// lowerRest makes groups for the host of what is in no group of the device.
func (t *target) lowerRest(module *mlir.Operation, groups []*mlir.Operation) (hosted []*mlir.Operation, err error) {
	if t.isNative() && len(t.config.Unsupported()) == 0 && t.smallest() <= 1 {
		return nil, nil // nothing is left that could be one
	}
	body := module.Body()
	all := body.Ops
	body.Ops = nil
	for _, op := range all {
		if !slices.Contains(groups, op) {
			body.Ops = append(body.Ops, op)
		}
	}
	rest := len(body.Ops)
	host := passes.New(passes.Pass{Name: "decompose", Run: func(root *mlir.Operation) error {
		return lowering.DecomposeIntoLoops(root, nil)
	}},
		passes.Pass{Name: "partition", Run: func(root *mlir.Operation) error {
			hosted = group.Group(root, group.Grouping{Kind: "host", Outline: true})
			return nil
		}})
	err = t.run(host, module)
	body.Ops = slices.Concat(all, body.Ops[min(rest, len(body.Ops)):])
	return hosted, err
}

// run runs passes of the compiler: as whoever compiles did not ask for any, errors do not name them.
func (t *target) run(p *passes.Pipeline, module *mlir.Operation) error {
	p.Unverified = true
	return unnamed(t.timed(p, module))
}

// timed runs passes, with the printing that the environment asks for unless the target is silent, and notes how long
// they took.
func (t *target) timed(p *passes.Pipeline, module *mlir.Operation) error {
	if !t.silent {
		if err := printing(p); err != nil {
			return err
		}
	}
	err := p.Run(module)
	for _, timing := range p.Timings {
		i := slices.IndexFunc(t.times, func(c device.CompileTime) bool { return c.Phase == timing.Pass })
		if i < 0 {
			i = len(t.times)
			t.times = append(t.times, device.CompileTime{Phase: timing.Pass})
		}
		t.times[i].Took += timing.Duration
	}
	return err
}

// runPipeline is [target.run] without a target.
func runPipeline(p *passes.Pipeline, module *mlir.Operation) error {
	return (&target{}).run(p, module)
}

// unnamed is an error without the name of the pass.
func unnamed(err error) error {
	var failed *passes.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// Lower runs the passes that bring a module from the aten to the linalg form. An operation that does not lower is an
// error with its place.
func Lower(module *mlir.Operation) error {
	pipeline, err := passes.Parse(passes.Lowering)
	if err != nil {
		return err
	}
	return runPipeline(pipeline, module)
}

// asModule makes a module of one function, which it copies.
func asModule(f *mlir.Operation) *mlir.Operation {
	module := mlir.NewModule()
	copied := module.Body().Append(f.Clone(map[*mlir.Value]*mlir.Value{}))
	copied.Attrs = copied.Attrs.Without("sym_visibility")
	return module
}

// form brings a copy of a group to the form that its device takes.
func (t *target) form(f *mlir.Operation) (*mlir.Operation, error) {
	module := asModule(f)
	pipeline, err := passes.Parse(t.backend.Form())
	if err != nil {
		return nil, fmt.Errorf("the form of %s: %w", t.backend.Name(), err)
	}
	if err := runPipeline(pipeline, module); err != nil {
		return nil, err
	}
	return entry(module)
}
