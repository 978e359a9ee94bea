package engine

import "github.com/go-acap/acap/mlir"

// origin is an operation that is part of a kernel.
type origin struct {
	op  string
	loc mlir.Location
}

// originate notes where a step comes from.
func (s *step) originate(c *cluster) {
	s.from, s.faults = make([]origin, len(c.members)), -1
	for i, m := range c.members {
		s.from[i] = origin{m.n.op.Name, m.n.op.Loc}
		if s.faults < 0 && (m.n.kind == nodeOrdered || m.n.gathersAny()) {
			s.faults = i
		}
	}
}

// operator names what an operation was lowered from, or the operation itself.
func (o *origin) operator() string {
	if o.loc.Operator != "" {
		return o.loc.Operator
	}
	return o.op
}

// fault is the error of an index outside its tensor.
func (s *step) fault() error {
	if s.faults < 0 {
		return s.from[0].fail("access outside a tensor")
	}
	return s.from[s.faults].fail("index out of range")
}

// fail is an error of the operation.
func (o *origin) fail(message string) error {
	return &Error{Op: o.operator(), Loc: o.loc, Message: message}
}
