//go:build (amd64 || arm64) && (linux || darwin)

package exec

import "syscall"

// protect changes what may be done with memory.
func protect(memory []byte, flags int) error { return syscall.Mprotect(memory, flags) }
