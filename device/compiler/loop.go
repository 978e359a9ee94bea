package compiler

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
)

// loop is a region of a loop in one run of the loop. The groups of the region compute into memory of earlier turns that
// no value passed on has, or into the memory of the value that they replace.
type loop struct {
	f    *frame
	body *region
	from []int // for each slot that the body writes, how many of its buffers were in use before; nil for a body that is just run
}

// loops begins a run of a loop with some regions; end ends the run. A frame that records only in loops forgets what their
// turns made.
func (f *frame) loops(regions []*region) (list []loop, end func()) {
	records := f.records
	for _, r := range regions {
		l := loop{f: f, body: r}
		if r.owns() {
			l.from, f.records = make([]int, len(r.blocks[0].own)), true
			for i, s := range r.blocks[0].own {
				l.from[i] = f.taken[s]
			}
		}
		list = append(list, l)
	}
	return list, func() {
		if f.records = records; !records {
			for i := range list {
				list[i].forget()
			}
		}
	}
}

// forget drops the buffers that turns made.
func (l *loop) forget() {
	f := l.f
	for i, n := range l.from {
		s := l.body.blocks[0].own[i]
		f.made[s], f.taken[s] = f.made[s][:n], n
		clear(f.made[s][n:cap(f.made[s])])
	}
}

// turn runs the body and returns what it passes on.
func (l *loop) turn(ctx context.Context, args []*buf.Buffer) ([]*buf.Buffer, error) {
	f := l.f
	if l.from == nil {
		return l.body.run(ctx, f, args)
	}
	b := &l.body.blocks[0]
	for i, s := range b.args {
		f.slots[s] = args[i]
	}
	for i, s := range b.own {
		f.slots[s] = l.memory(i, args)
	}
	if err := f.runAll(ctx, b.steps); err != nil {
		return nil, err
	}
	return f.pick(b.end.values), nil
}

// memory returns the memory of the next value of a slot that the body writes: of the argument that the value replaces,
// if an earlier turn made the argument and no other argument has its memory; or else of an earlier turn, if no argument
// has it. It is nil if there is none yet.
func (l *loop) memory(own int, args []*buf.Buffer) *buf.Buffer {
	slot := l.body.blocks[0].own[own]
	earlier := l.f.made[slot][l.from[own]:l.f.taken[slot]]
	if n := l.body.replaced()[own]; n >= 0 && slices.Contains(earlier, args[n]) {
		if v := args[n]; !slices.Contains(args[:n], v) && !slices.Contains(args[n+1:], v) {
			return v
		}
	}
	for _, v := range earlier {
		if !slices.Contains(args, v) {
			return v
		}
	}
	return nil
}

// owns reports whether a region is one block, each step of which makes results in memory of their own.
func (r *region) owns() bool {
	return len(r.blocks) == 1 && !slices.ContainsFunc(r.blocks[0].steps, func(s step) bool { return !s.owns() })
}

// owns reports whether the results of a step have memory of their own. A result of the host may be part of another
// value, so that nobody knows when its memory may be written again.
func (s *step) owns() bool {
	return s.group != nil || s.scalar != nil && !slices.ContainsFunc(s.scalar.Results, isTensor)
}

// replaced returns for each slot that the block of a region writes the argument whose memory the value of the slot may
// have, or -1: an argument that no step reads behind the group and that the block does not pass on.
func (r *region) replaced() []int {
	r.once.Do(func() {
		b := &r.blocks[0]
		for i := range b.steps {
			for k := range b.steps[i].out {
				r.replaces = append(r.replaces, b.replacedBy(i, k))
			}
		}
	})
	return r.replaces
}

// replacedBy returns the argument in whose memory result k of step i may lie, or -1.
func (b *codeBlock) replacedBy(i, k int) int {
	s := &b.steps[i]
	if s.group == nil || s.group.engine == nil {
		return -1
	}
	over := s.group.engine.Overwrites()
	if over == nil || over[k] < 0 {
		return -1
	}
	slot := s.in[over[k]]
	used := slices.Contains(b.end.values, slot)
	for _, later := range b.steps[i+1:] {
		used = used || slices.Contains(later.in, slot)
	}
	if used {
		return -1
	}
	return slices.Index(b.args, slot)
}
