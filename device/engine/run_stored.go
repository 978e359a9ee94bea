package engine

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/ops"
)

// Encode returns the program as bytes, without machine code. It fails if an operation of the
// program is a Go function.
func (p *Program) Encode() ([]byte, error) { return p.EncodeWith(nil) }

// EncodeWith is [Program.Encode] with the data of constants beside the program, unless blobs is nil.
func (p *Program) EncodeWith(blobs *wire.Blobs) ([]byte, error) {
	for _, s := range p.steps {
		if s.host != nil {
			return nil, &Error{Op: s.from[0].op, Loc: s.from[0].loc, Message: "an operation that is evaluated as it is written has no stored form"}
		}
	}
	return wire.WriteWith(blobs, p.fields), nil
}

// Load makes the program of what [Program.Encode] wrote. ConstInputs and NoFusion of the options are
// those of the program. Errors of the data wrap [wire.ErrMalformed].
func Load(data []byte, opts Options) (*Program, error) { return LoadWith(data, nil, opts) }

// LoadWith makes the program of what [Program.EncodeWith] wrote.
func LoadWith(data []byte, blobs *wire.Blobs, opts Options) (*Program, error) {
	p := &Program{}
	if err := p.configure(&opts); err != nil {
		return nil, err
	}
	if blobs != nil {
		p.keep = blobs.Keep
	}
	if err := wire.ReadWith(data, blobs, p.fields); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", wire.ErrMalformed, err)
	}
	err := p.generate(&opts)
	if err == nil {
		err = p.complete()
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// fields codes what runs need of a program.
func (p *Program) fields(c *wire.Coder) {
	wire.Slice(c, &p.args, func(s *signature) { s.fields(c) })
	wire.Slice(c, &p.results, func(s *signature) { s.fields(c) })
	c.Ints(&p.consts)
	c.Int(&p.arenaBytes)
	c.Int(&p.fixedBytes)
	c.Int(&p.scratch)
	wire.Slice(c, &p.slots, func(s *slot) {
		wire.Small(c, &s.kind, slotFixed+1)
		dtypeField(c, &s.dtype)
		c.Int(&s.size)
		c.Int(&s.index)
		c.Int(&s.offset)
		c.Int(&s.bytes)
		c.Blob(&s.data)
		if c.Reading() && len(s.data) > 0 {
			s.data = aligned(s.data)
		} else if c.Reading() {
			s.data = nil
		}
	})
	wire.Slice(c, &p.steps, func(s **step) {
		if c.Reading() {
			*s = &step{}
		}
		(*s).fields(c)
	})
	f := &p.forecast
	int64Field(c, &f.Constants)
	int64Field(c, &f.Results)
	wire.Slice(c, &f.Largest, func(v *LargeValue) {
		int64Field(c, &v.Bytes)
		dtypeField(c, &v.DType)
		c.String(&v.Op)
		plan.Location(c, &v.Loc)
	})
}

func (s *step) fields(c *wire.Coder) {
	c.String(&s.name)
	kernel.Fields(c, &s.kernel)
	c.Ints(&s.slots)
	c.Int(&s.shared)
	c.Bool(&s.fixed)
	c.Int(&s.faults)
	wire.Slice(c, &s.from, func(o *origin) {
		c.String(&o.op)
		plan.Location(c, &o.loc)
	})
}

func (s *signature) fields(c *wire.Coder) {
	dtypeField(c, &s.dtype)
	c.Ints(&s.shape)
	if c.Reading() {
		s.bytes = int(min(buf.MulBytes(int64(s.dtype.Size()), elementsOf(s.shape)), mostBytes))
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

// check makes sure that the kernels of a program that was read stay within its memory. What the
// kernels themselves claim is checked when they are compiled.
func (p *Program) check() error {
	for _, list := range [][]signature{p.args, p.results} {
		for _, s := range list {
			if shape.Check(s.shape) != nil || s.bytes < 0 || s.bytes >= mostBytes {
				return fmt.Errorf("a tensor of shape %v", s.shape)
			}
		}
	}
	for _, i := range p.consts {
		if i < 0 || i >= len(p.args) {
			return fmt.Errorf("constant input %d of %d", i, len(p.args))
		}
	}
	if min(p.arenaBytes, p.fixedBytes, p.scratch) < 0 || max(p.arenaBytes, p.fixedBytes, p.scratch) >= mostBytes {
		return fmt.Errorf("memory of %d, %d and %d bytes", p.arenaBytes, p.fixedBytes, p.scratch)
	}
	for i := range p.slots {
		if s := &p.slots[i]; s.bytes < 0 || s.offset < 0 || s.bytes > p.room(s) {
			return fmt.Errorf("slot %d of %d bytes has room for %d", i, s.bytes, p.room(s))
		}
	}
	for _, s := range p.steps {
		if err := p.checkStep(s); err != nil {
			return fmt.Errorf("step %s: %w", s.name, err)
		}
	}
	return nil
}

// room is the bytes that there are for a slot from its offset on.
func (p *Program) room(s *slot) int {
	switch {
	case s.kind == slotArena:
		return p.arenaBytes - s.offset
	case s.data != nil:
		return len(s.data)
	case s.kind == slotFixed:
		return p.fixedBytes - s.offset
	}
	list := p.args
	if s.kind == slotResult {
		list = p.results
	}
	if s.index < 0 || s.index >= len(list) {
		return -1
	}
	return list[s.index].bytes
}

func (p *Program) checkStep(s *step) error {
	ports := s.kernel.Ports()
	if len(s.from) == 0 || s.faults < -1 || s.faults >= len(s.from) {
		return fmt.Errorf("comes from %d operations", len(s.from))
	}
	if n := len(s.slots) - len(ports); n < 0 || n > 1 || n == 1 && (s.shared < 0 || s.slots[len(ports)] != s.shared) {
		return fmt.Errorf("%d slots for %d ports", len(s.slots), len(ports))
	}
	for i, n := range s.slots {
		if n < 0 || n >= len(p.slots) {
			return fmt.Errorf("slot %d of %d", n, len(p.slots))
		}
		if i == len(ports) {
			continue
		}
		port, slot := &ports[i], &p.slots[n]
		if need := buf.MulBytes(int64(port.Len), int64(port.DType.Size())); need > int64(slot.bytes) || need < 0 {
			return fmt.Errorf("port %d of %d bytes on %d", i, need, slot.bytes)
		}
		if port.Write && (slot.kind == slotArgument || slot.data != nil) {
			return fmt.Errorf("port %d writes what does not change", i)
		}
	}
	return nil
}

// complete adds what follows from the code of the kernels.
func (p *Program) complete() error {
	for _, s := range p.steps {
		s.pack()
		n := s.sharedBytes()
		if n > 0 && (len(s.slots) == len(s.kernel.Ports()) || n > p.slots[s.shared].bytes) || s.code.Scratch() > p.scratch {
			return fmt.Errorf("%w: step %s needs more memory than was planned", wire.ErrMalformed, s.name)
		}
	}
	p.number()
	return nil
}

// Types returns the types of the inputs and of the results.
func (p *Program) Types() (inputs, results []ops.TensorType) {
	of := func(list []signature) (out []ops.TensorType) {
		for _, s := range list {
			out = append(out, ops.TensorType{DType: s.dtype, Shape: s.shape})
		}
		return out
	}
	return of(p.args), of(p.results)
}
