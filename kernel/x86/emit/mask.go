package emit

import "github.com/go-acap/acap/kernel/vector"

// markMasks marks the values that are in mask registers: results of comparisons, and of operations on such masks alone,
// that are nothing but masks of others.
func markMasks(p *vector.Program, in []bool) {
	changed := false
	combines := func(o vector.Op) bool {
		switch o {
		case vector.And, vector.Or, vector.Xor, vector.Not, vector.Widen, vector.Narrow:
			return true
		}
		return false
	}
	p.Each(func(i *vector.Instr) {
		switch i.Op {
		case vector.Equal, vector.Less, vector.LessEqual, vector.Below, vector.Unordered:
			in[i.Def], changed = true, true
		default:
			if combines(i.Op) && !i.Kind.IsFloat() {
				in[i.Def], changed = true, true
			}
		}
	})
	for changed {
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
				case !whole && !(i.Op == vector.Select && n == 0):
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
