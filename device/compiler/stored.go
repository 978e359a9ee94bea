package compiler

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Plan returns the compiler's results about the program, to be stored. It fails if a part of the program has no stored
// form.
func (e *Executable) Plan() (*plan.Program, error) { return e.PlanWith(nil) }

// PlanWith is [Executable.Plan] with the data of constants beside the program, and what the program
// computes once from them, so that it need not be computed again. blobs may be nil: then neither
// is so. A group that its device compiled is an error: it has no stored form.
func (e *Executable) PlanWith(blobs *wire.Blobs) (*plan.Program, error) {
	p := &plan.Program{Entry: e.entry, Operations: e.operations, Division: e.division, Blobs: blobs}
	for _, g := range e.groups {
		if g.engine == nil {
			return nil, fmt.Errorf("group %s is a program of its device and has no stored form", g.name)
		}
		data, err := g.engine.EncodeWith(blobs)
		if err != nil {
			return nil, err
		}
		stored := plan.Group{Name: g.name, Program: data, Hosted: g.hosted, Ops: g.ops}
		if blobs != nil {
			once, err := g.engine.Prepared()
			if err != nil {
				return nil, err
			}
			if once != nil {
				stored.Prepared, stored.Fixed, stored.Packed = true, once.Fixed, once.Packed
			}
		}
		p.Groups = append(p.Groups, stored)
	}
	for op, n := range e.fallbacks {
		for range n - e.hostCalls[op] {
			p.Hosted = append(p.Hosted, op)
		}
	}
	slices.Sort(p.Hosted)
	e.frame.Walk(func(op *mlir.Operation) { p.Locations = append(p.Locations, op.Loc) })
	p.Module = e.frame.String()
	return p, e.guards.plan(p)
}

// withoutBodies copies a module, but of groups only what they take and give.
func withoutBodies(module *mlir.Operation, groups []*compiled) *mlir.Operation {
	which := map[string]bool{}
	for _, g := range groups {
		which[g.name] = true
	}
	out := mlir.NewModule()
	for _, op := range module.Body().Ops {
		if op.Name != "func.func" || !which[op.Symbol()] {
			out.Body().Append(op.Clone(map[*mlir.Value]*mlir.Value{}))
			continue
		}
		f := mlir.NewOp(op.Name, nil, nil, slices.Clone(op.Attrs))
		f.Loc = op.Loc
		if f.Attrs.Get("sym_visibility") == nil {
			f.Attrs = append(f.Attrs, mlir.Named{Name: "sym_visibility", Value: mlir.StringAttr("private")})
		}
		f.AddRegion()
		out.Body().Append(f)
	}
	return out
}

// Load makes an executable from a plan that [Executable.Plan] returned. Errors of the plan wrap [wire.ErrMalformed];
// Load does not check that it is for this processor and this version.
func Load(ctx context.Context, p *plan.Program) (*Executable, error) { return LoadWith(ctx, p, nil) }

// LoadWith is [Load]. lower returns the module in the linalg form, for who asks to see it; it may be
// nil, and is called at most once. A plan that is not as [Executable.PlanWith] made it is an error, and so are kernels
// that do not compile on this processor.
func LoadWith(ctx context.Context, p *plan.Program, lower func() (*mlir.Operation, error)) (*Executable, error) {
	module, err := mlir.Parse("plan", []byte(p.Module))
	if err != nil {
		return nil, malformed(err)
	}
	n := 0
	module.Walk(func(op *mlir.Operation) {
		if n < len(p.Locations) {
			op.Loc = p.Locations[n]
		}
		n++
	})
	f := module.Func(p.Entry)
	if n != len(p.Locations) || f == nil || p.Operations < 0 {
		return nil, malformed(fmt.Errorf("%d locations of %d operations from %q on", len(p.Locations), n, p.Entry))
	}
	b := newBuilder(module, &target{backend: onlyNative{}})
	b.exe.division = p.Division
	for _, op := range p.Hosted {
		b.exe.fallback(op)
	}
	b.blobs = p.Blobs
	b.stored = map[string]*plan.Group{}
	for i := range p.Groups {
		b.stored[p.Groups[i].Name] = &p.Groups[i]
	}
	if f.Body() == nil && !b.isGroup(f) {
		return nil, malformed(fmt.Errorf("no body of %q", p.Entry))
	}
	if b.exe.operations = p.Operations; lower != nil {
		b.exe.module = lower
	}
	guards, err := loadGuards(ctx, p)
	if err != nil {
		return nil, err
	}
	exe, err := b.executable(ctx, f)
	if err == nil {
		exe.guards = guards
	} else {
		guards.close()
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, wire.ErrMalformed) {
		err = malformed(err)
	}
	return exe, err
}

func malformed(err error) error { return fmt.Errorf("%w: %w", wire.ErrMalformed, err) }

// load makes a group of what is stored.
func (b *builder) load(g *compiled, f *mlir.Operation, constant []bool) error {
	stored := b.stored[g.name]
	p, err := engine.LoadWith(stored.Program, b.blobs, engine.Options{ConstInputs: constant,
		Reproducible: b.target.config.Reproducible()})
	if err != nil {
		return tooLarge(err)
	}
	if stored.Prepared {
		if err := p.Prepare(&engine.Prepared{Fixed: stored.Fixed, Packed: stored.Packed}); err != nil {
			p.Close()
			return malformed(err)
		}
	}
	g.run, g.hosted, g.ops = p, stored.Hosted, stored.Ops
	return fits(p, f)
}

// fits reports whether a group that was loaded takes and gives what its function says.
func fits(p *engine.Program, f *mlir.Operation) error {
	takes, gives := p.Types()
	t := signature(f)
	same := func(a, b []ops.TensorType) bool {
		return slices.EqualFunc(a, b, func(x, y ops.TensorType) bool {
			return x.DType.Size() == y.DType.Size() && slices.Equal(x.Shape, y.Shape)
		})
	}
	if same(takes, typesOf(t.Inputs)) && same(gives, typesOf(t.Results)) {
		return nil
	}
	p.Close()
	return malformed(fmt.Errorf("group %s takes %v and gives %v", f.Symbol(), takes, gives))
}
