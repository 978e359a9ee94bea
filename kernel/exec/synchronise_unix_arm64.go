//go:build linux || darwin || freebsd

package exec

import "unsafe"

// synchronise has the processor fetch instructions that were written to memory.
func synchronise(code []byte) {
	from := uintptr(unsafe.Pointer(&code[0]))
	flushCaches(from, from+uintptr(len(code)))
}

//go:noescape
func flushCaches(from, to uintptr)
