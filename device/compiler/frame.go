package compiler

import (
	"slices"
	"sync"

	"github.com/go-acap/acap/base/buf"
)

// frame is the memory of one run of a procedure.
type frame struct {
	slots   []*buf.Buffer
	in, out []*buf.Buffer // of the group that runs
	// made holds the buffers that groups made for each slot, if the frame records them; the first taken of them are in
	// use.
	made    [][]*buf.Buffer
	taken   []int
	records bool
}

// frames are the frames of a procedure that no run uses. The zero value has none.
type frames struct {
	mu   sync.Mutex
	free []*frame
}

// maxFrames bounds the frames that a procedure keeps for later runs.
const maxFrames = 16

// mostKept bounds the bytes that the values of a procedure take whose frames are kept: a larger value is freed as soon
// as the last step has read it.
const mostKept = 4 << 20

// keepsFrames decides whether a procedure keeps its frames.
func (p *procedure) keepsFrames() bool {
	own := true
	var bytes int64
	eachStep(p.steps, func(s *step) {
		own = own && (s.owns() || s.control != nil && s.control.callee == nil)
		bytes = buf.AddBytes(append(s.bytes, bytes)...)
	})
	return own && bytes >= 0 && bytes <= mostKept
}

// frame returns a frame that no run uses.
func (p *procedure) frame() *frame {
	p.frames.mu.Lock()
	defer p.frames.mu.Unlock()
	if last := len(p.frames.free) - 1; last >= 0 {
		f := p.frames.free[last]
		p.frames.free = p.frames.free[:last]
		return f
	}
	return &frame{slots: make([]*buf.Buffer, p.slots), made: make([][]*buf.Buffer, p.slots), taken: make([]int, p.slots),
		records: p.keeps}
}

// keep keeps a frame for a later run, without the buffers that have left the run as results.
func (p *procedure) keep(f *frame, results []*buf.Buffer) {
	if !p.keeps {
		return
	}
	for s := range f.made {
		f.made[s] = slices.DeleteFunc(f.made[s], func(v *buf.Buffer) bool { return slices.Contains(results, v) })
	}
	clear(f.slots)
	clear(f.taken)
	clear(f.in[:cap(f.in)])
	clear(f.out[:cap(f.out)])
	p.frames.mu.Lock()
	defer p.frames.mu.Unlock()
	if len(p.frames.free) < maxFrames {
		p.frames.free = append(p.frames.free, f)
	}
}

// pick returns what is in slots.
func (f *frame) pick(which []int) []*buf.Buffer { return pick(nil, f.slots, which) }

func pick(list, slots []*buf.Buffer, which []int) []*buf.Buffer {
	for _, s := range which {
		list = append(list, slots[s])
	}
	return list
}

// take returns a buffer for a slot that was made before and is not in use, nil if there is none.
func (f *frame) take(slot int) *buf.Buffer {
	n := f.taken[slot]
	if !f.records || n >= len(f.made[slot]) {
		return nil
	}
	f.taken[slot]++
	return f.made[slot][n]
}

// record notes a buffer that a group made for a slot.
func (f *frame) record(slot int, v *buf.Buffer) {
	if f.records {
		f.made[slot] = append(f.made[slot], v)
		f.taken[slot] = len(f.made[slot])
	}
}
