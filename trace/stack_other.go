//go:build !amd64

package trace

import "runtime"

// walk stores the return addresses of the callers, innermost first, relative to text.
func walk(pcs *[depth]int32) {
	var absolute [depth]uintptr
	for i := range runtime.Callers(2, absolute[:]) {
		pcs[i] = int32(absolute[i] - text)
	}
}
