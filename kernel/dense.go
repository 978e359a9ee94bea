package kernel

// dense checks a port that holds all elements in order.
func (v *verifier) dense(what string, p Port, elements int, write bool) {
	v.port(what, p)
	if p.Write != write {
		v.fail("%s: written: %t, want %t", what, p.Write, write)
	}
	if v.err == nil && p.Len != elements {
		v.fail("%s: %d elements in a port of %d", what, elements, p.Len)
	}
}
