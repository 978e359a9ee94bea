package trace

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// slot is a number among the arguments of a site's calls. It is a constant of the programs
// that the calls are in until somebody finds that it varies; then it is an input of those that
// are compiled afterwards.
type slot struct {
	arg   int                           // its place among the arguments
	bits  uint64                        // its value
	kind  uint16                        // in [lines].kinds
	state atomic.Pointer[atomic.Uint32] // in [lines].states; nil before somebody asks
}

// The facts about the numbers that a line of the program passes to an operator.
const (
	constant uint32 = iota
	varying
	refused // cannot be an input
)

// lines has what is known, by a hash of the line, the operator, the types of its operands and
// the argument. Looking up a line is slow: first the number of those that vary and then some bits of the hash of all
// but the line tell whether to look at all.
var lines struct {
	sync.Mutex // of states, and of changes
	states     map[ops.Hash]*atomic.Uint32
	kinds      [1 << 10]atomic.Bool
	varying    atomic.Int32
}

// change says something else of a line, if it was a constant or always.
func (s *site) change(l *slot, to uint32, always bool) {
	state := s.state(l)
	lines.Lock()
	defer lines.Unlock()
	before := state.Load()
	if before == to || before != constant && !always {
		return
	}
	state.Store(to)
	switch {
	case to == varying:
		lines.kinds[l.kind].Store(true)
		lines.varying.Add(1)
	case before == varying:
		lines.varying.Add(-1)
	}
}

// ForgetNumbers forgets which numbers vary.
func ForgetNumbers() {
	lines.Lock()
	defer lines.Unlock()
	lines.varying.Store(0)
	for i := range lines.kinds {
		lines.kinds[i].Store(false)
	}
	for _, state := range lines.states { // slots keep them
		state.Store(constant)
	}
}

// findSlots lists the numbers of a site whose call is complete, and hashes the rest.
func (s *site) findSlots() {
	if s.call.Op == nil || s.call.Args == nil {
		return
	}
	structure := s.call.Op.Hash()
	for i := range s.call.Args {
		a := &s.call.Args[i]
		if !s.call.Opens(i) {
			structure = a.Hash(structure)
			continue
		}
		structure = structure.Mix(uint64(a.Kind))
		s.slots = append(s.slots, slot{arg: i, bits: a.Bits(), kind: uint16(s.kind(i).Lo % uint64(len(lines.kinds)))})
	}
	for _, t := range s.types { // which the numbers may decide
		structure = structure.Join(t)
	}
	s.structure = structure
}

// kind is a hash of an argument and of all but its line.
func (s *site) kind(arg int) ops.Hash {
	h := s.call.Op.Hash()
	for i := range s.operands {
		h = h.Mix(uint64(s.operands[i].typ.DType))
	}
	return h.Mix(uint64(arg))
}

// state returns what is known of a slot of the site.
func (s *site) state(l *slot) *atomic.Uint32 {
	if state := l.state.Load(); state != nil {
		return state
	}
	file, line := s.place.line()
	key := s.kind(l.arg).Text(file).Mix(uint64(line))
	lines.Lock()
	defer lines.Unlock()
	state := lines.states[key]
	if state == nil {
		if lines.states == nil {
			lines.states = map[ops.Hash]*atomic.Uint32{}
		}
		state = &atomic.Uint32{}
		lines.states[key] = state
	}
	l.state.Store(state)
	return state
}

func (s *site) varies(l *slot) bool {
	return lines.kinds[l.kind].Load() && s.state(l).Load() == varying
}

// isOpen reports whether a number of the call varies. Nearly always none does, so it is asked first.
func (s *site) isOpen() bool {
	for i := range s.slots {
		if s.varies(&s.slots[i]) {
			return true
		}
	}
	return false
}

// open is the hash of an open call with the numbers that vary left out, which are appended to g.
func (s *site) open(n *Node, g *Graph) ops.Hash {
	key := s.structure
	for i := range s.slots {
		l := &s.slots[i]
		if s.varies(l) {
			g.Numbers = append(g.Numbers, Number{n, l.arg})
			key = key.Mix(1)
		} else {
			key = key.Mix(0).Mix(l.bits)
		}
	}
	return key
}

// Stale reports whether numbers have become inputs, or constants again, since the graph was collected.
func (g *Graph) Stale() bool {
	count := 0
	if lines.varying.Load() > 0 {
		for _, n := range g.Nodes {
			for i := range n.site.slots {
				if n.site.varies(&n.site.slots[i]) {
					count++
				}
			}
		}
	}
	return count != len(g.Numbers)
}

// alike reports whether the calls of two sites are the same but for numbers that vary.
func (s *site) alike(t *site) bool {
	if s == t || s.local == t.local {
		return true
	}
	if s.slots == nil || s.structure != t.structure || len(s.slots) != len(t.slots) {
		return false
	}
	for i := range s.slots {
		if l := &s.slots[i]; l.bits != t.slots[i].bits && !s.varies(l) {
			return false
		}
	}
	return true
}

// varyingArg reports whether an argument is a number that varies.
func (s *site) varyingArg(arg int) bool {
	for i := range s.slots {
		if l := &s.slots[i]; l.arg == arg {
			return s.varies(l)
		}
	}
	return false
}

// Number is a number that a call has as an argument and a program as an input.
type Number struct {
	Node *Node
	Arg  int
}

// Type implements [ops.Value].
func (n Number) Type() ops.TensorType { return ops.OpenType(n.arg().Kind) }

func (n Number) arg() *ops.Arg { return &n.Node.site.call.Args[n.Arg] }

// Data returns the number as the program takes it.
func (n Number) Data() *buf.Buffer {
	a := n.arg()
	b := buf.New(n.Type().DType, nil)
	if a.Kind == ops.KindFloat {
		b.SetFloat64(0, a.Float())
	} else {
		b.SetInt64(0, int64(a.Int()))
	}
	return b
}

// Text returns the operator, the name of the argument, and the number.
func (n Number) Text() (op, argument, value string) {
	o := n.Node.site.call.Op
	return o.Name(), o.Parsed().Params[n.Arg].Name, argText(n.arg())
}

// Refuse says that the number cannot be an input after all: it is a constant for good.
func (n Number) Refuse() {
	for i := range n.Node.site.slots {
		if l := &n.Node.site.slots[i]; l.arg == n.Arg {
			n.Node.site.change(l, refused, true)
		}
	}
}

// Family is a hash of the structure without any numbers.
func (s *Sketch) Family() ops.Hash {
	h := ops.Hash{}
	for _, x := range s.sites {
		if x.slots != nil {
			h = h.Join(x.structure)
		} else {
			h = h.Join(x.local)
		}
	}
	for _, p := range s.operands {
		h = h.Mix(p)
	}
	for _, l := range s.leaves {
		h = h.Join(l.signature)
	}
	for _, p := range s.roots {
		h = h.Mix(p)
	}
	return h
}

// Varied is a number that differs between two sketches of a family.
type Varied struct {
	site *site
	slot *slot
	Difference
}

// Varied returns the numbers that differ from the numbers of a sketch of the same family and that are not known to
// vary; nil if there is another difference.
func (s *Sketch) Varied(t *Sketch) []Varied {
	if len(s.sites) != len(t.sites) {
		return nil
	}
	var all []Varied
	for i, x := range s.sites {
		y := t.sites[i]
		if x.alike(y) {
			continue
		}
		if x.slots == nil || x.structure != y.structure {
			return nil
		}
		for k := range x.slots {
			if l := &x.slots[k]; l.bits != y.slots[k].bits && !x.varies(l) {
				all = append(all, Varied{x, l, *s.differArg(t, i, l.arg)})
			}
		}
	}
	return all
}

// VariedElsewhere returns the numbers that differ from the numbers of a sketch of the same calls in other shapes and
// that are not known to vary or to decide.
func (s *Sketch) VariedElsewhere(t *Sketch) []Varied {
	if len(s.sites) != len(t.sites) || !slices.Equal(s.operands, t.operands) {
		return nil
	}
	var all []Varied
	for i, x := range s.sites {
		y := t.sites[i]
		if x.call.Op != y.call.Op || len(x.slots) != len(y.slots) {
			return nil
		}
		for k := range x.slots {
			l := &x.slots[k]
			if l.arg == y.slots[k].arg && l.bits != y.slots[k].bits && x.state(l).Load() == constant {
				all = append(all, Varied{x, l, *s.differArg(t, i, l.arg)})
			}
		}
	}
	return all
}

// Call returns the recorded call, with values that have but a type in the place of its
// tensors, and the argument that varies. It must not be modified.
func (v Varied) Call() (c *ops.Call, arg int) { return &v.site.call, v.slot.arg }

// Open makes the number an input of the programs that are collected from now on. It reports
// whether it may be one.
func (v Varied) Open() bool {
	v.site.change(v.slot, varying, false)
	return v.site.state(v.slot).Load() == varying
}

// Refuse says that the number cannot be an input.
func (v Varied) Refuse() { v.site.change(v.slot, refused, false) }

// Refused reports whether it is known that the number cannot be an input.
func (v Varied) Refused() bool { return v.site.state(v.slot).Load() == refused }
