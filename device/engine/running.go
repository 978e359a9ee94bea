package engine

import (
	"context"
	"errors"

	"github.com/go-acap/acap/base/buf"
)

// Who runs a program takes its lock twice, to start and to finish: what is shared between runs costs more
// than a small kernel does.

// errClosed is the error of a run after Close.
var errClosed = errors.New("engine: the program is closed")

// start begins a run, and finish ends the run. start returns memory that no other run uses.
func (p *Program) start(ctx context.Context, inputs []*buf.Buffer) (*frame, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.running++
	b := p.bound(inputs)
	var f *frame
	if b != nil {
		f = p.take(b)
	}
	p.mu.Unlock()
	if b == nil {
		var err error
		if b, err = p.bind(ctx, inputs); err != nil {
			p.finish(nil)
			return nil, err
		}
	}
	if f == nil {
		f = p.frame(b)
	}
	f.bind(b)
	return f, nil
}

// finish ends a run and keeps its frame, if it has one, for another. The last run of a program that has been closed
// frees it.
func (p *Program) finish(f *frame) {
	if f != nil {
		f.forget()
		p.leave(f)
	}
	p.mu.Lock()
	if f != nil {
		p.keepFrame(f)
	}
	p.running--
	last := p.closed && p.running == 0
	p.mu.Unlock()
	if last {
		p.free()
	}
}

// Close refuses later runs and frees the machine code, as soon as no run is going on.
func (p *Program) Close() {
	p.mu.Lock()
	last := !p.closed && p.running == 0
	p.closed = true
	p.mu.Unlock()
	if last {
		p.free()
	}
}

func (p *Program) free() {
	for _, s := range p.Steps {
		s.Free()
	}
	p.mu.Lock()
	p.bindings, p.frames = nil, nil
	p.mu.Unlock()
}
