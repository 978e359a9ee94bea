package trace

import (
	"slices"
	"sync/atomic"

	"github.com/go-acap/acap/ops"
)

// site is shared by the calls that one place in a program records with the same attributes and operand types. It has
// everything about them but the operands. Loops record the same calls again and again, so a call that has been recorded
// before is neither checked nor inferred anew, and its node keeps little. Sites do not change.
type site struct {
	key      ops.Hash   // of all the rest
	call     ops.Call   // checked; an operand stands for each tensor
	local    ops.Hash   // of the operator and the attributes
	types    []ops.Hash // of the result types
	operands []operand
	place    place

	slots     []slot   // the numbers among the arguments
	structure ops.Hash // of the operator, the other attributes and the result types

	differentiable bool // a gradient may flow through the call
	owner          any  // of a parameter's value, see [Node.Require]
	link           *Link
	effects        []*Node // see [Node.Affect]
	group          *Group  // see [Together]
	region         *region // see [Recompute]
	replaces       int     // calls back to the value whose place is taken, 0 if none; see [Replace]
	dynamic        []Dynamic

	out  [1]ops.TensorType // memory for one result
	hash [1]ops.Hash
}

// operand is what a site knows of an operand. It stands for it in the site's call.
type operand struct {
	index  int // among the operands of a node
	result int // which result of its node it is
	typ    ops.TensorType
}

// Type implements [ops.Value].
func (o *operand) Type() ops.TensorType { return o.typ }

// sites are the sites used last. The key of a site has two halves. Each half names a place in the table, and the site
// is at one of the two places. Calls in a loop are few and rarely want the same places, so they keep their sites.
var sites [1 << 12]atomic.Pointer[site]

// first and second are the places of a key.
func first(key ops.Hash) *atomic.Pointer[site]  { return &sites[key.Lo%uint64(len(sites))] }
func second(key ops.Hash) *atomic.Pointer[site] { return &sites[key.Hi%uint64(len(sites))] }

// mostOperands bounds the operands of the sites that are kept.
const mostOperands = 64

// known returns the site of a key, or nil.
func known(key ops.Hash) *site {
	if s := first(key).Load(); s != nil && s.key == key {
		return s
	}
	if s := second(key).Load(); s != nil && s.key == key {
		return s
	}
	return nil
}

// newSite returns the site of a call that has still to be checked.
func newSite(op *ops.Op, args []ops.Arg) *site {
	s := &site{}
	room := max(len(op.Parsed().Params), len(args)) // for defaults
	s.call = ops.Call{Op: op, Args: append(make([]ops.Arg, 0, room), args...), Out: s.out[:0]}
	return s
}

// check checks the call, which becomes one of the functional operator if it works in place.
func (s *site) check() error {
	err := s.call.Init()
	if err == nil {
		err = s.call.CheckMemory()
	}
	if f := s.call.Op.Functional(); err == nil && f != s.call.Op {
		s.call.Op, s.call.Out = f, s.out[:0]
		err = s.call.Init()
	}
	return err
}

// seal completes the site of a call that has been checked: it keeps neither tensors nor
// lists of who recorded it.
func (s *site) seal() {
	if s.call.Op != nil {
		s.local = s.call.Op.Hash()
	}
	count := 0
	s.call.Each(func(ops.Value) { count++ })
	s.operands = make([]operand, 0, count)
	for i := range s.call.Args {
		a := &s.call.Args[i]
		s.local = a.Hash(s.local)
		*a = a.Clone()
		switch a.Kind {
		case ops.KindTensor:
			a.SetTensor(s.operand(a.Tensor()))
		case ops.KindTensors:
			for j, v := range a.Tensors() {
				if v != nil {
					a.Tensors()[j] = s.operand(v)
				}
			}
		}
	}
	s.types = s.hash[:0]
	for i := range s.call.Out {
		t := &s.call.Out[i]
		s.differentiable = s.differentiable || s.call.Op != nil && !s.call.Op.Detached && t.Differentiable()
		t.Shape = slices.Clone(t.Shape)
		s.types = append(s.types, t.Hash(ops.Hash{}))
	}
	s.findSlots()
}

func (s *site) operand(v ops.Value) *operand {
	_, result := Of(v)
	i := len(s.operands)
	s.operands = append(s.operands, operand{i, result, v.Type()})
	return &s.operands[i]
}

// keep completes a site and lets [known] find it.
func (s *site) keep(key ops.Hash, p place) {
	s.key, s.place = key, p
	s.seal()
	if len(s.operands) > mostOperands {
		return
	}
	at := first(key)
	if old := at.Swap(s); old != nil && old.key != key {
		if to := second(old.key); to != at {
			to.Store(old)
		} else {
			first(old.key).Store(old)
		}
	}
}

// leafSite returns the site of leaves of a type.
func leafSite(t ops.TensorType) *site {
	key := t.Hash(ops.Hash{Lo: 1, Hi: 2})
	s := known(key)
	if s == nil {
		s = &site{}
		s.call.Out = append(s.out[:0], t)
		s.keep(key, place{})
	}
	return s
}

// siteKey is the key of the site of a call whose arguments need not be complete.
func siteKey(op *ops.Op, args []ops.Arg) ops.Hash {
	key := op.Hash()
	for i := range args {
		switch a := &args[i]; a.Kind {
		case ops.KindTensor:
			key = operandKey(key, a.Tensor())
		case ops.KindTensors:
			key = a.Hash(key)
			for _, v := range a.Tensors() {
				if v != nil {
					key = operandKey(key, v)
				}
			}
		default:
			key = a.Hash(key)
		}
	}
	return key
}

func operandKey(key ops.Hash, v ops.Value) ops.Hash {
	n, result := Of(v)
	key = key.Join(n.site.types[result])
	if result != 0 {
		key = key.Mix(uint64(result) << 32) // no kind of an argument that may follow
	}
	return key
}
