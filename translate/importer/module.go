package importer

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// maxInline is the size in bytes up to which constants stand in the text of a module; larger ones
// are resources.
const maxInline = 64

// Forward sends a model's computation on inputs to a builder and returns its results.
type Forward func(b Builder, inputs []ops.Value) ([]ops.Value, error)

// Module returns the computation of forward on inputs of the given types as a module of the aten
// dialect: one function main, whose arguments are the inputs, under their names as far as there
// are any. Named constants are resources under their names. Every operation has the location that
// forward set. model stands for the file in errors.
func Module(model string, names []string, inputs []ops.TensorType, forward Forward) (
	*mlir.Operation, error) {
	return newModule(model, names, inputs, nil, forward)
}

func newModule(model string, names []string, inputs []ops.TensorType, given *specialized,
	forward Forward) (*mlir.Operation, error) {
	types := make([]mlir.Type, len(inputs))
	for i, t := range inputs {
		if err := shape.Check(t.Shape); err != nil || !t.DType.Valid() {
			return nil, fmt.Errorf("%s: input %d has the type %v %s", model, i, t.DType,
				shape.String(t.Shape))
		}
		types[i] = mlir.Tensor(t.DType, t.Shape)
	}
	f := mlir.NewOp("func.func", nil, nil, nil)
	w := &writer{block: f.AddRegion().AddBlock(types...), keys: map[string]int{},
		constants: map[*buf.Buffer]ops.Value{}}
	args := make([]ops.Value, len(inputs))
	for i, a := range w.block.Args {
		if len(inputs) <= len(names) {
			a.Name = names[i]
		}
		args[i] = ops.IRValue{V: a}
	}
	var b Builder = w
	if given != nil {
		given.writer = w
		b = given
	}
	results, err := forward(b, args)
	if err != nil {
		return nil, err
	}
	out := make([]*mlir.Value, len(results))
	for i, r := range results {
		out[i] = ops.ToIR(r)
	}
	module := mlir.NewModule()
	module.Body().Append(w.function("main", out))
	return module, nil
}

// function ends the function of the writer's block and returns it.
func (w *writer) function(name string, results []*mlir.Value) *mlir.Operation {
	w.append(mlir.NewOp("func.return", results, nil, nil))
	f := w.block.Region.Parent
	f.Attrs = mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(name)},
		{Name: "function_type", Value: mlir.TypeAttr{
			Type: mlir.FunctionType{Inputs: typesOf(w.block.Args), Results: typesOf(results)}}},
	}
	f.Loc = w.block.Terminator().Loc
	return f
}

func typesOf(values []*mlir.Value) []mlir.Type {
	types := make([]mlir.Type, len(values))
	for i, v := range values {
		types[i] = v.Type
	}
	return types
}

// writer is the [Builder] of [Module].
type writer struct {
	block     *mlir.Block
	location  mlir.Location
	keys      map[string]int // of the resources: the number that the next of the name gets
	constants map[*buf.Buffer]ops.Value
	drawn     int64 // blocks of random numbers
}

func (w *writer) SetLocation(l mlir.Location) { w.location = l }

func (w *writer) append(op *mlir.Operation) *mlir.Operation {
	op.Loc = w.location
	return w.block.Append(op)
}

// Emit implements [ops.Builder].
func (w *writer) Emit(c *ops.Call) []ops.Value {
	if c.Draws() {
		return c.Op.Expand(ops.Emit{Builder: w}, c)
	}
	return ops.ResultsOf(w.append(c.Operation(ops.ToIR)))
}

// Draw implements [ops.Generator]: a module draws from the stream of seed 0, the same numbers in
// every run.
func (w *writer) Draw() (seed, counter ops.Value) {
	number := func(v int64) ops.Value { return w.Constant("", buf.From([]int64{v}).Reshape(nil)) }
	w.drawn++
	return number(0), number(w.drawn - 1)
}

// Constant implements [Builder].
func (w *writer) Constant(name string, b *buf.Buffer) ops.Value {
	if v := w.constants[b]; v != nil {
		return v
	}
	tensorType := mlir.Tensor(b.DType, b.Shape)
	var data mlir.Attribute
	if dense, err := mlir.NewDense(tensorType, b.Bytes()); err == nil && len(dense.Data) <= maxInline {
		data = dense
	} else {
		data = mlir.ResourceAttr{Key: w.key(name), Type: tensorType, Data: b.Bytes()}
	}
	op := mlir.NewOp("arith.constant", nil, []mlir.Type{tensorType},
		mlir.Attrs{{Name: "value", Value: data}})
	op.Results[0].Name = name
	v := ops.IRValue{V: w.append(op).Results[0]}
	w.constants[b] = v
	return v
}

// key returns a resource's key that has not been used yet: the name, made an identifier, because
// MLIR's own parser reads no other keys.
func (w *writer) key(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.$", r)) {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		name = "constant"
	}
	if first := rune(name[0]); !unicode.IsLetter(first) {
		name = "_" + name
	}
	key := name
	for {
		n, taken := w.keys[key]
		if !taken {
			break
		}
		w.keys[key] = n + 1 // so that many constants of one name are not counted again each time
		key = fmt.Sprintf("%s_%d", name, n)
	}
	w.keys[key] = 1
	return key
}
