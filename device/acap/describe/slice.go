package describe

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Slice is the part of a port that a nest reads if scalars alone, such as the counter of a loop, say where the part
// begins.
type Slice struct {
	Port  int
	Place *kernel.Nest // computes the place, in elements (i64), from the scalars
	From  []int        // ports of the scalars; the result comes after them
}

// word is the bytes that places of descriptors are multiples of.
const word = 4

// Sliced returns an equal nest that reads slices as arrays of their own, whose offsets are those at place 0, and the
// slices. The controller that starts a kernel writes the place into its descriptors, so that no more than the slice
// moves. Where n has none, Sliced returns n.
func Sliced(n *kernel.Nest) (*kernel.Nest, []Slice) {
	var out []Slice
	for port := range n.Access {
		if s, ok := sliceOf(n, port); ok {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return n, nil
	}
	with := &kernel.Nest{Name: n.Name, Outer: n.Outer, Inner: n.Inner, Access: slices.Clone(n.Access)}
	ports := make(map[int]bool)
	for _, s := range out {
		ports[s.Port] = true
		with.Access[s.Port].Const = false // other elements in each run
	}
	for _, s := range n.Stages {
		with.Stages = append(with.Stages, slicedStage(s, ports))
	}
	return with, out
}

// sliceOf returns the slice of a port that is read at one place alone, which all points have in common.
func sliceOf(n *kernel.Nest, port int) (Slice, bool) {
	var s Slice
	for i := range n.Stages {
		body := n.Stages[i].Body
		for _, at := range body {
			if at.Port != port || at.Op != kernel.Load && at.Op != kernel.LoadAt {
				continue
			}
			if at.Op == kernel.Load || !uniform(n, body)[at.A] {
				return s, false
			}
			place, from := placeOf(n, body, at.A)
			step := multiples(body)[at.A] * int64(n.Access[port].DType.Size())
			if step%word != 0 || s.Place != nil && s.Place.String() != place.String() {
				return s, false
			}
			s = Slice{port, place, from}
		}
	}
	return s, s.Place != nil
}

// uniform tells of each value whether it is the same at all points of the nest.
func uniform(n *kernel.Nest, body kernel.Body) []bool {
	out := make([]bool, len(body))
	for k, i := range body {
		switch i.Op {
		case kernel.Load:
			a := &n.Access[i.Port]
			out[k] = !a.Write && len(moving(loops(n.Outer, a.Outer))) == 0 && len(moving(loops(n.Inner, a.Inner))) == 0
		case kernel.LoadAt, kernel.Index, kernel.Acc, kernel.Kept, kernel.Input, kernel.Store:
		default:
			out[k] = !slices.ContainsFunc(i.Operands(), func(from int) bool { return !out[from] })
		}
	}
	return out
}

// multiples gives of each value a number that divides it, whatever the nest reads; 0 for a value that is 0.
func multiples(body kernel.Body) []int64 {
	out := make([]int64, len(body))
	for k, i := range body {
		switch i.Op {
		case kernel.Const:
			out[k] = int64(i.Imm)
		case kernel.Mul:
			out[k] = out[i.A] * out[i.B]
		case kernel.Add, kernel.Sub, kernel.Min, kernel.Max:
			out[k] = divisor(out[i.A], out[i.B])
		case kernel.Select:
			out[k] = divisor(out[i.B], out[i.C])
		default:
			out[k] = 1
		}
	}
	return out
}

// divisor returns the greatest common divisor; divisor(a, 0) is |a|.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// placeOf returns the kernel that computes a value from scalars, and their ports.
func placeOf(n *kernel.Nest, body kernel.Body, value int) (*kernel.Nest, []int) {
	place := &kernel.Nest{Name: "place", Outer: []int{1}, Inner: []int{}}
	var from []int
	b, values := live(body, []int{value}, func(i kernel.Instr) kernel.Instr {
		if i.Op != kernel.Load {
			return i
		}
		at := slices.Index(from, i.Port)
		if at < 0 {
			a := &n.Access[i.Port]
			at, from = len(from), append(from, i.Port)
			place.Access = append(place.Access, kernel.Access{Port: a.Port, Offset: a.Offset, Outer: []int{0}, Inner: []int{}})
		}
		i.Port = at
		return i
	})
	b.Store(len(from), values[value])
	place.Access = append(place.Access,
		kernel.Access{Port: kernel.Port{DType: dtype.I64, Len: 1, Write: true}, Outer: []int{1}, Inner: []int{}})
	place.Stages = []kernel.Stage{{Body: b.Body()}}
	return place, from
}

// live writes the instructions of a body on which values depend, each changed, and gives their new numbers.
func live(body kernel.Body, values []int, change func(kernel.Instr) kernel.Instr) (*kernel.Builder, []int) {
	used := make([]bool, len(body))
	for _, v := range values {
		used[v] = true
	}
	for k := len(body) - 1; k >= 0; k-- {
		if used[k] {
			for _, from := range body[k].Operands() {
				used[from] = true
			}
		}
	}
	b, numbers := kernel.NewBody(), make([]int, len(body))
	for k, i := range body {
		if used[k] {
			numbers[k] = b.Emit(change(i.Renumbered(numbers)))
		}
	}
	return b, numbers
}

// slicedStage returns a stage that loads from slices, without what computed their places.
func slicedStage(s kernel.Stage, ports map[int]bool) kernel.Stage {
	body := slices.Clone(s.Body)
	values := slices.Clone(s.Keep)
	for k := range body {
		switch i := &body[k]; {
		case i.Op == kernel.LoadAt && ports[i.Port]:
			*i = kernel.Instr{Op: kernel.Load, Type: i.Type, Port: i.Port}
		case i.Op == kernel.Store:
			values = append(values, k)
		}
	}
	for _, r := range s.Reduce {
		if values = append(values, r.Value); r.Kind.IsArg() {
			values = append(values, r.Arg)
		}
	}
	b, numbers := live(body, values, func(i kernel.Instr) kernel.Instr { return i })
	return withBody(s, b.Body(), numbers)
}

// withBody returns the stage with another body, in which values have other numbers.
func withBody(s kernel.Stage, body kernel.Body, numbers []int) kernel.Stage {
	s.Body, s.Reduce, s.Keep = body, slices.Clone(s.Reduce), slices.Clone(s.Keep)
	for k := range s.Reduce {
		r := &s.Reduce[k]
		r.Value = numbers[r.Value]
		if r.Kind.IsArg() {
			r.Arg = numbers[r.Arg]
		}
	}
	for k, v := range s.Keep {
		s.Keep[k] = numbers[v]
	}
	return s
}
