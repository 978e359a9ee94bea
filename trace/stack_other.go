//go:build !amd64

package trace

import "runtime"

// walk stores the return addresses of the callers, innermost first.
func walk(pcs *[depth]uintptr) { runtime.Callers(2, pcs[:]) }
