//go:build amd64 || arm64

package exec

import (
	"syscall"
	"unsafe"
)

// protect changes what may be done with memory. Package syscall has the number of this call for FreeBSD alone.
func protect(memory []byte, flags int) error {
	_, _, errno := syscall.Syscall(syscall.SYS_MPROTECT, uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), uintptr(flags))
	if errno != 0 {
		return errno
	}
	return nil
}
