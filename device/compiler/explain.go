package compiler

import (
	"context"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
)

// part is a group or a call on the host.
type part struct {
	group *engine.Program
	host  *ops.Call
	loc   mlir.Location
}

// Kernels implements device.Explained.
func (p *program) Kernels() []device.Kernel {
	var list []device.Kernel
	for _, part := range p.parts {
		if part.group != nil {
			list = append(list, kernelsOf(part.group)...)
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

func kernelsOf(g *engine.Program) []device.Kernel {
	var list []device.Kernel
	for _, k := range g.Kernels() {
		list = append(list, device.Kernel{Name: k.Name, Kind: k.Kind.String(), Ops: k.Ops, Locations: k.Locations,
			Once: k.Fixed, MACs: k.MACs, Work: k.Work, Read: k.BytesIn, Written: k.BytesOut})
	}
	return list
}

// RunTimed implements device.Explained. Parts that run several times, in loops, have the sum.
func (e *Executable) RunTimed(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, []time.Duration, error) {
	t := &timer{groups: map[*engine.Program][]time.Duration{}, hosts: map[*ops.Call]time.Duration{}}
	var out []*buf.Buffer
	var err error
	if e.whole != nil {
		if err = e.ready(ctx, inputs); err == nil {
			out = make([]*buf.Buffer, len(e.gives))
			err = t.group(ctx, e.whole, inputs, out)
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
			times = make([]time.Duration, len(part.group.Kernels()))
		}
		took = append(took, times...)
	}
	return out, took, nil
}

// timer collects what the parts of a run take.
type timer struct {
	groups map[*engine.Program][]time.Duration
	hosts  map[*ops.Call]time.Duration
}

type timerKey struct{}

// timerOf returns the timer of a run that is timed, or nil.
func timerOf(ctx context.Context) *timer {
	t, _ := ctx.Value(timerKey{}).(*timer)
	return t
}

// group runs a group.
func (t *timer) group(ctx context.Context, p *engine.Program, in, out []*buf.Buffer) error {
	took, err := p.RunTimed(ctx, in, out)
	for i, d := range t.groups[p] {
		took[i] += d
	}
	t.groups[p] = took
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
