package exec

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// Supported reports whether Load can succeed on this system.
const Supported = true

// Code is loaded machine code. Close frees it; a Code that becomes unreachable is freed as well.
type Code struct {
	memory  []byte
	entry   uintptr
	cleanup runtime.Cleanup
}

// Load copies machine code into executable memory, at an address that is a multiple of the page
// size.
func Load(code []byte) (*Code, error) {
	if len(code) == 0 {
		return nil, fmt.Errorf("exec: no code")
	}
	memory, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("exec: map %d bytes: %w", len(code), err)
	}
	copy(memory, code)
	if err := syscall.Mprotect(memory, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		syscall.Munmap(memory)
		return nil, fmt.Errorf("exec: make %d bytes executable: %w", len(code), err)
	}
	c := &Code{memory: memory, entry: uintptr(unsafe.Pointer(&memory[0]))}
	c.cleanup = runtime.AddCleanup(c, func(m []byte) { syscall.Munmap(m) }, memory)
	return c, nil
}

// Call runs the code with args in RDI.
func (c *Code) Call(args unsafe.Pointer) {
	call(c.entry, args)
	runtime.KeepAlive(c)
}

// CallAt runs the code from the given offset on, for code with several entries.
func (c *Code) CallAt(offset int, args unsafe.Pointer) {
	call(c.entry+uintptr(offset), args)
	runtime.KeepAlive(c)
}

// Size returns the number of bytes that the code takes.
func (c *Code) Size() int { return len(c.memory) }

// Close frees the memory. The code must not be running, and must not be called again.
func (c *Code) Close() error {
	if c.memory == nil {
		return nil
	}
	c.cleanup.Stop()
	err := syscall.Munmap(c.memory)
	c.memory, c.entry = nil, 0
	if err != nil {
		return fmt.Errorf("exec: unmap: %w", err)
	}
	return nil
}

// call jumps to code with args in RDI.
//
//go:noescape
func call(code uintptr, args unsafe.Pointer)
