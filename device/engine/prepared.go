package engine

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
)

// Prepared has what a program without constant inputs computes once, at its first run: results of steps that depend on
// constants alone, and operands in the forms that kernels want them in.
type Prepared struct {
	Fixed  []byte
	Packed [][]byte // in the order of the steps
}

// Prepared returns what the program has computed once, or computes it. It is nil for a program with constant inputs,
// which prepares each set of inputs for itself. The bytes must not be changed. An error is one of the run.
func (p *Program) Prepared() (*Prepared, error) {
	if len(p.Consts) > 0 {
		return nil, nil
	}
	f, err := p.start(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	defer p.finish(f)
	return &Prepared{Fixed: f.b.fixed, Packed: f.b.memory}, nil
}

// Prepare gives a program, before its first run, what an equal one has computed once. The bytes are
// not copied where they start where vectors may. Values of other sizes are an error, and so is a program with constant
// inputs.
func (p *Program) Prepare(once *Prepared) error {
	if len(p.Consts) > 0 {
		return fmt.Errorf("a program with %d constant inputs cannot take values that were computed once", len(p.Consts))
	}
	if len(once.Fixed) != p.FixedBytes {
		return fmt.Errorf("%d bytes computed once, the program has %d", len(once.Fixed), p.FixedBytes)
	}
	b := &binding{p: p, bytes: len(once.Fixed), fixed: buf.Realigned(once.Fixed), packed: make([][]unsafe.Pointer, len(p.Steps))}
	next := 0
	for i, s := range p.Steps {
		for _, k := range s.Packed {
			if next == len(once.Packed) || len(once.Packed[next]) != k.Bytes {
				return fmt.Errorf("packed operand %d of step %s does not have %d bytes", k.Port, s.Name, k.Bytes)
			}
			if b.packed[i] == nil {
				b.packed[i] = make([]unsafe.Pointer, len(s.Slots))
			}
			data := buf.Realigned(once.Packed[next])
			b.memory, b.bytes = append(b.memory, data), b.bytes+k.Bytes
			b.packed[i][k.Port] = unsafe.Pointer(unsafe.SliceData(data))
			next++
		}
	}
	if next != len(once.Packed) {
		return fmt.Errorf("%d packed operands instead of %d", len(once.Packed), next)
	}
	p.mu.Lock()
	p.bindings = []*binding{b}
	p.mu.Unlock()
	return nil
}
