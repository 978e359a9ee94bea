package compiler

import (
	"context"
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
		return e.whole.Run(inputs)
	}
	if len(inputs) != len(e.inputs) {
		return nil, fmt.Errorf("program takes %d inputs, got %d", len(e.inputs), len(inputs))
	}
	slots := make([]*buf.Buffer, e.slots)
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
		if err := e.steps[i].run(slots); err != nil {
			return nil, err
		}
	}
	return pick(slots, e.results), nil
}

// RunInto computes the results into the given buffers, which must not be inputs.
// A program of one group then allocates nothing.
func (e *Executable) RunInto(ctx context.Context, inputs, outputs []*buf.Buffer) error {
	if e.whole != nil {
		return e.whole.RunInto(inputs, outputs)
	}
	results, err := e.Run(ctx, inputs)
	if err != nil {
		return err
	}
	for i, r := range results {
		copy(outputs[i].Bytes(), r.Bytes())
	}
	return nil
}

func pick(slots []*buf.Buffer, which []int) []*buf.Buffer {
	out := make([]*buf.Buffer, len(which))
	for i, s := range which {
		out[i] = slots[s]
	}
	return out
}

func (s *step) run(slots []*buf.Buffer) error {
	in := pick(slots, s.in)
	var out []*buf.Buffer
	var err error
	if s.group != nil {
		out, err = s.group.Run(in)
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

// Close implements device.Executable.
func (e *Executable) Close() {
	for _, g := range e.groups {
		g.Program.Close()
	}
}
