package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
)

// An operator in place that visits a place in memory twice, or reads what it has written, gives what depends on the
// order of its work: PyTorch refuses such calls where it sees them. Here all of them are refused.

// step is how many elements a place in memory moves with an index that lies between two numbers.
type step struct{ stride, low, high int }

// mostTried bounds the search of [meets], which then takes memory to meet.
const mostTried = 1 << 14

// meets reports whether a sum of steps is distance. Steps are tried from the largest on; what is left must be within
// reach of those that follow.
func meets(distance int, steps []step) bool {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s step) bool { return s.stride == 0 || s.low == 0 && s.high == 0 })
	slices.SortFunc(steps, func(a, b step) int { return b.stride - a.stride })
	low, high := make([]int, len(steps)+1), make([]int, len(steps)+1) // reach of the steps from i on
	for i := len(steps) - 1; i >= 0; i-- {
		low[i], high[i] = low[i+1]+steps[i].low*steps[i].stride, high[i+1]+steps[i].high*steps[i].stride
	}
	tried := 0
	var search func(i, left int) bool
	search = func(i, left int) bool {
		if left < low[i] || left > high[i] {
			return false
		}
		if tried++; i == len(steps) || tried > mostTried {
			return true
		}
		s := steps[i]
		from := max(s.low, ceilDiv(left-high[i+1], s.stride))
		to := min(s.high, -ceilDiv(low[i+1]-left, s.stride))
		for n := from; n <= to; n++ {
			if search(i+1, left-n*s.stride) {
				return true
			}
		}
		return false
	}
	return search(0, distance)
}

// ceilDiv is n/d rounded up, for a positive d.
func ceilDiv(n, d int) int {
	q := n / d
	if n%d > 0 {
		q++
	}
	return q
}

// overlapsItself returns a dimension along which elements lie in memory more than once, or -1.
func (m Memory) overlapsItself(dims []int) int {
	if shape.Size(dims) == 0 {
		return -1
	}
	var others []step
	for d := len(dims) - 1; d >= 0; d-- {
		if dims[d] == 1 {
			continue
		}
		if m.Strides[d] == 0 || meets(0, append(others, step{m.Strides[d], 1, dims[d] - 1})) {
			return d
		}
		others = append(others, step{m.Strides[d], 1 - dims[d], dims[d] - 1})
	}
	return -1
}

// meets reports whether two tensors share an element.
func (m Memory) meets(dims []int, n Memory, others []int) bool {
	if shape.Size(dims) == 0 || shape.Size(others) == 0 {
		return false
	}
	var steps []step
	for d, extent := range dims {
		steps = append(steps, step{m.Strides[d], 0, extent - 1})
	}
	for d, extent := range others {
		if k := slices.IndexFunc(steps[:len(dims)], func(s step) bool { return s.stride == n.Strides[d] && s.low == 0 }); k >= 0 {
			steps[k].low = 1 - extent // one step that goes both ways
			continue
		}
		steps = append(steps, step{n.Strides[d], 1 - extent, 0})
	}
	return meets(n.Offset-m.Offset, steps)
}

// Writable reports whether an operator in place may write to r and read the other operands; refOf returns the ref of an
// operand. No element of r may lie in memory more than once, unless the operator writes one number everywhere. No other
// operand may have elements of r at other places than r.
func (r *Ref) Writable(b Builder, op *Op, others []Arg, refOf func(Value) *Ref) error {
	if op.IsInplaceView() {
		return nil
	}
	if err := r.tracked(b, op); err != nil || op.Functional().Uniform {
		return err
	}
	call := Call{Op: op, Args: others}
	dims := r.Type().Shape
	own, known := r.Memory(r.Root().inMemory())
	if r.mayRepeat() {
		if !known {
			own.Strides = r.strides()
		}
		if d := own.overlapsItself(dims); d >= 0 {
			return repeatedError(op, d, dims)
		}
	}
	if !known || multiplies[op.Parsed().Name] {
		return nil
	}
	var met error
	call.Each(func(v Value) {
		other := refOf(v)
		if other == nil || other == r || other.Root() != r.Root() {
			return
		}
		m, known := other.Memory(r.Root().inMemory())
		to := other.Type().Shape
		if known && !(slices.Equal(dims, to) && own.SameAs(m, dims)) && own.meets(dims, m, to) {
			met = call.ArgErrorf("self is a part of memory that another operand, a view of %s, shows otherwise: clone the operand first",
				shape.String(to))
		}
	})
	return met
}

func repeatedError(op *Op, dim int, dims []int) error {
	return (&Call{Op: op}).ArgErrorf("self is a view that has elements more than once, along dimension %d of %s: clone it before it is written",
		dim, shape.String(dims))
}

// mayRepeat reports whether r is a view, or a view of one, of an operator that may give an element more than once.
func (r *Ref) mayRepeat() bool {
	for v := r; v.IsView(); v = v.Base() {
		if v.call.Op.Repeats {
			return true
		}
	}
	return false
}

// multiplies are operators in place that read all of their operands before they write.
var multiplies = map[string]bool{"addmm_": true, "addmv_": true, "addbmm_": true, "baddbmm_": true, "addr_": true}

// asRef returns the ref that an operand is, or nil.
func asRef(v Value) *Ref {
	r, _ := v.(*Ref)
	return r
}
