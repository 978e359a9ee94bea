//go:build amd64 || arm64

package exec

import (
	"errors"
	"syscall"
	"unsafe"
)

var (
	kernel32       = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc   = kernel32.NewProc("VirtualAlloc")
	virtualProtect = kernel32.NewProc("VirtualProtect")
	virtualFree    = kernel32.NewProc("VirtualFree")
)

// alone puts code into pages of its own, which are first writable and then executable.
func alone(code []byte) (*place, error) {
	const reserveAndCommit, readWrite, executeRead, release = 0x3000, 0x04, 0x20, 0x8000
	base, _, err := virtualAlloc.Call(0, uintptr(len(code)), reserveAndCommit, readWrite)
	if base == 0 {
		return nil, failure("map", len(code), err)
	}
	free := func() error {
		if ok, _, err := virtualFree.Call(base, 0, release); ok == 0 {
			return err
		}
		return nil
	}
	memory := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&base))), len(code))
	copy(memory, code)
	var before uint32
	if ok, _, err := virtualProtect.Call(base, uintptr(len(code)), executeRead, uintptr(unsafe.Pointer(&before))); ok == 0 {
		free()
		return nil, failure("make executable", len(code), err)
	}
	synchronise(memory)
	return &place{memory, free}, nil
}

// refused reports whether an error of the system says that a process may not do something, not that it cannot: a
// policy against code that is made at run time is one.
func refused(err error) bool {
	const dynamicCodeBlocked = syscall.Errno(1655) // ERROR_DYNAMIC_CODE_BLOCKED
	return errors.Is(err, dynamicCodeBlocked) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
}
