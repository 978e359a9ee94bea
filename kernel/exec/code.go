//go:build (amd64 || arm64) && (linux || darwin || freebsd || windows)

package exec

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Supported reports whether Load can succeed on this system.
const Supported = true

// Code is loaded machine code. Close frees it; a Code that becomes unreachable is freed as well.
type Code struct {
	place   *place
	entry   uintptr
	cleanup runtime.Cleanup
}

// Load copies machine code into executable memory, at an address that is a multiple of 64. The error is [ErrRefused]
// where the system allows none.
func Load(code []byte) (*Code, error) {
	if len(code) == 0 {
		return nil, fmt.Errorf("exec: no code")
	}
	p, err := newPlace(code)
	if err != nil {
		return nil, err
	}
	return codeAt(p), nil
}

// codeAt returns the code at a place, which is freed with it.
func codeAt(p *place) *Code {
	c := &Code{place: p, entry: uintptr(unsafe.Pointer(&p.code[0]))}
	c.cleanup = runtime.AddCleanup(c, func(p *place) { p.free() }, p)
	return c
}

// Call runs the code with args in RDI, or in X0 on arm64.
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
func (c *Code) Size() int {
	if c.place == nil {
		return 0
	}
	return len(c.place.code)
}

// Close frees the memory. The code must not be running, and must not be called again.
func (c *Code) Close() error {
	if c.place == nil {
		return nil
	}
	c.cleanup.Stop()
	err := c.place.free()
	c.place, c.entry = nil, 0
	if err != nil {
		return fmt.Errorf("exec: free: %w", err)
	}
	return nil
}

// call jumps to code with args in RDI or X0.
//
//go:noescape
func call(code uintptr, args unsafe.Pointer)
