package compiler

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/group"
)

// Entry is the name of the function that an executable runs. A module whose only
// public function has another name runs that one.
const Entry = "main"

// EntryOf returns the function of a module that runs. A module without such a function is an error.
func EntryOf(module *mlir.Operation) (*mlir.Operation, error) { return entry(module) }

// entry finds the function to run.
func entry(module *mlir.Operation) (*mlir.Operation, error) {
	if f := module.Func(Entry); f != nil && f.Body() != nil {
		return f, nil
	}
	var public []*mlir.Operation
	for _, f := range module.Funcs() {
		if f.Body() != nil && !f.IsPrivate() {
			public = append(public, f)
		}
	}
	if len(public) != 1 {
		return nil, fmt.Errorf("the module has no function @%s to run, nor one other public function: it has %d", Entry, len(public))
	}
	return public[0], nil
}

// Backend compiles the kernels of a program; nil means the best for this machine.
type Backend func(kernel.Kernel) (kernel.Code, error)

// Compile makes an executable of a module's @main (see [Entry]). The module is consumed. Errors are those of the
// module, with the place of the operation, of memory that the program would take beyond the limit
// ([*device.MemoryError]) and of ctx.
func Compile(ctx context.Context, module *mlir.Operation) (*Executable, error) {
	return CompileWith(ctx, module, nil)
}

// CompileWith is [Compile] with a back end of the caller's for kernels. An error of the back end is an error of the
// compilation.
func CompileWith(ctx context.Context, module *mlir.Operation, backend Backend) (*Executable, error) {
	return CompileFor(ctx, module, onlyNative{Native{backend}}, device.Config{}.WithStrict(backend != nil))
}

// CompileFor is [Compile] for a device: groups of what it supports are compiled by it, the rest runs
// on the host. Errors are those of [Compile]; a group that the device cannot compile is an error only if config is
// strict.
func CompileFor(ctx context.Context, module *mlir.Operation, backend device.Backend, config device.Config) (*Executable, error) {
	t := &target{backend: backend, config: config}
	if t.plain() {
		return compileCached(ctx, module, t)
	}
	return compile(ctx, module, t)
}

func compile(ctx context.Context, module *mlir.Operation, t *target) (*Executable, error) {
	guards, err := takeGuards(ctx, module)
	if err != nil {
		return nil, err
	}
	exe, err := compileUnguarded(ctx, module, t)
	if err != nil {
		guards.close()
		return nil, err
	}
	exe.guards = guards
	return exe, nil
}

func compileUnguarded(ctx context.Context, module *mlir.Operation, t *target) (*Executable, error) {
	again := t.again(module)
	division, apart, err := t.lower(module)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := entry(module)
	if err != nil {
		return nil, err
	}
	b := newBuilder(module, t)
	b.exe.operations = operations(module)
	b.exe.division, b.apart, b.exe.times = division, apart, t.times
	b.exe.warnings = append(b.exe.warnings, t.unaffected...)
	if again != nil {
		b.exe.module = again
	}
	for _, op := range t.hosted {
		b.exe.fallback(op)
	}
	exe, err := b.executable(ctx, f)
	if err != nil {
		return nil, err
	}
	exe.frame = withoutBodies(module, exe.groups)
	return exe, nil
}

// again returns what makes the linalg form of a module another time: hardly anybody looks at it, and it takes
// many times the memory of the program. It returns nil for a device that might not give it again.
func (t *target) again(module *mlir.Operation) func() (*mlir.Operation, error) {
	if !t.ownCode() {
		return nil
	}
	copied := func(module *mlir.Operation) *mlir.Operation {
		return module.Clone(make(map[*mlir.Value]*mlir.Value, operations(module)))
	}
	source := copied(module)
	return func() (*mlir.Operation, error) {
		module := copied(source)
		silent := &target{backend: t.backend, config: t.config, silent: true}
		_, _, err := silent.lower(module)
		return module, err
	}
}

func newBuilder(module *mlir.Operation, t *target) *builder {
	b := &builder{module: module, exe: &program{frame: module, module: func() (*mlir.Operation, error) { return module, nil }},
		slots: map[*mlir.Value]int{}, programs: map[string]*compiled{}, target: t,
		constant: map[*mlir.Value]bool{}, procedures: map[string]*procedure{}, jobs: new([]*job)}
	b.proc = &b.exe.procedure
	b.exe.handles.Store(1)
	return b
}

// executable builds the program that starts with a function.
func (b *builder) executable(ctx context.Context, f *mlir.Operation) (*Executable, error) {
	exe := &Executable{program: b.exe}
	b.exe.entry = f.Symbol()
	err := b.build(ctx, f)
	if err == nil {
		b.exe.predict()
		err = b.exe.memory.Check()
	}
	if err != nil {
		exe.Close()
		return nil, err
	}
	return exe, nil
}

// operations counts the operations in the functions of a module.
func operations(module *mlir.Operation) int {
	n := 0
	for _, f := range module.Funcs() {
		if f.Body() != nil {
			n += len(f.Body().Ops)
		}
	}
	return n
}

type builder struct {
	stored   map[string]*plan.Group // of a program that is loaded: its groups
	blobs    *wire.Blobs            // beside it
	module   *mlir.Operation
	exe      *program
	slots    map[*mlir.Value]int
	programs map[string]*compiled
	target   *target
	apart    map[string]*mlir.Operation // groups of the device that are not in the module
	constant map[*mlir.Value]bool       // values that are the same in many runs

	proc       *procedure // that is being built
	procedures map[string]*procedure
	jobs       *[]*job // the groups that are to be compiled
}

func (b *builder) build(ctx context.Context, f *mlir.Operation) error {
	b.exe.signature(f)
	if b.isGroup(f) {
		g := b.group(f.Symbol(), f, ops.ConstantArguments(f))
		if err := b.compileGroups(ctx); err != nil {
			return err
		}
		if b.exe.whole = g.engine; g.engine != nil {
			return nil
		}
		return errors.New("BUG: compiler: a program is one group, and not the engine's")
	}
	for i, constant := range ops.ConstantArguments(f) {
		b.constant[f.Body().Args[i]] = constant
	}
	if err := b.procedure(ctx, f); err != nil {
		return err
	}
	return b.compileGroups(ctx)
}

// isGroup reports whether a function is one group.
func (b *builder) isGroup(f *mlir.Operation) bool {
	if b.stored != nil {
		return b.stored[f.Symbol()] != nil
	}
	if !b.target.isNative() {
		return b.apart[f.Symbol()] == f || f.Attrs.Get(hostMark) != nil
	}
	return !needsSteps(f)
}

// needsSteps reports whether a function is more than one group.
func needsSteps(f *mlir.Operation) bool {
	if group.HasComplex(f) || len(f.Regions[0].Blocks) > 1 {
		return true
	}
	for _, op := range f.Body().Ops {
		if strings.HasPrefix(op.Name, "linalg.") || strings.HasPrefix(op.Name, "tensor.") {
			continue // as nearly all of a group
		}
		if op.Name == "func.call" || ops.Lookup(op.Name) != nil || controls[op.Name] {
			return true
		}
	}
	return false
}

func (b *builder) slot(v *mlir.Value) int {
	if i, ok := b.slots[v]; ok {
		return i
	}
	b.slots[v] = b.proc.slots
	b.proc.slots++
	return b.slots[v]
}

func (b *builder) slotsOf(values []*mlir.Value) []int {
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = b.slot(v)
	}
	return out
}

// step appends what an operation does to a list.
func (b *builder) step(ctx context.Context, op *mlir.Operation, steps *[]step) error {
	switch {
	case op.Name == "arith.constant" && isTensor(op.Result()):
		data, err := constant(op)
		if err != nil {
			return err
		}
		b.proc.constants = append(b.proc.constants, placed{b.slot(op.Result()), data})
		b.constant[op.Result()] = true
		return nil
	case controls[op.Name]:
		return b.control(ctx, op, steps)
	case op.Name == "func.call":
		return b.call(ctx, op, steps)
	case ops.Lookup(op.Name) == nil:
		return b.scalarStep(op, steps)
	}
	return b.hostStep(op, steps)
}

// call appends the run of a group, or of a function that has steps of its own.
func (b *builder) call(ctx context.Context, op *mlir.Operation, steps *[]step) error {
	callee, _ := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
	var f *mlir.Operation
	if len(callee) == 1 {
		if f = b.apart[callee[0]]; f == nil {
			f = b.module.Func(callee[0])
		}
	}
	if f == nil || f.Body() == nil && !b.isGroup(f) {
		return op.Errorf("call of an unknown function %v", callee)
	}
	s := step{loc: op.Loc, in: b.slotsOf(op.Operands), out: b.slotsOf(op.Results), bytes: bytesOfAll(op.Results)}
	var err error
	if !b.isGroup(f) {
		s.control, err = b.callee(ctx, f)
	} else {
		constant := make([]bool, len(op.Operands))
		for i, v := range op.Operands {
			constant[i] = b.constant[v]
		}
		s.group = b.group(callee[0], f, constant)
	}
	*steps = append(*steps, s)
	return err
}

func (b *builder) hostStep(op *mlir.Operation, steps *[]step) error {
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil {
		return op.Errorf("%w", err)
	}
	switch {
	case call.Op.IsInplace():
		return op.Errorf("the operation writes its operand, and the tensors of a program are values: %s gives the new one, "+
			"for all that reads the operand afterwards", call.Op.Functional().MLIRName())
	case call.Op.Host == nil:
		return op.Errorf("cannot run on the host")
	}
	b.exe.fallback(op.Name)
	if b.exe.hostCalls == nil {
		b.exe.hostCalls = map[string]int{}
	}
	b.exe.hostCalls[op.Name]++
	b.exe.parts = append(b.exe.parts, part{host: call, loc: op.Loc})
	*steps = append(*steps, step{host: call, loc: op.Loc,
		in: b.slotsOf(op.Operands), out: b.slotsOf(op.Results), bytes: bytesOfAll(op.Results)})
	return nil
}
