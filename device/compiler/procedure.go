package compiler

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// procedure is a function that is more than one group: steps on slots, which hold tensors,
// and numbers as tensors without dimensions.
type procedure struct {
	slots     int
	inputs    []int
	results   []int
	constants []placed
	steps     []step
	keeps     bool // its frames
	frames    frames
}

type placed struct {
	slot int
	data *buf.Buffer
}

// step is a group, a host call, control flow, or an operation on numbers.
type step struct {
	group   *compiled
	host    *ops.Call
	control *control
	scalar  *mlir.Operation
	uses    []*mlir.Value // of scalar: the values that the slots in are
	loc     mlir.Location
	in, out []int
	dead    []int   // slots that nothing reads afterwards
	bytes   []int64 // of what is computed
}

// procedure builds a function's steps.
func (b *builder) procedure(ctx context.Context, f *mlir.Operation) error {
	p := b.proc
	p.inputs = b.slotsOf(f.Body().Args)
	if len(f.Regions[0].Blocks) == 1 {
		block, err := b.block(ctx, f.Body())
		if err != nil {
			return err
		}
		p.steps, p.results = block.steps, block.end.values
	} else {
		inner, err := b.region(ctx, f.Regions[0])
		if err != nil {
			return err
		}
		s := step{control: &control{name: "cf", regions: []*region{inner}}, loc: f.Loc, in: p.inputs}
		for _, t := range signature(f).Results {
			s.out = append(s.out, b.slot(&mlir.Value{Type: t}))
			s.bytes = append(s.bytes, bytesOf(t))
		}
		p.steps, p.results = []step{s}, s.out
	}
	p.releaseEarly()
	p.keeps = p.keepsFrames()
	return nil
}

func isTensor(v *mlir.Value) bool {
	_, ok := v.Type.(mlir.TensorType)
	return ok
}

// scalarStep appends an operation that the reference evaluator runs: numbers that steer control
// flow, and what reads or writes single elements.
func (b *builder) scalarStep(op *mlir.Operation, steps *[]step) error {
	uses := op.Captured()
	*steps = append(*steps, step{scalar: op, uses: uses, loc: op.Loc, in: b.slotsOf(uses), out: b.slotsOf(op.Results),
		bytes: bytesOfAll(op.Results)})
	return nil
}

// run returns the results: in the given buffers, which groups write in place, if there are any.
func (p *procedure) run(ctx context.Context, inputs, results []*buf.Buffer) ([]*buf.Buffer, error) {
	f := p.frame()
	for i, s := range p.results {
		if results != nil {
			f.slots[s] = results[i]
		}
	}
	for i, s := range p.inputs {
		f.slots[s] = inputs[i]
	}
	for _, c := range p.constants {
		f.slots[c.slot] = c.data
	}
	if err := f.runAll(ctx, p.steps); err != nil {
		return nil, err
	}
	if results == nil {
		results = f.pick(p.results)
	} else {
		for i, s := range p.results {
			if f.slots[s] != results[i] {
				copy(results[i].Bytes(), f.slots[s].Bytes())
			}
		}
	}
	p.keep(f, results)
	return results, nil
}

func (f *frame) runAll(ctx context.Context, steps []step) error {
	for i := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := steps[i].run(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// run computes the slots of a step's results: in the buffers that are there already, if it is a group, else in new
// ones.
func (s *step) run(ctx context.Context, f *frame) error {
	if s.group != nil {
		if err := s.runGroup(ctx, f); err != nil {
			return err
		}
	} else {
		out, err := s.compute(ctx, f, f.pick(s.in))
		if err != nil {
			return err
		}
		if len(out) != len(s.out) {
			return fmt.Errorf("%s: %d results instead of %d", s.loc.Short(), len(out), len(s.out))
		}
		for i, slot := range s.out {
			f.slots[slot] = out[i]
		}
	}
	for _, d := range s.dead {
		f.slots[d] = nil
	}
	return nil
}

// runGroup runs a group.
func (s *step) runGroup(ctx context.Context, f *frame) (err error) {
	f.in, f.out = pick(f.in[:0], f.slots, s.in), pick(f.out[:0], f.slots, s.out)
	for i, slot := range s.out {
		if f.out[i] == nil {
			f.out[i] = f.take(slot)
		}
		f.slots[slot] = f.out[i] // nil if the group makes it
	}
	if t := timerOf(ctx); t != nil {
		err = t.group(ctx, s.group, f.in, f.out)
	} else {
		err = runError(s.group.run.RunInto(ctx, f.in, f.out))
	}
	if err != nil {
		return err
	}
	for i, slot := range s.out {
		if f.slots[slot] == nil {
			f.slots[slot] = f.out[i]
			f.record(slot, f.out[i])
		}
	}
	return nil
}

// compute returns the results of a step other than a group.
func (s *step) compute(ctx context.Context, f *frame, in []*buf.Buffer) (out []*buf.Buffer, err error) {
	switch {
	case s.control != nil:
		return s.control.run(ctx, f, in)
	case s.scalar != nil:
		if out, err = s.evaluate(in); err != nil {
			err = &device.RunError{Op: s.scalar.Name, Loc: s.loc, Err: err}
		}
	default:
		defer timerOf(ctx).host(s.host)()
		if out, err = RunHost(s.host, in); err != nil {
			err = &device.RunError{Op: s.host.Op.MLIRName(), Loc: s.loc, Err: err}
		}
	}
	return out, err
}

func (s *step) evaluate(in []*buf.Buffer) ([]*buf.Buffer, error) {
	env := make(map[*mlir.Value]*buf.Buffer, len(in)+len(s.out))
	for i, v := range s.uses {
		env[v] = in[i]
	}
	return reference.Operation(s.scalar, env)
}

// releaseEarly finds, for every step, the slots that it is the last to read.
func (p *procedure) releaseEarly() {
	live := map[int]bool{}
	for _, s := range p.results {
		live[s] = true
	}
	for _, c := range p.constants {
		live[c.slot] = true
	}
	for i := len(p.steps) - 1; i >= 0; i-- {
		st := &p.steps[i]
		for _, s := range append(st.in[:len(st.in):len(st.in)], st.out...) {
			if !live[s] {
				live[s] = true
				st.dead = append(st.dead, s)
			}
		}
	}
}
