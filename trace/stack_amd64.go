package trace

// walk stores the return addresses of the callers, innermost first, relative to text.
//
//go:noescape
func walk(pcs *[depth]int32)
