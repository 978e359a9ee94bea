package walk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
)

// machine runs one program.
type machine struct {
	ctx     context.Context
	printed io.Writer
	module  *mlir.Operation
	globals map[string]value
	frame   *frame
	depth   int
	steps   int
	points  [][]int // of the linalg operations that run, innermost last

	// Of a process of a design.
	design *design
	self   *process
	at     place                   // of a core
	runs   map[*mlir.Operation]int // of descriptors that move on from run to run
}

// frame holds the values of one call.
type frame struct{ values map[*mlir.Value]value }

// fault is an error on the way out of nested regions.
type fault struct{ err error }

// maxDepth bounds nested calls.
const maxDepth = 1000

// Run runs a function of a module. An input is a tensor, memory or a number; a number is a tensor without dimensions.
// The results are the values that the function returns. A function without results fills memory that it was given, and
// the results are then this memory. Inputs are not modified. The output of vector.print goes to w. Another number or
// type of inputs is an error, and so are an operation that cannot be walked and a ctx that is over.
func Run(ctx context.Context, w io.Writer, module, f *mlir.Operation, inputs []*buf.Buffer) (results []*buf.Buffer, err error) {
	m := &machine{ctx: ctx, printed: w, module: module, globals: map[string]value{}}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case fault:
			results, err = nil, x.err
		case runtime.Error: // an operation that is not as its dialect says
			results, err = nil, fmt.Errorf("the program is malformed: %w", x)
		default:
			panic(x)
		}
	}()
	t := funcdialect.Type(f)
	if len(inputs) != len(t.Inputs) {
		return nil, fmt.Errorf("%d inputs were given, the program has %d", len(inputs), len(t.Inputs))
	}
	args := make([]value, len(inputs))
	for i, b := range inputs {
		if args[i], err = input(t.Inputs[i], b); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	returned := m.call(f, args)
	if len(t.Results) == 0 {
		for i, in := range t.Inputs {
			if isMemory(in) {
				returned = append(returned, args[i])
			}
		}
	}
	for _, v := range returned {
		b, err := output(v)
		if err != nil {
			return nil, err
		}
		results = append(results, b)
	}
	return results, nil
}

func isMemory(t mlir.Type) bool {
	switch t.(type) {
	case mlir.MemRefType, mlir.UnrankedMemRefType:
		return true
	}
	return false
}

// input checks a buffer against the type of an argument and takes its elements.
func input(t mlir.Type, b *buf.Buffer) (value, error) {
	if d := dtypeOf(t); d != b.DType {
		return nil, fmt.Errorf("elements of type %v, the program takes %s", b.DType, mlir.ElementOf(t))
	}
	shape, _, shaped := mlir.ShapeOf(t)
	switch t.(type) {
	case mlir.UnrankedMemRefType, mlir.UnrankedTensorType:
		return wrap(b.Clone()), nil
	}
	if !shaped {
		if b.Len() != 1 {
			return nil, fmt.Errorf("shape %v, the program takes a number", b.Shape)
		}
		return wrap(b).load(0), nil
	}
	fits := len(shape) == len(b.Shape)
	for i := 0; fits && i < len(shape); i++ {
		fits = shape[i] == mlir.Dynamic || shape[i] == b.Shape[i]
	}
	if !fits {
		return nil, fmt.Errorf("shape %v, the program takes %s", b.Shape, t)
	}
	return wrap(b.Clone()), nil
}

func output(v value) (*buf.Buffer, error) {
	switch v := v.(type) {
	case *array:
		return v.row()
	case number:
		a, err := newArray(v.DType, nil)
		if err != nil {
			return nil, err
		}
		a.store(0, v)
		return a.data, nil
	}
	return nil, errors.New("a result that is no data")
}

// check stops the run with an error at an operation.
func check(op *mlir.Operation, err error) {
	if err != nil {
		panic(fault{op.Errorf("%w", err)})
	}
}

func fail(op *mlir.Operation, format string, args ...any) { check(op, fmt.Errorf(format, args...)) }

// call runs a function.
func (m *machine) call(f *mlir.Operation, args []value) []value {
	if f.Body() == nil {
		fail(f, "the function @%s has no body: what is linked from elsewhere must be written out to be run", f.Symbol())
	}
	if m.depth++; m.depth > maxDepth {
		fail(f, "calls are nested more than %d deep", maxDepth)
	}
	outer := m.frame
	m.frame = &frame{values: map[*mlir.Value]value{}}
	results := m.region(f.Regions[0], args...)
	m.frame = outer
	m.depth--
	return results
}

// region runs blocks from the first one until one ends without a branch, and returns what
// its terminator passes on.
func (m *machine) region(r *mlir.Region, args ...value) []value {
	if len(r.Blocks) == 0 {
		return nil
	}
	for b := r.Blocks[0]; ; {
		if len(args) != len(b.Args) {
			fail(r.Parent, "%d values for a block that takes %d", len(args), len(b.Args))
		}
		for i, a := range b.Args {
			m.frame.values[a] = args[i]
		}
		for i, op := range b.Ops {
			last := i == len(b.Ops)-1
			if last && len(op.Successors) > 0 {
				s := m.branch(op)
				args, b = m.values(s.Args), s.Block
				break
			}
			if last && op.Def().Has(mlir.Terminator) {
				for _, inner := range op.Regions {
					if op.Name == "scf.forall.in_parallel" {
						m.operations(inner.Blocks[0].Ops)
					}
				}
				return m.values(op.Operands)
			}
			m.operation(op)
			if last {
				return nil
			}
		}
		if len(b.Ops) == 0 {
			return nil
		}
	}
}

func (m *machine) operations(ops []*mlir.Operation) {
	for _, op := range ops {
		m.operation(op)
	}
}

// branch chooses the successor of a terminator.
func (m *machine) branch(op *mlir.Operation) mlir.Successor {
	switch op.Name {
	case "cf.br":
		return op.Successors[0]
	case "cf.cond_br":
		if m.integer(op.Operands[0]) != 0 {
			return op.Successors[0]
		}
		return op.Successors[1]
	case "cf.switch":
		flag := m.integer(op.Operands[0])
		cases, _ := mlir.IntList(op.Attrs.Get("case_values"))
		for i, n := range cases {
			if n == flag {
				return op.Successors[1+i]
			}
		}
		return op.Successors[0]
	}
	fail(op, "a branch that cannot be run")
	return mlir.Successor{}
}

func (m *machine) value(v *mlir.Value) value {
	x, ok := m.frame.values[v]
	if !ok && m.design != nil {
		return m.design.shared[v]
	}
	return x
}

func (m *machine) values(list []*mlir.Value) []value {
	out := make([]value, len(list))
	for i, v := range list {
		out[i] = m.value(v)
	}
	return out
}

func (m *machine) integer(v *mlir.Value) int {
	n, _ := m.value(v).(number)
	return int(n.Int)
}

func (m *machine) integers(list []*mlir.Value) []int {
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = m.integer(v)
	}
	return out
}

func (m *machine) array(v *mlir.Value) *array {
	a, _ := m.value(v).(*array)
	if a == nil {
		panic(fault{fmt.Errorf("a value of type %s has no elements here", v.Type)})
	}
	return a
}

// handler runs an operation and returns its results.
type handler func(m *machine, op *mlir.Operation) []value

// handlers has the handler of each operation by its name. Elementwise operations are in elements.go.
var handlers = map[string]handler{}

// register adds handlers; every file has its own operations.
func register(list map[string]handler) {
	for name, h := range list {
		if handlers[name] != nil {
			panic("BUG: walk: " + name + " has two handlers")
		}
		handlers[name] = h
	}
}

func (m *machine) operation(op *mlir.Operation) {
	if m.steps++; m.steps%1024 == 0 {
		check(op, m.ctx.Err())
		if m.design != nil {
			m.pause()
		}
	}
	for _, r := range op.Results {
		check(op, mlir.CheckNumber(r.Type))
	}
	var results []value
	if h := handlers[op.Name]; h != nil {
		results = h(m, op)
	} else {
		results = m.other(op)
	}
	if len(results) != len(op.Results) {
		fail(op, "operation gave %d results", len(results))
	}
	for i, r := range op.Results {
		m.frame.values[r] = results[i]
	}
}

// one is the result list of one value.
func one(v value) []value { return []value{v} }

// make allocates a result.
func (m *machine) make(op *mlir.Operation, t mlir.Type, dims []int) *array {
	a, err := newArray(dtypeOf(t), dims)
	check(op, err)
	return a
}

// extents are the extents of a type, the dynamic ones taken from the operands in order.
// Those of elements that are vectors come last.
func (m *machine) extents(t mlir.Type, dynamic []*mlir.Value) []int {
	shape, elem, _ := mlir.ShapeOf(t)
	shape = slices.Clone(shape)
	if v, ok := elem.(mlir.VectorType); ok {
		shape = append(shape, v.Shape...)
	}
	for i, n := range shape {
		if n == mlir.Dynamic && len(dynamic) > 0 {
			shape[i] = m.integer(dynamic[0])
			dynamic = dynamic[1:]
		}
	}
	return shape
}

// groups are the operands by their groups.
func (m *machine) groups(op *mlir.Operation) [][]*mlir.Value {
	sizes, ok := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
	if !ok {
		return [][]*mlir.Value{op.Operands}
	}
	var out [][]*mlir.Value
	rest := op.Operands
	for _, n := range sizes {
		out = append(out, rest[:n])
		rest = rest[n:]
	}
	return out
}

// mixed returns the entries of a list; operands give the dynamic entries.
func (m *machine) mixed(op *mlir.Operation, name string, dynamic []*mlir.Value) []int {
	list, _ := mlir.IntList(op.Attrs.Get(name))
	list = slices.Clone(list)
	for i, n := range list {
		if n == mlir.DynamicStride {
			list[i] = m.integer(dynamic[0])
			dynamic = dynamic[1:]
		}
	}
	return list
}

func element(x value) reference.Element {
	n, _ := x.(number)
	return n.Element
}
