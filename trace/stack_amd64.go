package trace

// walk stores the return addresses of the callers, innermost first.
//
//go:noescape
func walk(pcs *[depth]uintptr)
