package vector

// file is the registers of a kind, of which there are at most 32.
type file struct {
	all    []int
	room   int       // for what a loop computes
	owner  [32]Value // by register, -1 if there is none
	locked uint32    // a bit for each
}

func newFile(all []int, room int) file {
	f := file{all: all, room: room}
	f.clear()
	return f
}

// clear empties all registers.
func (f *file) clear() {
	for r := range f.owner {
		f.owner[r] = -1
	}
}

func (f *file) lock(r int) { f.locked |= 1 << r }

func (f *file) isLocked(r int) bool { return f.locked>>r&1 != 0 }

// isFree reports whether nothing is in a register, and nothing needs it for the moment.
func (f *file) isFree(r int) bool { return f.owner[r] < 0 && !f.isLocked(r) }

// owned is the number of registers that something is in.
func (f *file) owned() (n int) {
	for _, v := range f.owner {
		if v >= 0 {
			n++
		}
	}
	return n
}
