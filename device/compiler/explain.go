package compiler

import (
	"context"
	"slices"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// part is a group or a call on the host.
type part struct {
	group *compiled
	host  *ops.Call
	loc   mlir.Location
}

// Kernels implements device.Explained.
func (p *program) Kernels() []device.Kernel {
	var list []device.Kernel
	for _, part := range p.parts {
		if part.group != nil {
			list = append(list, part.group.kernels()...)
			continue
		}
		k := device.Kernel{Name: part.host.Op.Name(), Kind: device.Fallback, Ops: []string{part.host.Op.MLIRName()},
			Problem: "the operator has no form for kernels and runs as a Go function"}
		if !part.loc.IsUnknown() {
			k.Locations = []mlir.Location{part.loc}
		}
		for _, t := range part.host.Out {
			k.Written += bytesOf(mlir.Tensor(t.DType, t.Shape))
		}
		list = append(list, k)
	}
	return list
}

// kernels returns the kernels of a group; a group that is no program of the engine is one kernel. A kernel that the
// host runs for the device has a problem.
func (g *compiled) kernels() []device.Kernel {
	if g.engine == nil || g.hosted {
		k := device.Kernel{Name: g.name, Kind: "group", Ops: g.ops, Group: g.name, Locations: []mlir.Location{g.loc}}
		if g.hosted {
			k.Kind, k.Problem = device.Fallback, "the device does not support these operations, or could not compile them"
		}
		return []device.Kernel{k}
	}
	var list []device.Kernel
	for _, k := range g.engine.Kernels() {
		list = append(list, device.Kernel{Name: k.Name, Kind: k.Kind, Ops: k.Ops, Locations: k.Locations,
			Group: g.name, Once: k.Fixed, MACs: k.MACs, Work: k.Work, Read: k.BytesIn, Written: k.BytesOut,
			PackedOnce: k.PackedOnce, PackedEach: k.PackedEach, PackedWhy: k.PackedWhy, Stored: k.Stored, Portable: k.Portable})
	}
	return list
}

// CompileTimes implements [device.Timed].
func (p *program) CompileTimes() []device.CompileTime {
	list := slices.Clone(p.times)
	for _, g := range p.groups {
		if g.engine == nil && g.took > 0 {
			list = append(list, device.CompileTime{Phase: "compile", Group: g.name, Took: g.took})
		}
		if g.engine != nil {
			for _, phase := range g.engine.Phases() {
				list = append(list, device.CompileTime{Phase: phase.Name, Group: g.name, Took: phase.Took})
			}
		}
	}
	return list
}

// RunTimed implements device.Explained. Parts that run several times, in loops, have the sum.
func (e *Executable) RunTimed(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, []time.Duration, error) {
	t := &timer{groups: map[*compiled][]time.Duration{}, hosts: map[*ops.Call]time.Duration{}}
	var out []*buf.Buffer
	var err error
	if e.whole != nil {
		if err = e.ready(ctx, inputs); err == nil {
			out = make([]*buf.Buffer, len(e.gives))
			err = t.group(ctx, e.groups[0], inputs, out)
		}
	} else {
		out, err = e.Run(context.WithValue(ctx, timerKey{}, t), inputs)
	}
	if err != nil {
		return nil, nil, err
	}
	var took []time.Duration
	for _, part := range e.parts {
		if part.group == nil {
			took = append(took, t.hosts[part.host])
			continue
		}
		times := t.groups[part.group]
		if times == nil { // in a branch that was not taken
			times = make([]time.Duration, len(part.group.kernels()))
		}
		took = append(took, times...)
	}
	return out, took, nil
}

// timer collects what the parts of a run take.
type timer struct {
	groups map[*compiled][]time.Duration
	hosts  map[*ops.Call]time.Duration
}

type timerKey struct{}

// timerOf returns the timer of a run that is timed, or nil.
func timerOf(ctx context.Context) *timer {
	t, _ := ctx.Value(timerKey{}).(*timer)
	return t
}

// group runs a group.
func (t *timer) group(ctx context.Context, g *compiled, in, out []*buf.Buffer) error {
	var took []time.Duration
	var err error
	if g.engine != nil && !g.hosted {
		took, err = g.engine.RunTimed(ctx, in, out)
	} else {
		start := time.Now()
		err = g.run.RunInto(ctx, in, out)
		took = []time.Duration{time.Since(start)}
	}
	for i, d := range t.groups[g] {
		took[i] += d
	}
	t.groups[g] = took
	return runError(err)
}

// host starts to time a call on the host and returns what ends it.
func (t *timer) host(c *ops.Call) (stop func()) {
	if t == nil {
		return func() {}
	}
	start := time.Now()
	return func() { t.hosts[c] += time.Since(start) }
}
