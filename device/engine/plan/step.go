package plan

import (
	"github.com/go-acap/acap/device/engine/code"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// Step is one kernel of a program, or one operation that runs as a Go function.
type Step struct {
	Name   string
	Kernel kernel.Kernel
	Code   kernel.Code
	shares *code.Code // code is of, if other steps may have it too
	begins []int      // of each port, the first byte that the code has; nil if all are 0
	failed error      // why there is no code
	Host   graph.HostFunc
	Slots  []int // of each port
	Shared int   // slot of the memory that all workers share, or -1
	Fixed  bool  // depends on constants alone: runs once
	From   []graph.Origin
	Faults int // which of from computes indices, that may be out of range; -1 if none does
	Ptrs   int // number of the first of its pointers in a frame
	Packed []packing
	Copies bool // it does nothing but copy one port to the other, see isCopy
}

// packing is a port that the code reads in a form of its own.
type packing struct{ Port, Bytes int }

// originate notes where a step comes from.
func (s *Step) originate(c *graph.Cluster) {
	s.From, s.Faults = make([]graph.Origin, len(c.Members)), -1
	for i, m := range c.Members {
		s.From[i] = graph.Origin{Op: m.Node.Op.Name, Loc: m.Node.Op.Loc}
		if s.Faults < 0 && (m.Node.Kind == graph.Ordered || m.Node.GathersAny()) {
			s.Faults = i
		}
	}
}

// Begin returns the number of the byte in a port's buffer that is the first byte of the port for the code.
func (s *Step) Begin(port int) int {
	if port >= len(s.begins) {
		return 0
	}
	return s.begins[port]
}

// Fault is the error of an index outside its tensor.
func (s *Step) Fault() error {
	if s.Faults < 0 {
		return s.From[0].Fail("access outside a tensor")
	}
	return s.From[s.Faults].Fail("index out of range")
}

// Fallbacks returns why the code of the step, or a part of it, is portable Go although the processor runs machine code.
func (s *Step) Fallbacks() []error {
	if s.shares == nil {
		return nil
	}
	return s.shares.Fallbacks()
}

// PacksLike reports whether both steps bring a port into the same form: they have the same code, or codes that say so.
func (s *Step) PacksLike(other *Step, port int) bool {
	if s.shares != nil && s.shares == other.shares {
		return true
	}
	form := s.form(port)
	return form != "" && form == other.form(port)
}

// form returns what the code calls the form of a port, "" if nothing.
func (s *Step) form(port int) string {
	if s.Code == nil {
		return ""
	}
	return s.Code.PackedForm(port)
}

// SharedBytes returns the bytes that all workers share.
func (s *Step) SharedBytes() int {
	if s.Code == nil {
		return 0
	}
	return s.Code.Shared()
}

// pack finds the ports that the code reads in a form of its own.
func (s *Step) pack() {
	for i, port := range s.Kernel.Ports() {
		if n := s.Code.PackedBytes(i); n > 0 && port.Const {
			s.Packed = append(s.Packed, packing{i, n})
		}
	}
}

// packs reports whether the step reads a port in a packed form.
func (s *Step) packs(port int) bool {
	for _, k := range s.Packed {
		if k.Port == port {
			return true
		}
	}
	return false
}
