package vector

// known are the operations without effects that a builder has written, by what they are: a hash table whose length is a
// power of two. Values that a loop writes are known until the loop ends. Entries of earlier programs count as empty.
type known struct {
	table []entry
	used  int
	loops []int32 // open loops, by number
	first int32   // the number of the program, as if it were a loop
	count int32   // of programs and loops so far
}

// entry is an operation, and the loop that it is in, or the program if it is in none.
type entry struct {
	instr *Instr
	loop  int32
	depth int32
}

// mostKept is the length of the longest table that the next program gets.
const mostKept = 1 << 12

// begin forgets all operations.
func (k *known) begin() {
	if len(k.table) > mostKept || k.count > 1<<30 {
		k.table, k.count = nil, 0
	}
	k.count++
	k.used, k.loops, k.first = 0, k.loops[:0], k.count
}

// empty reports whether an entry has no operation of the program.
func (k *known) empty(e *entry) bool { return e.instr == nil || e.loop < k.first }

func (k *known) open() {
	k.count++
	k.loops = append(k.loops, k.count)
}

func (k *known) close() { k.loops = k.loops[:len(k.loops)-1] }

// inScope reports whether the loop of an operation is open.
func (k *known) inScope(e *entry) bool {
	return e.depth == 0 || int(e.depth) <= len(k.loops) && k.loops[e.depth-1] == e.loop
}

// find returns the entry of an operation with operands, which is empty if there has been none.
func (k *known) find(i *Instr, args []Val) *entry {
	if 2*k.used >= len(k.table) {
		k.grow()
	}
	h := hashOf(i)
	for _, v := range args {
		h = mix(h, uint64(v.ID))
	}
	for n := h; ; n++ {
		e := &k.table[n&uint64(len(k.table)-1)]
		if k.empty(e) {
			e.instr = nil
		}
		if e.instr == nil || e.instr.equals(i, args) {
			return e
		}
	}
}

func (i *Instr) equals(other *Instr, args []Val) bool {
	if i.Op != other.Op || i.Kind != other.Kind || i.From != other.From || i.Imm != other.Imm ||
		i.Mem != other.Mem || i.Count != other.Count || i.Stride != other.Stride {
		return false
	}
	for n, v := range args {
		if i.Args[n] != v.ID {
			return false
		}
	}
	return true
}

// hashOf is the hash of an operation without its operands.
func hashOf(i *Instr) uint64 {
	return mix(uint64(i.Op)<<20|uint64(i.Kind)<<10|uint64(i.From), uint64(i.Imm))
}

// mix is a step of a multiplicative hash, whose number is 2^64 by the golden ratio.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// set gives an operation an entry that holds in depth of the open loops.
func (k *known) set(e *entry, i *Instr, depth int) {
	if e.instr == nil {
		k.used++
	}
	*e = entry{i, k.first, int32(depth)}
	if depth > 0 {
		e.loop = k.loops[e.depth-1]
	}
}

// grow doubles the table, and leaves out what is not in scope.
func (k *known) grow() {
	old := k.table
	k.table, k.used = make([]entry, max(256, 2*len(old))), 0
	for n := range old {
		e := &old[n]
		if k.empty(e) || !k.inScope(e) {
			continue
		}
		h := hashOf(e.instr)
		for _, v := range e.instr.Args {
			h = mix(h, uint64(v))
		}
		for ; k.table[h&uint64(len(k.table)-1)].instr != nil; h++ {
		}
		k.table[h&uint64(len(k.table)-1)] = *e
		k.used++
	}
}
