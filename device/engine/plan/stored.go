package plan

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/kernel"
)

// Fields codes what runs need of a program.
func (p *Plan) Fields(c *wire.Coder) {
	wire.Slice(c, &p.Args, func(s *Signature) { s.fields(c) })
	wire.Slice(c, &p.Results, func(s *Signature) { s.fields(c) })
	c.Ints(&p.Consts)
	c.Int(&p.ArenaBytes)
	c.Int(&p.FixedBytes)
	c.Int(&p.Scratch)
	wire.Slice(c, &p.Slots, func(s *slot) {
		wire.Small(c, &s.Kind, Fixed+1)
		dtypeField(c, &s.DType)
		c.Int(&s.Size)
		c.Int(&s.Index)
		c.Int(&s.Offset)
		c.Int(&s.Bytes)
		c.Blob(&s.Data)
		if c.Reading() && len(s.Data) > 0 {
			s.Data = buf.Realigned(s.Data)
		} else if c.Reading() {
			s.Data = nil
		}
	})
	wire.Slice(c, &p.Steps, func(s **Step) {
		if c.Reading() {
			*s = &Step{}
		}
		(*s).fields(c)
	})
	f := &p.Needs
	int64Field(c, &f.Constants)
	int64Field(c, &f.Results)
	wire.Slice(c, &f.Largest, func(v *LargeValue) {
		int64Field(c, &v.Bytes)
		dtypeField(c, &v.DType)
		c.String(&v.Op)
		plan.Location(c, &v.Loc)
	})
}

func (s *Step) fields(c *wire.Coder) {
	c.String(&s.Name)
	kernel.Fields(c, &s.Kernel)
	c.Ints(&s.Slots)
	c.Int(&s.Shared)
	c.Bool(&s.Fixed)
	c.Int(&s.Faults)
	wire.Slice(c, &s.From, func(o *graph.Origin) {
		c.String(&o.Op)
		plan.Location(c, &o.Loc)
	})
}

func (s *Signature) fields(c *wire.Coder) {
	dtypeField(c, &s.DType)
	c.Ints(&s.Shape)
	if c.Reading() {
		s.Bytes = int(min(buf.MulBytes(int64(s.DType.Size()), elementsOf(s.Shape)), mostBytes))
	}
}

func elementsOf(dims []int) int64 {
	n := int64(1)
	for _, d := range dims {
		n = buf.MulBytes(n, int64(d))
	}
	return n
}

func dtypeField(c *wire.Coder, d *dtype.DType) {
	if wire.Small(c, d, ^dtype.DType(0)); *d != dtype.Invalid && !d.Valid() {
		c.Fail("no element type %d", *d)
		*d = dtype.Invalid
	}
}

func int64Field(c *wire.Coder, v *int64) {
	n := int(*v)
	c.Int(&n)
	*v = int64(n)
}

// Check makes sure that the kernels of a program that was read stay within its memory. The kernels' own claims are
// checked when they are compiled. The error names what is out of range.
func (p *Plan) Check() error {
	for _, list := range [][]Signature{p.Args, p.Results} {
		for _, s := range list {
			if shape.Check(s.Shape) != nil || s.Bytes < 0 || s.Bytes >= mostBytes {
				return fmt.Errorf("a tensor of shape %v", s.Shape)
			}
		}
	}
	for _, i := range p.Consts {
		if i < 0 || i >= len(p.Args) {
			return fmt.Errorf("constant input %d of %d", i, len(p.Args))
		}
	}
	if min(p.ArenaBytes, p.FixedBytes, p.Scratch) < 0 || max(p.ArenaBytes, p.FixedBytes, p.Scratch) >= mostBytes {
		return fmt.Errorf("memory of %d, %d and %d bytes", p.ArenaBytes, p.FixedBytes, p.Scratch)
	}
	for i := range p.Slots {
		if s := &p.Slots[i]; s.Bytes < 0 || s.Offset < 0 || s.Bytes > p.room(s) {
			return fmt.Errorf("slot %d of %d bytes has room for %d", i, s.Bytes, p.room(s))
		}
	}
	for _, s := range p.Steps {
		if err := p.CheckStep(s); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
	}
	return nil
}

// room is the bytes that there are for a slot from its offset on.
func (p *Plan) room(s *slot) int {
	switch {
	case s.Kind == Arena:
		return p.ArenaBytes - s.Offset
	case s.Data != nil:
		return len(s.Data)
	case s.Kind == Fixed:
		return p.FixedBytes - s.Offset
	}
	list := p.Args
	if s.Kind == Result {
		list = p.Results
	}
	if s.Index < 0 || s.Index >= len(list) {
		return -1
	}
	return list[s.Index].Bytes
}

// CheckStep makes sure that a step stays within the memory of the plan. The error names what is out of range.
func (p *Plan) CheckStep(s *Step) error {
	ports := s.Kernel.Ports()
	if len(s.From) == 0 || s.Faults < -1 || s.Faults >= len(s.From) {
		return fmt.Errorf("comes from %d operations", len(s.From))
	}
	if n := len(s.Slots) - len(ports); n < 0 || n > 1 || n == 1 && (s.Shared < 0 || s.Slots[len(ports)] != s.Shared) {
		return fmt.Errorf("%d slots for %d ports", len(s.Slots), len(ports))
	}
	for i, n := range s.Slots {
		if n < 0 || n >= len(p.Slots) {
			return fmt.Errorf("slot %d of %d", n, len(p.Slots))
		}
		if i == len(ports) {
			continue
		}
		port, slot := &ports[i], &p.Slots[n]
		if need := buf.MulBytes(int64(port.Len), int64(port.DType.Size())); need > int64(slot.Bytes) || need < 0 {
			return fmt.Errorf("port %d of %d bytes on %d", i, need, slot.Bytes)
		}
		if port.Write && (slot.Kind == Argument || slot.Data != nil) {
			return fmt.Errorf("port %d writes to constant memory", i)
		}
	}
	return nil
}

// Complete adds what follows from the code of the kernels. A step that needs more memory than the plan gives is a
// [wire.ErrMalformed].
func (p *Plan) Complete() error {
	for _, s := range p.Steps {
		s.pack()
		n := s.SharedBytes()
		if n > 0 && (len(s.Slots) == len(s.Kernel.Ports()) || n > p.Slots[s.Shared].Bytes) || s.Code.Scratch() > p.Scratch {
			return fmt.Errorf("%w: step %s needs more memory than was planned", wire.ErrMalformed, s.Name)
		}
	}
	p.number()
	return nil
}
