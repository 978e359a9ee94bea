package schedule

import "github.com/go-acap/acap/kernel"

// Minima and maxima give NaN if one of their values is NaN; finding a NaN takes more instructions than the extreme
// itself. Softmax does not need it: exp(x - m) is NaN where x is, whatever m is, and then so are the sum and all
// quotients.

// Absorbed reports whether every value that the nest stores is NaN whenever a
// value of a reduction is, whatever that reduction gives.
func (p *Loops) Absorbed(number, index int) bool {
	s := &p.Nest.Stages[number]
	x := s.Body[s.Reduce[index].Value]
	for x.Op == kernel.Cast && x.Type.IsFloat() {
		x = s.Body[x.A]
	}
	if s.Once || x.Op != kernel.Load || !x.Type.IsFloat() {
		return false
	}
	q := poison{n: p.Nest, port: x.Port, acc: map[[2]int]extent{}, kept: map[[2]int]extent{}}
	for i := range p.Nest.Stages {
		if !q.stage(i) {
			return false
		}
	}
	return true
}

// Exponent reports whether a reduction is only subtracted in exponents, where the sign of a zero does
// not matter.
func (p *Loops) Exponent(number, index int) bool {
	uses := 0
	for i := range p.Nest.Stages {
		s := &p.Nest.Stages[i]
		differences := map[int]bool{}
		for k, op := range s.Body {
			acc := func(v int) bool {
				a := s.Body[v]
				return a.Op == kernel.Acc && a.Port == number && int(a.Imm) == index
			}
			if op.Op == kernel.Sub && acc(op.B) && !acc(op.A) {
				differences[k] = true
				uses++
				continue
			}
			for _, v := range (&op).Operands() {
				if acc(v) || differences[v] && op.Op != kernel.Exp && op.Op != kernel.Exp2 {
					return false
				}
			}
		}
		for _, v := range s.Keep {
			if differences[v] || s.Body[v].Op == kernel.Acc {
				return false
			}
		}
		for _, r := range s.Reduce {
			if differences[r.Value] || s.Body[r.Value].Op == kernel.Acc {
				return false
			}
		}
	}
	return uses > 0
}

// extent says where a value is NaN if a port has been read as NaN at some inner
// points: perhaps nowhere, at least at these points, everywhere.
type extent int

const (
	nowhere extent = iota
	there
	everywhere
)

// poison follows the NaNs of a port through the stages.
type poison struct {
	n         *kernel.Nest
	port      int
	stored    bool // something has been stored, perhaps over the port
	acc, kept map[[2]int]extent
}

// stage follows them through a stage. It reports whether all that the stage
// stores is NaN, and no address can depend on the values.
func (p *poison) stage(number int) bool {
	s := &p.n.Stages[number]
	at := make([]extent, len(s.Body))
	for k, i := range s.Body {
		switch i.Op {
		case kernel.LoadAt:
			return false
		case kernel.Store:
			if at[i.A] != everywhere {
				return false
			}
			p.stored = true
		default:
			if i.Type.IsFloat() {
				at[k] = p.value(i, at)
			}
		}
	}
	for k, v := range s.Keep {
		if !s.Once || at[v] == everywhere {
			p.kept[[2]int{number, k}] = at[v]
		}
	}
	for k, r := range s.Reduce {
		v := at[r.Value]
		sum := r.Kind == kernel.ReduceSum && r.Type.IsFloat()
		if sum && (v == everywhere || v == there && !s.Once) {
			p.acc[[2]int{number, k}] = everywhere
		}
	}
	return true
}

// value says where a floating instruction gives NaN.
func (p *poison) value(i kernel.Instr, at []extent) extent {
	switch i.Op {
	case kernel.Load:
		if i.Port == p.port && !p.stored {
			return there
		}
	case kernel.Acc:
		return p.acc[[2]int{i.Port, int(i.Imm)}]
	case kernel.Kept:
		return p.kept[[2]int{i.Port, int(i.Imm)}]
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Max, kernel.Min:
		return max(at[i.A], at[i.B])
	case kernel.Neg, kernel.Abs, kernel.Sqrt, kernel.RSqrt, kernel.Exp, kernel.Exp2, kernel.Log,
		kernel.Log2, kernel.Cast:
		return at[i.A] // nowhere for an integer
	}
	return nowhere
}
