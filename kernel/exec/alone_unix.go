//go:build (amd64 || arm64) && (linux || darwin || freebsd)

package exec

import (
	"errors"
	"syscall"
)

// alone puts code into pages of its own, which are first writable and then executable.
func alone(code []byte) (*place, error) {
	memory, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, failure("map", len(code), err)
	}
	copy(memory, code)
	if err := protect(memory, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		syscall.Munmap(memory)
		return nil, failure("make executable", len(code), err)
	}
	synchronise(memory)
	return &place{memory, func() error { return syscall.Munmap(memory) }}, nil
}

// refused reports whether an error of the system says that a process may not do something, not that it cannot.
func refused(err error) bool { return errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) }
