//go:build !((amd64 || arm64) && (linux || darwin || freebsd || windows))

package exec

import (
	"errors"
	"unsafe"
)

// Supported reports whether Load can succeed on this system.
const Supported = false

// Code is loaded machine code. There is none on this system.
type Code struct{}

// Load reports that this system cannot run generated code.
func Load([]byte) (*Code, error) {
	return nil, errors.New("exec: generated code runs on amd64 and arm64 with Linux, macOS, Windows and FreeBSD only")
}

// Call panics: there is no code to run.
func (c *Code) Call(unsafe.Pointer) { panic("BUG: exec: no code") }

// CallAt panics: there is no code to run.
func (c *Code) CallAt(int, unsafe.Pointer) { panic("BUG: exec: no code") }

// Size returns 0.
func (c *Code) Size() int { return 0 }

// Close does nothing.
func (c *Code) Close() error { return nil }
