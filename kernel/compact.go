package kernel

// Compact drops instructions that nothing needs. refs are further references into the body, which are renumbered.
func Compact(b Body, refs []*int) Body {
	live := make([]bool, len(b))
	for _, r := range refs {
		live[*r] = true
	}
	for k := len(b) - 1; k >= 0; k-- {
		if b[k].Op == Store {
			live[k] = true
		}
		if live[k] {
			for _, o := range b[k].Operands() {
				live[o] = true
			}
		}
	}
	number := make([]int, len(b))
	var out Body
	for k, i := range b {
		if !live[k] {
			continue
		}
		number[k] = len(out)
		out = append(out, i.Renumbered(number))
	}
	for _, r := range refs {
		*r = number[*r]
	}
	return out
}
