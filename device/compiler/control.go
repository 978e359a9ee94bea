package compiler

import (
	"context"
	"fmt"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/scf"
)

// controls are the operations that the host runs by running their regions.
var controls = map[string]bool{"scf.if": true, "scf.for": true, "scf.while": true, "scf.execute_region": true,
	"scf.index_switch": true}

// maxCalls bounds how deeply functions may call each other.
const maxCalls = 10_000

// control is a loop, a choice, a call of a procedure, or blocks that branch to each other
// ("cf").
type control struct {
	name    string
	regions []*region
	cases   []int64     // of scf.index_switch: the index of each region but the first
	counter scf.Counter // of scf.for
	callee  *procedure
	loc     mlir.Location
}

// region is a list of blocks; the first is entered.
type region struct {
	blocks   []codeBlock
	once     sync.Once
	replaces []int // see replaced
}

type codeBlock struct {
	args  []int
	steps []step
	own   []int // slots that the block's steps write
	end   terminator
}

// terminator ends a block: it passes values on to what is around, or branches.
type terminator struct {
	values   []int    // passed on, or of a branch what it depends on
	branches []branch // none: leave the region
	cases    []int64  // of cf.switch: the value of each branch but the first
}

type branch struct {
	block int
	args  []int // of its arguments
}

// control appends a step of an operation with regions.
func (b *builder) control(ctx context.Context, op *mlir.Operation, steps *[]step) error {
	c := &control{name: op.Name, loc: op.Loc}
	if op.Name == "scf.for" {
		c.counter = scf.CounterOf(op)
	}
	if cases, ok := mlir.IntList(op.Attrs.Get("cases")); ok {
		for _, n := range cases {
			c.cases = append(c.cases, int64(n))
		}
	}
	s := step{control: c, loc: op.Loc, in: b.slotsOf(op.Operands), out: b.slotsOf(op.Results),
		bytes: bytesOfAll(op.Results)}
	for _, v := range op.Captured() { // alive until the step ends
		s.in = append(s.in, b.slot(v))
	}
	for _, r := range op.Regions {
		inner, err := b.region(ctx, r)
		if err != nil {
			return err
		}
		c.regions = append(c.regions, inner)
	}
	*steps = append(*steps, s)
	return nil
}

// callee returns a call of a function with steps, which is built once.
func (b *builder) callee(ctx context.Context, f *mlir.Operation) (*control, error) {
	c := &control{name: "func.call", callee: b.procedures[f.Symbol()], loc: f.Loc}
	if c.callee != nil {
		return c, nil
	}
	c.callee = &procedure{}
	b.procedures[f.Symbol()] = c.callee
	inner := *b
	inner.proc, inner.slots = c.callee, map[*mlir.Value]int{}
	return c, inner.procedure(ctx, f)
}

func (b *builder) region(ctx context.Context, r *mlir.Region) (*region, error) {
	out := &region{}
	number := map[*mlir.Block]int{}
	for i, block := range r.Blocks {
		number[block] = i
	}
	for _, block := range r.Blocks {
		code, err := b.block(ctx, block)
		if err != nil {
			return nil, err
		}
		if last := block.Terminator(); len(last.Successors) > 0 {
			for _, s := range last.Successors {
				code.end.branches = append(code.end.branches, branch{number[s.Block], b.slotsOf(s.Args)})
			}
			if code.end.cases, err = cases(last); err != nil {
				return nil, err
			}
		}
		out.blocks = append(out.blocks, code)
	}
	return out, nil
}

// block builds the steps of a block.
func (b *builder) block(ctx context.Context, block *mlir.Block) (codeBlock, error) {
	code := codeBlock{args: b.slotsOf(block.Args)}
	for i, op := range block.Ops {
		if err := ctx.Err(); err != nil {
			return code, err
		}
		if i == len(block.Ops)-1 {
			if !op.Def().Has(mlir.Terminator) {
				break
			}
			code.end.values = b.slotsOf(op.Operands)
			for i := range code.steps {
				code.own = append(code.own, code.steps[i].out...)
			}
			return code, nil
		}
		if err := b.step(ctx, op, &code.steps); err != nil {
			return code, err
		}
	}
	return code, fmt.Errorf("a block does not end with a return, a yield or a branch")
}

// cases reads the values of a cf.switch.
func cases(op *mlir.Operation) ([]int64, error) {
	switch op.Name {
	case "cf.br", "cf.cond_br":
		return nil, nil
	case "cf.switch":
		values, ok := mlir.IntList(op.Attrs.Get("case_values"))
		if !ok && len(op.Successors) > 1 || len(values) != len(op.Successors)-1 {
			return nil, op.Errorf("%d branches and %d cases", len(op.Successors), len(values))
		}
		out := make([]int64, len(values))
		for i, n := range values {
			out[i] = int64(n)
		}
		return out, nil
	}
	return nil, op.Errorf("a branch that cannot be run")
}

// depth counts nested calls of procedures in a context.
type depth struct{}

// run returns the results. in are the operands, and behind them what the regions use.
func (c *control) run(ctx context.Context, f *frame, in []*buf.Buffer) ([]*buf.Buffer, error) {
	switch c.name {
	case "scf.if":
		if in[0].Int64(0) != 0 {
			return c.regions[0].run(ctx, f, nil)
		}
		if len(c.regions[1].blocks) == 0 {
			return nil, nil
		}
		return c.regions[1].run(ctx, f, nil)
	case "scf.index_switch":
		at := 0
		for i, n := range c.cases {
			if n == in[0].Int64(0) {
				at = i + 1
			}
		}
		return c.regions[at].run(ctx, f, nil)
	case "scf.for":
		return c.counted(ctx, f, in)
	case "scf.while":
		return c.conditional(ctx, f, in)
	case "scf.execute_region":
		return c.regions[0].run(ctx, f, nil)
	case "func.call":
		calls, _ := ctx.Value(depth{}).(int)
		if calls >= maxCalls {
			return nil, &device.RunError{Op: c.name, Loc: c.loc, Err: fmt.Errorf("calls are nested more than %d deep", maxCalls)}
		}
		return c.callee.run(context.WithValue(ctx, depth{}, calls+1), in, nil)
	}
	return c.regions[0].run(ctx, f, in[:len(c.regions[0].blocks[0].args)])
}

// counted runs an scf.for: bounds and step, then the carried values.
func (c *control) counted(ctx context.Context, f *frame, in []*buf.Buffer) ([]*buf.Buffer, error) {
	body := c.regions[0]
	numbers, err := c.counter.Count(in[0].Int64(0), in[1].Int64(0), in[2].Int64(0))
	if err != nil {
		return nil, &device.RunError{Op: c.name, Loc: c.loc, Err: err}
	}
	carried := in[3 : 2+len(body.blocks[0].args)]
	loops, end := f.loops(c.regions)
	defer end()
	for i := range numbers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		number := buf.New(in[0].DType, []int{})
		number.SetInt64(0, i)
		next, err := loops[0].turn(ctx, append([]*buf.Buffer{number}, carried...))
		if err != nil {
			return nil, err
		}
		carried = next
	}
	return carried, nil
}

// conditional runs an scf.while: its first region ends with the condition and what is passed to
// the second, or out.
func (c *control) conditional(ctx context.Context, f *frame, in []*buf.Buffer) ([]*buf.Buffer, error) {
	values := in[:len(c.regions[0].blocks[0].args)]
	loops, end := f.loops(c.regions)
	defer end()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		passed, err := loops[0].turn(ctx, values)
		if err != nil {
			return nil, err
		}
		if passed[0].Int64(0) == 0 {
			return passed[1:], nil
		}
		if values, err = loops[1].turn(ctx, passed[1:]); err != nil {
			return nil, err
		}
	}
}

// run enters the first block with arguments and returns what leaves the region.
func (r *region) run(ctx context.Context, f *frame, args []*buf.Buffer) ([]*buf.Buffer, error) {
	before := f.records
	f.records = false // a loop may enter the region any number of times
	defer func() { f.records = before }()
	at := 0
	for {
		b := &r.blocks[at]
		for i, s := range b.args {
			f.slots[s] = args[i]
		}
		for _, s := range b.own { // what an earlier turn computed may have gone on
			f.slots[s] = nil
		}
		if err := f.runAll(ctx, b.steps); err != nil {
			return nil, err
		}
		if len(b.end.branches) == 0 {
			return f.pick(b.end.values), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := b.end.next(f.slots)
		at, args = next.block, f.pick(next.args)
	}
}

// next is the branch that is taken.
func (t *terminator) next(slots []*buf.Buffer) branch {
	switch {
	case len(t.values) == 0:
		return t.branches[0]
	case t.cases == nil && len(t.branches) == 2:
		if slots[t.values[0]].Int64(0) != 0 {
			return t.branches[0]
		}
		return t.branches[1]
	}
	for i, n := range t.cases {
		if n == slots[t.values[0]].Int64(0) {
			return t.branches[i+1]
		}
	}
	return t.branches[0]
}

// bytes is the most that one turn of each region takes.
func (c *control) bytes() int64 {
	var sum int64
	add := func(steps []step) {
		for i := range steps {
			s := &steps[i]
			sum = buf.AddBytes(append([]int64{sum}, s.bytes...)...)
			switch {
			case s.group != nil:
				sum = buf.AddBytes(sum, s.group.run.Memory())
			case s.control != nil && s.control.callee == nil:
				sum = buf.AddBytes(sum, s.control.bytes())
			}
		}
	}
	for _, r := range c.regions {
		for i := range r.blocks {
			add(r.blocks[i].steps)
		}
	}
	if c.callee != nil {
		add(c.callee.steps)
	}
	return sum
}
