package compiler

import (
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
)

// packs counts what a program has packed.
type packs struct{ times, operands, bytes atomic.Int64 }

// TakePacked implements [device.Packs].
func (p *program) TakePacked() device.Packed {
	now := device.Packed{Input: -1}
	for _, g := range p.groups {
		if g.engine == nil {
			continue
		}
		of := g.engine.Packed()
		now.Times, now.Operands, now.Bytes = now.Times+of.Times, now.Operands+of.Operands, now.Bytes+of.Bytes
		if p.whole != nil {
			now.Input = of.Input
		}
	}
	if p.seen.times.Load() == now.Times { // as after nearly all runs
		return device.Packed{Input: -1}
	}
	now.Times -= p.seen.times.Swap(now.Times)
	now.Operands -= p.seen.operands.Swap(now.Operands)
	now.Bytes -= p.seen.bytes.Swap(now.Bytes)
	return now
}

// Overwrites implements [device.Overwriter], for programs of one group.
func (p *program) Overwrites() []int {
	if p.whole == nil {
		return nil
	}
	return p.whole.Overwrites()
}

// Binds implements [device.Packs]. Of a program of several groups it says whether each has packed at all: what
// their inputs are is known when they run.
func (p *program) Binds(inputs []*buf.Buffer) (bound bool, input int) {
	if p.whole != nil {
		return p.whole.Binds(inputs)
	}
	for _, g := range p.groups {
		if g.engine != nil && g.engine.Packed().Times == 0 {
			return false, -1
		}
	}
	return true, -1
}
