package compiler

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
)

// loop is a run of a loop over numbers. Its groups compute into memory of earlier turns that no value passed on has.
type loop struct {
	f       *frame
	body    *region
	records bool  // that the frame did before
	from    []int // for each slot that the body writes, how many of its buffers were in use before
}

// loop begins a run of a loop.
func (f *frame) loop(body *region) *loop {
	l := &loop{f: f, body: body, records: f.records}
	if !body.onlyGroups() {
		return l
	}
	f.records = true
	for _, s := range body.blocks[0].own {
		l.from = append(l.from, f.taken[s])
	}
	return l
}

// end ends the run. A frame that records only in loops forgets what their turns made.
func (l *loop) end() {
	f := l.f
	if f.records = l.records; f.records || l.from == nil {
		return
	}
	for i, s := range l.body.blocks[0].own {
		f.made[s], f.taken[s] = f.made[s][:l.from[i]], l.from[i]
		clear(f.made[s][l.from[i]:cap(f.made[s])])
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
		f.slots[s] = nil
		for _, v := range f.made[s][l.from[i]:f.taken[s]] {
			if !slices.Contains(args, v) {
				f.slots[s] = v
				break
			}
		}
	}
	if err := f.runAll(ctx, b.steps); err != nil {
		return nil, err
	}
	return f.pick(b.end.values), nil
}

// onlyGroups reports whether a region is a block of groups, each of which has results in memory of their own.
func (r *region) onlyGroups() bool {
	return len(r.blocks) == 1 && !slices.ContainsFunc(r.blocks[0].steps, func(s step) bool { return s.group == nil })
}
