package fastmath

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// The levels.
const (
	Strict      = iota // every operation rounds
	Contract           // products are added without rounding them first
	Reciprocals        // what is divided by a constant, or several times by one value, is multiplied
	Algebra            // numbers are finite, zeros have no sign, constants of a chain are joined
	Approximate        // functions are computed by cheaper ones
	Highest     = Approximate
)

// Kernel returns a kernel with its bodies rewritten; k stays as it is.
func Kernel(k kernel.Kernel, level int) kernel.Kernel {
	if level <= Strict {
		return k
	}
	return kernel.WithBodies(k, func(b kernel.Body, refs []*int) kernel.Body { return Body(b, level, refs) })
}

// Body rewrites a body. refs are further references to its instructions, which are renumbered.
func Body(body kernel.Body, level int, refs []*int) kernel.Body {
	if len(body) == 0 {
		return body
	}
	r := &rewriter{Builder: kernel.NewBody(), old: body, level: level,
		to: make([]int, len(body)), uses: make([]int, len(body)), divides: make([]int, len(body))}
	for _, i := range body {
		for _, o := range i.Operands() {
			r.uses[o]++
		}
		if i.Op == kernel.Div {
			r.divides[i.B]++
		}
	}
	for _, ref := range refs {
		r.uses[*ref]++
	}
	for k, i := range body {
		r.to[k] = r.instr(&i)
	}
	for _, ref := range refs {
		*ref = r.to[*ref]
	}
	return kernel.Compact(r.Builder.Body(), refs)
}

// rewriter writes a body anew.
type rewriter struct {
	*kernel.Builder
	old     kernel.Body
	level   int
	to      []int // the new number of each old instruction
	uses    []int // of the old ones
	divides []int // how often each is a divisor
}

// instr writes what stands for an instruction.
func (r *rewriter) instr(i *kernel.Instr) int {
	same := i.Renumbered(r.to)
	if i.Type == dtype.F32 || i.Type == dtype.F64 || i.Op == kernel.IsNaN || i.Op == kernel.IsInf {
		for _, rule := range []struct {
			level int
			apply func(*rewriter, *kernel.Instr, kernel.Instr) (int, bool)
		}{
			{Approximate, (*rewriter).approximate},
			{Algebra, (*rewriter).simplify},
			{Reciprocals, (*rewriter).reciprocal},
			{Contract, (*rewriter).contract},
		} {
			if r.level >= rule.level {
				if v, ok := rule.apply(r, i, same); ok {
					return v
				}
			}
		}
	}
	return r.Emit(same)
}

func (r *rewriter) at(v int) kernel.Instr { return r.Body()[v] }

// number returns the value of a constant.
func (r *rewriter) number(v int) (float64, bool) {
	i := r.at(v)
	if i.Op != kernel.Const || !i.Type.IsFloat() {
		return 0, false
	}
	return kernel.Value(i.Type, i.Imm), true
}

// product returns the factors of an old instruction that only one other uses.
func (r *rewriter) product(old int) (a, b int, ok bool) {
	i := r.at(r.to[old])
	return i.A, i.B, i.Op == kernel.Mul && r.uses[old] == 1
}

// contract: x·y + z is rounded once.
func (r *rewriter) contract(i *kernel.Instr, same kernel.Instr) (int, bool) {
	switch i.Op {
	case kernel.Add:
		if a, b, ok := r.product(i.A); ok {
			return r.FMA(a, b, same.B), true
		}
		if a, b, ok := r.product(i.B); ok {
			return r.FMA(a, b, same.A), true
		}
	case kernel.Sub:
		if a, b, ok := r.product(i.A); ok {
			if c, constant := r.number(same.B); constant {
				return r.FMA(a, b, r.Const(i.Type, -c)), true
			}
		}
		if a, b, ok := r.product(i.B); ok {
			for _, pair := range [][2]int{{a, b}, {b, a}} {
				if c, constant := r.number(pair[1]); constant {
					return r.FMA(pair[0], r.Const(i.Type, -c), same.A), true
				}
			}
		}
	}
	return 0, false
}

// reciprocal: x / c is x · (1/c), and several x / y are products with one 1/y.
func (r *rewriter) reciprocal(i *kernel.Instr, same kernel.Instr) (int, bool) {
	if i.Op != kernel.Div {
		return 0, false
	}
	if c, ok := r.number(same.B); ok {
		inverse := kernel.Value(i.Type, kernel.Bits(i.Type, 1/c))
		least := map[dtype.DType]float64{dtype.F32: 0x1p-126, dtype.F64: 0x1p-1022}[i.Type]
		if math.IsInf(inverse, 0) || math.IsNaN(inverse) || math.Abs(inverse) < least {
			return 0, false
		}
		return r.Binary(kernel.Mul, same.A, r.Const(i.Type, inverse)), true
	}
	if one, ok := r.number(same.A); r.divides[i.B] < 2 || ok && one == 1 {
		return 0, false
	}
	return r.Binary(kernel.Mul, same.A, r.Binary(kernel.Div, r.Const(i.Type, 1), same.B)), true
}
