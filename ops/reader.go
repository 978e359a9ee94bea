package ops

import "github.com/go-acap/acap/base/buf"

// Reader tells the elements of values while a program is written. Calls that are written after that hold for these
// elements.
type Reader interface {
	// Read returns the elements of a value. The buffer must not be changed. Messages say what they are read for:
	// "the mask".
	Read(v Value, what string) (*buf.Buffer, error)
	// Constant makes a value of elements; the name may be empty.
	Constant(name string, data *buf.Buffer) Value
}
