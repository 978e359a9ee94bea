package vector

import "math/bits"

// file is the registers of a kind, at most 32.
type file struct {
	all    []int // ascending
	room   int   // for what a loop computes
	set    uint32
	owner  [32]Value // by register, -1 if there is none
	free   uint32    // registers of the set that hold nothing
	locked uint32
	pinned uint32 // registers of variables
	taken  uint32 // for a value or for the moment, since that was cleared
}

func newFile(all []int, room int) file {
	f := file{all: all, room: room}
	for _, r := range all {
		f.set |= 1 << r
	}
	f.clear()
	return f
}

// clear empties all registers.
func (f *file) clear() {
	for r := range f.owner {
		f.owner[r] = -1
	}
	f.free = f.set
}

func (f *file) own(r int, v Value) {
	f.owner[r] = v
	f.free &^= 1 << r
}

func (f *file) drop(r int) {
	f.owner[r] = -1
	f.pinned &^= 1 << r
	f.free |= 1 << r & f.set
}

func (f *file) lock(r int) { f.locked |= 1 << r }

func (f *file) isLocked(r int) bool { return (f.locked|f.pinned)>>r&1 != 0 }

// ready is the registers that nothing is in, and nothing needs for the moment.
func (f *file) ready() uint32 { return f.free &^ f.locked }

// moveable is the registers that values are in which may be moved.
func (f *file) moveable() uint32 { return f.set &^ f.free &^ f.pinned }

// owned is the number of registers that something is in.
func (f *file) owned() int { return bits.OnesCount32(f.set &^ f.free) }
