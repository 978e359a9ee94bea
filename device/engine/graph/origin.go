package graph

import "github.com/go-acap/acap/mlir"

// Origin is an operation that is part of a kernel.
type Origin struct {
	Op  string
	Loc mlir.Location
}

// Operator names what an operation was lowered from, or the operation itself.
func (o *Origin) Operator() string {
	if o.Loc.Operator != "" {
		return o.Loc.Operator
	}
	return o.Op
}

// Fail is an error of the operation.
func (o *Origin) Fail(message string) error {
	return &Error{Op: o.Operator(), Loc: o.Loc, Message: message}
}
