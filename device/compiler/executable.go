package compiler

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
)

// Executable is a compiled module.
type Executable struct {
	module *mlir.Operation
	groups []Group

	whole *engine.Program // set if the module is a single group; else:

	slots     int
	inputs    []int
	results   []int
	constants []placed
	steps     []step
	fallbacks map[string]int // nil if nothing runs on the host
	users     engine.Users
}

// Group is a compiled group of operations.
type Group struct {
	Name    string
	Program *engine.Program
}

type placed struct {
	slot int
	data *buf.Buffer
}

// step is a group or a host call on slots.
type step struct {
	group   *engine.Program
	host    *ops.Call
	loc     mlir.Location
	in, out []int
	dead    []int // slots that nothing reads afterwards
}

// Groups returns the compiled groups, in the order in which they run.
func (e *Executable) Groups() []Group { return e.groups }

// Module returns the module in the linalg form.
func (e *Executable) Module() *mlir.Operation { return e.module }

// Run implements device.Executable.
func (e *Executable) Run(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	if e.whole != nil {
		return e.whole.Run(ctx, inputs)
	}
	slots, err := e.run(ctx, inputs, nil)
	if err != nil {
		return nil, err
	}
	return pick(slots, e.results), nil
}

// RunInto implements device.Executable. A program of one group then allocates
// nothing.
func (e *Executable) RunInto(ctx context.Context, inputs, results []*buf.Buffer) error {
	if e.whole != nil {
		return e.whole.RunInto(ctx, inputs, results)
	}
	if len(results) != len(e.results) {
		return fmt.Errorf("program has %d results, got %d", len(e.results), len(results))
	}
	slots, err := e.run(ctx, inputs, results)
	if err != nil {
		return err
	}
	for i, s := range e.results {
		if slots[s] != results[i] {
			copy(results[i].Bytes(), slots[s].Bytes())
		}
	}
	return nil
}

// run computes the slots. Groups write to results, if there are any, in place.
// The program is not freed before the last step.
func (e *Executable) run(ctx context.Context, inputs, results []*buf.Buffer) ([]*buf.Buffer, error) {
	if !e.users.Enter() {
		return nil, errors.New("the program is closed")
	}
	slots, err := e.runSteps(ctx, inputs, results)
	if e.users.Leave() {
		e.free()
	}
	return slots, err
}

func (e *Executable) runSteps(ctx context.Context, inputs, results []*buf.Buffer) ([]*buf.Buffer, error) {
	if len(inputs) != len(e.inputs) {
		return nil, fmt.Errorf("program takes %d inputs, got %d", len(e.inputs), len(inputs))
	}
	slots := make([]*buf.Buffer, e.slots)
	for i, s := range e.results {
		if results != nil {
			slots[s] = results[i]
		}
	}
	for i, s := range e.inputs {
		slots[s] = inputs[i]
	}
	for _, c := range e.constants {
		slots[c.slot] = c.data
	}
	for i := range e.steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.steps[i].run(ctx, slots); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

func pick(slots []*buf.Buffer, which []int) []*buf.Buffer {
	out := make([]*buf.Buffer, len(which))
	for i, s := range which {
		out[i] = slots[s]
	}
	return out
}

// run computes the slots of a step's results: in the buffers that are there already,
// if it is a group, else in new ones.
func (s *step) run(ctx context.Context, slots []*buf.Buffer) error {
	in, out := pick(slots, s.in), pick(slots, s.out)
	var err error
	if s.group != nil {
		err = s.group.RunInto(ctx, in, out)
	} else {
		out, err = RunHost(s.host, in)
	}
	if err != nil {
		return fmt.Errorf("%s%w", position(s.loc), err)
	}
	for i, slot := range s.out {
		slots[slot] = out[i]
	}
	for _, d := range s.dead {
		slots[d] = nil
	}
	return nil
}

func position(l mlir.Location) string {
	if l.IsUnknown() {
		return ""
	}
	return l.Short() + ": "
}

// RunHost runs a host operator. The tensors of the call are replaced, in order,
// by the buffers.
func RunHost(c *ops.Call, in []*buf.Buffer) ([]*buf.Buffer, error) {
	next := 0
	args := c.Map(func(ops.Value) ops.Value {
		next++
		return ops.BufferValue{Buffer: in[next-1]}
	})
	return c.Op.Host(&ops.HostCall{Call: &ops.Call{Op: c.Op, Args: args, Out: c.Out}})
}

// releaseEarly finds, for every step, the slots that it is the last to read.
func (e *Executable) releaseEarly() {
	live := map[int]bool{}
	for _, s := range e.results {
		live[s] = true
	}
	for i := len(e.steps) - 1; i >= 0; i-- {
		st := &e.steps[i]
		for _, s := range append(st.in[:len(st.in):len(st.in)], st.out...) {
			if !live[s] {
				live[s] = true
				st.dead = append(st.dead, s)
			}
		}
	}
}

// checkMemory refuses a program of several steps whose run needs more memory than [buf.Limit].
// bytes are the sizes of the slots.
func (e *Executable) checkMemory(bytes []int64) error {
	var held, most int64
	hold := func(slots []int) {
		for _, s := range slots {
			held = buf.AddBytes(held, bytes[s])
		}
	}
	hold(e.inputs)
	for _, c := range e.constants {
		hold([]int{c.slot})
	}
	for i := range e.steps {
		st := &e.steps[i]
		hold(st.out)
		need := held
		if st.group != nil {
			need = buf.AddBytes(held, st.group.Memory())
		}
		if most = max(most, need); need < 0 {
			return buf.CheckBytes(-1, "a run")
		}
		for _, s := range st.dead {
			held -= bytes[s]
		}
	}
	return buf.CheckBytes(max(most, held), "a run")
}

// Text implements device.Executable for the stages linalg, kernel and asm.
func (e *Executable) Text(stage string) (string, error) {
	switch stage {
	case "linalg":
		return e.module.String(), nil
	case "kernel", "asm":
		var b strings.Builder
		for _, g := range e.groups {
			fmt.Fprintf(&b, "// group @%s\n", g.Name)
			if stage == "kernel" {
				b.WriteString(g.Program.KernelText())
			} else {
				b.WriteString(g.Program.Listing())
			}
		}
		return b.String(), nil
	}
	return "", fmt.Errorf("no stage %q here; there are linalg, kernel and asm", stage)
}

// Fallbacks implements device.Executable.
func (e *Executable) Fallbacks() map[string]int { return e.fallbacks }

// Close implements device.Executable. Runs that are going on come to their end first.
func (e *Executable) Close() {
	if e.users.Close() {
		e.free()
	}
}

func (e *Executable) free() {
	for _, g := range e.groups {
		g.Program.Close()
	}
}
