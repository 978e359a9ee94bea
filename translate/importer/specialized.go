package importer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Run runs function main of a module, which it may change, on inputs. The devices, which can do so, lie
// above this package.
type Run func(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error)

// maxReads bounds the values that are computed to know a model's structure: each is a program of its
// own.
const maxReads = 1 << 10

// Specialized is [Module] for a model whose structure depends on elements. Elements of inputs are read from inputs;
// elements of intermediate values are computed by run, which may be nil. The module is right for all inputs that agree
// in these elements. The module's guards check the elements: see package translate/passes/guard. Errors are those of
// forward and of run.
func Specialized(model string, names []string, inputs []*buf.Buffer, run Run, forward Forward) (
	*mlir.Operation, error) {
	types := make([]ops.TensorType, len(inputs))
	for i, b := range inputs {
		types[i] = ops.TensorType{DType: b.DType, Shape: b.Shape}
	}
	given := &specialized{inputs: inputs, run: run, computed: map[*mlir.Value]*buf.Buffer{}, read: map[*mlir.Value]bool{}}
	module, err := newModule(model, names, types, given, forward)
	if err != nil {
		return nil, err
	}
	return module, given.guard(module)
}

// specialized is the [Reader] of [Specialized].
type specialized struct {
	*writer
	inputs   []*buf.Buffer
	run      Run
	computed map[*mlir.Value]*buf.Buffer
	reads    int
	read     map[*mlir.Value]bool // values of guards
	guards   []guarded
	kept     []*mlir.Value // computed ones that nobody has asked for, the oldest first
	bytes    int64         // of kept
}

// Read implements [Reader].
func (s *specialized) Read(v ops.Value, what string) (*buf.Buffer, error) {
	value := ops.ToIR(v)
	b, err := s.elements(value)
	if err == nil && !s.read[value] {
		s.read[value] = true
		s.guards = append(s.guards, guarded{value, b, s.place(value, what)})
	}
	return b, err
}

func (s *specialized) elements(value *mlir.Value) (*buf.Buffer, error) {
	for i, a := range s.block.Args {
		if value == a {
			return s.inputs[i], nil
		}
	}
	if b := s.computed[value]; b != nil {
		return b, nil
	}
	if s.run == nil {
		return nil, errors.New("it is computed from the inputs")
	}
	if s.reads == maxReads {
		return nil, fmt.Errorf("more than %d values are computed to know the structure", maxReads)
	}
	s.reads++
	module, values := s.slice(value)
	results, err := s.run(module, s.inputs)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		s.computed[v] = results[i]
	}
	s.keep(values[1:])
	return results[0], nil
}

// maxKept bounds the bytes of the values that reads keep beside their own, so that a loop does not
// compute again what an earlier step has computed.
const maxKept = 256 << 20

// keep notes values that a read computed on the way, and forgets the oldest ones above the bound.
func (s *specialized) keep(values []*mlir.Value) {
	for _, v := range values {
		s.bytes += bytesOf(v)
	}
	s.kept = append(s.kept, values...)
	for s.bytes > maxKept {
		oldest := s.kept[0]
		s.kept, s.bytes = s.kept[1:], s.bytes-bytesOf(oldest)
		if !s.read[oldest] {
			delete(s.computed, oldest)
		}
	}
}

// slice returns a module that computes a value, and the values that the module returns: the value itself, then values
// before it, the latest first, as many as may be kept. Another read then begins at these values rather than at the
// inputs. Values that are known are constants.
func (s *specialized) slice(value *mlir.Value) (*mlir.Operation, []*mlir.Value) {
	w, copies := s.another()
	needed := needed(value, s.known)
	values, before := []*mlir.Value{value}, []*mlir.Value(nil)
	for _, op := range s.block.Ops {
		if !needed[op] {
			continue
		}
		if b := s.known(op); b != nil {
			copies[op.Results[0]] = ops.ToIR(w.Constant("", b))
			continue
		}
		w.block.Append(op.Clone(copies))
		if len(op.Results) == 1 && op.Results[0] != value && op.Name != "arith.constant" {
			before = append(before, op.Results[0])
		}
	}
	bytes := int64(0)
	for _, v := range slices.Backward(before) {
		if size := bytesOf(v); size >= 0 && bytes+size <= maxKept {
			values, bytes = append(values, v), bytes+size
		}
	}
	results := make([]*mlir.Value, len(values))
	for i, v := range values {
		results[i] = copies[v]
	}
	module := mlir.NewModule()
	module.Body().Append(w.function("main", results))
	return module, values
}

// another returns the writer of another function of the same inputs, and its inputs by those here.
func (s *specialized) another() (*writer, map[*mlir.Value]*mlir.Value) {
	w := &writer{block: mlir.NewOp("func.func", nil, nil, nil).AddRegion().AddBlock(typesOf(s.block.Args)...),
		keys: map[string]int{}, constants: map[*buf.Buffer]ops.Value{}}
	copies := map[*mlir.Value]*mlir.Value{}
	for i, a := range s.block.Args {
		copies[a], w.block.Args[i].Name = w.block.Args[i], a.Name
	}
	return w, copies
}

// bytesOf returns the size of a tensor, -1 if it is none or too large.
func bytesOf(v *mlir.Value) int64 {
	t, ok := v.Type.(mlir.TensorType)
	if !ok || shape.Check(t.Shape) != nil {
		return -1
	}
	return buf.MulBytes(int64(shape.Size(t.Shape)), int64(mlir.DTypeOf(t.Elem).Size()))
}

// known returns the only result of an operation if it has been computed.
func (s *specialized) known(op *mlir.Operation) *buf.Buffer {
	if len(op.Results) != 1 {
		return nil
	}
	return s.computed[op.Results[0]]
}

// needed returns the operations that a value is computed by, up to what is known.
func needed(value *mlir.Value, known func(*mlir.Operation) *buf.Buffer) map[*mlir.Operation]bool {
	needed := map[*mlir.Operation]bool{}
	stack := []*mlir.Value{value}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		op := v.Def
		if op == nil || needed[op] {
			continue
		}
		needed[op] = true
		if known(op) == nil {
			stack = append(stack, op.Operands...)
		}
	}
	return needed
}
