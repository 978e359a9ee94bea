package compiler

import (
	"cmp"
	"errors"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// operationBytes is about what the compiled form of an operation takes: its MLIR, the
// steps made of it and their machine code.
const operationBytes = 4 << 10

// mostLarge bounds the values that an error about memory names.
const mostLarge = 5

// Memory implements device.Executable.
func (p *program) Memory() device.Memory { return p.memory }

// predict adds up what the program takes.
func (p *program) predict() {
	m := &p.memory
	m.Kept = buf.MulBytes(operationBytes, int64(p.operations))
	for _, c := range p.constants {
		m.Kept = buf.AddBytes(m.Kept, int64(len(c.data.Bytes())))
	}
	for _, g := range p.groups {
		if g.engine == nil {
			m.Kept = buf.AddBytes(m.Kept, g.run.Memory())
			continue
		}
		f := g.engine.Forecast()
		m.Kept = buf.AddBytes(m.Kept, f.Run, f.Constants)
		for _, v := range f.Largest {
			m.Largest = append(m.Largest, device.LargeValue{Bytes: v.Bytes, Op: v.Op, Loc: v.Loc})
		}
	}
	if p.whole != nil {
		f := p.whole.Forecast()
		m.Run = buf.AddBytes(f.Run, f.Results)
	} else {
		m.Run = p.peak()
	}
	slices.SortStableFunc(m.Largest, func(a, b device.LargeValue) int { return cmp.Compare(b.Bytes, a.Bytes) })
	m.Largest = slices.Clip(m.Largest[:min(len(m.Largest), mostLarge)])
}

// tooLarge turns the engine's error about a value that is too large into a [*device.MemoryError]. Other errors are
// returned unchanged.
func tooLarge(err error) error {
	var memory *buf.MemoryError
	if e, ok := err.(*graph.Error); ok && errors.As(err, &memory) {
		return &device.MemoryError{MemoryError: memory,
			Largest: []device.LargeValue{{Bytes: memory.Bytes, Op: e.Op, Loc: e.Loc}}}
	}
	return err
}

// peak is the most that the steps take at once: the results of steps that are still needed,
// and what a group needs while it runs.
func (p *program) peak() int64 {
	sizes := make([]int64, p.slots)
	var live, peak int64
	for i := range p.steps {
		s := &p.steps[i]
		for k, slot := range s.out {
			sizes[slot] = s.bytes[k]
			live = buf.AddBytes(live, s.bytes[k])
			if s.host != nil {
				p.memory.Largest = append(p.memory.Largest,
					device.LargeValue{Bytes: s.bytes[k], Op: s.host.Op.MLIRName(), Loc: s.loc})
			}
		}
		need := live
		switch {
		case s.group != nil:
			need = buf.AddBytes(live, s.group.run.Memory())
		case s.control != nil:
			need = buf.AddBytes(live, s.control.bytes())
		}
		if need < 0 {
			return -1
		}
		peak = max(peak, need)
		if p.keeps { // they stay in the frame
			continue
		}
		for _, slot := range s.dead {
			live -= sizes[slot]
		}
	}
	return peak
}

// bytesOfAll are the sizes of values.
func bytesOfAll(values []*mlir.Value) []int64 {
	sizes := make([]int64, len(values))
	for i, v := range values {
		sizes[i] = bytesOf(v.Type)
	}
	return sizes
}

// bytesOf is the size of a tensor, or of a number.
func bytesOf(of mlir.Type) int64 {
	t := typeOf(of)
	size := int64(t.DType.Size())
	for _, n := range t.Shape {
		size = buf.MulBytes(size, int64(n))
	}
	return size
}
