package graph

import (
	"github.com/go-acap/acap/mlir"
)

// Error is a program that cannot be compiled or run: what is wrong and where.
type Error struct {
	Op      string // the operation, for example "linalg.generic"
	Loc     mlir.Location
	Message string
	Cause   error // what Message tells, if it has a type of its own, such as *buf.MemoryError
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error returns the message, with the operation and its location.
func (e *Error) Error() string {
	return e.Loc.Prefix(e.Op + ": " + e.Message)
}
