package compiler

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Executable is a handle of a compiled module. Handles that [Executable.Share] makes
// stand for the same program, which is freed when all are closed.
type Executable struct {
	*program
	closed atomic.Bool
}

// program is a compiled module.
type program struct {
	module func() (*mlir.Operation, error) // in the linalg form
	frame  *mlir.Operation                 // the same without the bodies of groups
	entry  string                          // the function that runs
	guards *guards                         // of the inputs, nil if the program is right for all

	operations int // of the module

	groups  []*compiled
	parts   []part       // groups and calls on the host, as they come in the module
	handles atomic.Int32 // open handles

	whole *engine.Program // set if the module is a single group; else:

	procedure
	fallbacks map[string]int // nil if nothing runs on the host
	hostCalls map[string]int // the fallbacks that are Go functions
	users     users          // of the steps
	seen      packs          // that somebody was told of

	takes, gives ports
	memory       device.Memory
	division     []device.Group
	warnings     []string
	times        []device.CompileTime // of the whole program
}

// Group is a group of operations that the engine runs for the device.
type Group struct {
	Name    string
	Program *engine.Program
	Turns   Turns
	// Carried are the inputs that come from the turn before of the loop that the group alone is in, and are not passed
	// on: a result may take their memory.
	Carried []int
}

// Groups returns the groups that the engine runs for the device, in the order in which they run.
func (p *program) Groups() []Group {
	var list []Group
	turns, carried := p.turns()
	for _, g := range p.groups {
		if g.engine != nil && !g.hosted {
			list = append(list, Group{g.name, g.engine, turns[g], carried[g]})
		}
	}
	return list
}

// Types returns the types of the inputs and of the results.
func (p *program) Types() (inputs, results []ops.TensorType) {
	return p.takes.types(), p.gives.types()
}

// Share returns another handle of the program.
func (e *Executable) Share() *Executable {
	for {
		n := e.handles.Load()
		if n == 0 {
			panic("BUG: compiler: a closed executable is shared")
		}
		if e.handles.CompareAndSwap(n, n+1) {
			return &Executable{program: e.program}
		}
	}
}

// NewHandle implements device.Executable.
func (e *Executable) NewHandle() device.Executable { return e.Share() }

// Close implements device.Executable. The handle refuses later runs, and those that are
// going on come to their end first; a second Close does nothing.
func (e *Executable) Close() {
	if !e.closed.Swap(true) && e.handles.Add(-1) == 0 && e.users.close() {
		e.free()
	}
}

func (p *program) free() {
	p.guards.close()
	for _, g := range p.groups {
		if g.run != nil { // it may have failed to compile
			g.run.Close()
		}
	}
}

var errClosed = errors.New("the executable is closed")

// ready returns why a run cannot start.
func (e *Executable) ready(ctx context.Context, inputs []*buf.Buffer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.closed.Load() {
		return errClosed
	}
	if err := e.takes.check("input", inputs); err != nil {
		return err
	}
	if err := e.memory.Check(); err != nil || e.guards == nil {
		return err
	}
	return e.guards.check(ctx, inputs)
}

// Run implements device.Executable.
func (e *Executable) Run(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	if err := e.ready(ctx, inputs); err != nil {
		return nil, err
	}
	if e.whole != nil {
		out, err := e.whole.Run(ctx, inputs)
		return out, runError(err)
	}
	return e.run(ctx, inputs, nil)
}

// RunInto implements device.Executable. A program of one group then allocates
// nothing.
func (e *Executable) RunInto(ctx context.Context, inputs, results []*buf.Buffer) error {
	if err := e.ready(ctx, inputs); err != nil {
		return err
	}
	if err := e.gives.check("result", results); err != nil {
		return err
	}
	if e.whole != nil {
		return runError(e.whole.RunChecked(ctx, inputs, results))
	}
	_, err := e.run(ctx, inputs, results)
	return err
}

// run is [procedure.run]. The program is not freed before the last step.
func (p *program) run(ctx context.Context, inputs, results []*buf.Buffer) ([]*buf.Buffer, error) {
	if !p.users.enter() {
		return nil, errClosed
	}
	out, err := p.procedure.run(ctx, inputs, results)
	if p.users.leave() {
		p.free()
	}
	return out, err
}

// runError is an error of a group as one of a run.
func runError(err error) error {
	if e, ok := err.(*graph.Error); ok {
		return &device.RunError{Op: e.Op, Loc: e.Loc, Err: errors.New(e.Message)}
	}
	return err
}

// RunHost runs a host operator. The tensors of the call are replaced, in order,
// by the buffers, and open numbers, which follow, by their values. An error is the one of the operator, such as
// elements that it does not take.
func RunHost(c *ops.Call, in []*buf.Buffer) ([]*buf.Buffer, error) {
	next := 0
	args := c.Map(func(ops.Value) ops.Value {
		next++
		return ops.BufferValue{Buffer: in[next-1]}
	})
	for i := range args {
		switch a := &args[i]; {
		case a.Open() == nil:
			continue
		case a.Kind == ops.KindFloat:
			*a = ops.FloatArg(in[next].Float64(0))
		default:
			*a = ops.IntArg(int(in[next].Int64(0)))
		}
		next++
	}
	h := ops.HostCall{Call: &ops.Call{Op: c.Op, Args: args, Out: c.Out}}
	return h.Run()
}

// Text implements device.Executable for the stages linalg, kernel, vector and asm.
func (p *program) Text(stage string) (string, error) {
	switch stage {
	case "linalg":
		module, err := p.module()
		if err != nil {
			return "", err
		}
		return module.String(), nil
	case "kernel", "vector", "asm":
		var b strings.Builder
		for _, g := range p.groups {
			fmt.Fprintf(&b, "%s%s\n", GroupLine, g.name)
			switch {
			case g.engine == nil:
				fmt.Fprintf(&b, "// of the device, which shows no %s\n", stage)
			case stage == "kernel":
				b.WriteString(g.engine.KernelText())
			case stage == "vector":
				b.WriteString(g.engine.Vectors())
			default:
				b.WriteString(g.engine.Listing())
			}
		}
		return b.String(), nil
	}
	return "", fmt.Errorf("no stage %q here; there are linalg, kernel, vector and asm", stage)
}

// Fallbacks implements device.Executable.
func (p *program) Fallbacks() map[string]int { return p.fallbacks }

// fallback counts a call that runs on the host.
func (p *program) fallback(op string) {
	if p.fallbacks == nil {
		p.fallbacks = map[string]int{}
	}
	p.fallbacks[op]++
}
