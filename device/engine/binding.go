package engine

import (
	"context"
	"slices"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/parallel"
)

// binding is a program with one set of constant inputs: what has been computed
// from them, and operands in packed forms. It goes when one of these inputs goes.
type binding struct {
	p      *Program
	inputs []boundInput // those that decide, in the order of the program's list
	fixed  []byte
	packed [][]unsafe.Pointer // of the ports of each step; nil if none is packed
	memory [][]byte           // what packed points into
	bytes  int
}

const (
	// leastBindings is how many sets of constant inputs a program remembers in any case, and mostBindings how many as
	// long as they take no more than a share of the memory: layers of one structure are one program.
	leastBindings = 4
	mostBindings  = 64
	bindingsShare = 8
)

// bound returns the binding of the constant inputs of a run, or nil if there is none. p.mu is held.
func (p *Program) bound(inputs []*buf.Buffer) *binding {
	for i, b := range p.bindings {
		if b.of(inputs) {
			if i > 0 {
				copy(p.bindings[1:], p.bindings[:i])
				p.bindings[0] = b
			}
			return b
		}
	}
	return nil
}

// bind makes the binding of a run that is the first with its constant inputs. Others that need one wait; those
// that have theirs do not.
func (p *Program) bind(ctx context.Context, inputs []*buf.Buffer) (*binding, error) {
	p.preparing.Lock()
	defer p.preparing.Unlock()
	p.mu.Lock()
	b := p.bound(inputs)
	p.mu.Unlock()
	if b != nil {
		return b, nil // somebody else has made it meanwhile
	}
	_, other := p.Binds(inputs)
	p.packs.other.Store(int64(other + 1))
	b = &binding{p: p}
	for _, i := range p.Deciding {
		b.inputs = append(b.inputs, boundTo(inputs[i]))
	}
	if err := b.prepare(ctx, inputs); err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.bindings = append([]*binding{b}, p.bindings...)
	p.shrink()
	p.mu.Unlock()
	for k, i := range p.Deciding {
		if b.inputs[k].content == nil {
			cleanUp(inputs[i], p)
		}
	}
	return b, nil
}

// shrink drops the bindings that were used longest ago. p.mu is held.
func (p *Program) shrink() {
	most, held := int(buf.Limit()/bindingsShare), 0
	for i, b := range p.bindings {
		held += b.bytes
		if i >= leastBindings && (i >= mostBindings || held > most) {
			for _, gone := range p.bindings[i:] {
				p.unbind(gone)
			}
			clear(p.bindings[i:])
			p.bindings = p.bindings[:i]
			return
		}
	}
}

// forgetGone drops the bindings whose inputs have been freed. It does nothing if the program has been freed.
func forgetGone(w weak.Pointer[Program]) {
	p := w.Value()
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bindings = slices.DeleteFunc(p.bindings, func(b *binding) bool {
		gone := slices.ContainsFunc(b.inputs, func(in boundInput) bool { return in.gone() })
		if gone {
			p.unbind(b)
		}
		return gone
	})
}

// packs counts what a program has computed once from constant inputs and packed. other is the input that was another
// one than before, and 1.
type packs struct{ times, operands, bytes, other atomic.Int64 }

// Packed counts what a program has computed from its constant inputs alone, once for each set of them: how many times,
// how many operands of kernels it has packed, and the bytes of both. Input is the first input that was another one than
// in the run before when it did so last, or -1.
type Packed struct {
	Times, Operands, Bytes int64
	Input                  int
}

// Packed counts the operands and bytes that the program has packed so far. Values that were found in the cache on disk
// count as well; values that [Program.Prepare] was given do not.
func (p *Program) Packed() Packed {
	return Packed{p.packs.times.Load(), p.packs.operands.Load(), p.packs.bytes.Load(), int(p.packs.other.Load()) - 1}
}

// prepare runs the steps that depend on constants alone and packs operands, or finds the results of both
// in the cache on disk.
func (b *binding) prepare(ctx context.Context, inputs []*buf.Buffer) error {
	b.packed = make([][]unsafe.Pointer, len(b.p.Steps))
	list, total := b.p.parts()
	b.bytes = total
	b.p.packs.times.Add(1)
	for _, c := range list[1:] {
		if !c.again {
			b.p.packs.operands.Add(1)
		}
	}
	b.p.packs.bytes.Add(int64(total))
	disk := b.p.saved(inputs, total)
	if disk != nil {
		if data, ok := disk.load(total); ok {
			b.use(list, data)
			return nil
		}
	}
	data := buf.Lasting(total)
	b.use(list, data)
	if err := b.compute(ctx, inputs, list[1:]); err != nil {
		return err
	}
	if disk != nil {
		disk.store(b.p, data)
	}
	return nil
}

// compute fills the memory of a binding; packs are its packed ports, in the order of the steps.
func (b *binding) compute(ctx context.Context, inputs []*buf.Buffer, packs []constant) error {
	f := b.p.frame(b)
	f.point(inputs, nil)
	f.watch(ctx)
	var later []constant // which no step that runs once reads
	for i, s := range b.p.Steps {
		for len(packs) > 0 && packs[0].step == i {
			switch {
			case packs[0].again:
			case s.Fixed:
				f.pack(packs[0])
			default:
				later = append(later, packs[0])
			}
			packs = packs[1:]
		}
		if s.Fixed {
			if err := f.step(i, s); err != nil {
				return err
			}
		}
	}
	parallel.For(len(later), func(i int) {
		if !f.job.Stopped() {
			f.pack(later[i])
		}
	})
	if f.job.Stopped() {
		return ctx.Err()
	}
	b.p.spare(f)
	return nil
}
