package importer

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// UnsupportedError is an operation of another dialect that has no form in this one.
type UnsupportedError struct {
	Where  string // file and line, or ""
	Name   string // the operation
	Reason string
}

func (e *UnsupportedError) Error() string {
	text := e.Name + ": " + e.Reason
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

// Unsupported returns the error of an operation.
func Unsupported(op *mlir.Operation, format string, args ...any) *UnsupportedError {
	return &UnsupportedError{op.Loc.Short(), op.Name, fmt.Sprintf(format, args...)}
}
