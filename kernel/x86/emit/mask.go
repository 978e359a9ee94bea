package emit

import "github.com/go-acap/acap/kernel/vector"

// markMasks marks the values that are in mask registers: results of comparisons, and of operations on such masks alone,
// that are nothing but masks of others.
func markMasks(p *vector.Program, in []bool) {
	p.Each(func(i *vector.Instr) {
		if i.Def >= 0 {
			in[i.Def] = compares(i.Op) || combines(i.Op) && !i.Kind.IsFloat()
		}
	})
	for changed := true; changed; {
		changed = false
		drop := func(list ...vector.Value) {
			for _, v := range list {
				changed = changed || in[v]
				in[v] = false
			}
		}
		p.Each(func(i *vector.Instr) {
			whole := combines(i.Op) && in[i.Def]
			for n, v := range i.Args {
				switch {
				case whole && !in[v]:
					drop(i.Def)
				case !whole && !guards(i, n, in):
					drop(v)
				}
			}
			if i.Op == vector.Loop {
				drop(i.Init...)
				drop(i.Body.Yield...)
			}
		})
	}
}

func compares(o vector.Op) bool {
	switch o {
	case vector.Equal, vector.Less, vector.LessEqual, vector.Below, vector.Unordered:
		return true
	}
	return false
}

// combines reports whether an operation makes a mask of masks.
func combines(o vector.Op) bool {
	switch o {
	case vector.And, vector.AndNot, vector.Or, vector.Xor, vector.Not, vector.Widen, vector.Narrow:
		return true
	}
	return false
}

// guards reports whether a mask register serves as operand n of an operation: it says which lanes of other operands
// count.
func guards(i *vector.Instr, n int, in []bool) bool {
	switch i.Op {
	case vector.Select, vector.Fault:
		return n == 0
	case vector.And:
		return n == 1 && !in[i.Args[0]]
	}
	return false
}
