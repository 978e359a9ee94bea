package lazy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Module returns the program that computes pending values as a module of the aten dialect, with its weights: package
// artifact writes it to a file. Frozen tensors and Go numbers are constants of the module, which keeps their memory.
// All other tensors that the values were recorded from are arguments, in the order of their first use, and the results
// are the values. Nothing runs. It fails if a value has been computed: then nothing is left of how.
func Module(values ...Value) (*mlir.Operation, error) {
	_, roots, err := together(values)
	if err != nil {
		return nil, err
	}
	for i, v := range roots {
		if n, _ := trace.Of(v); !n.Pending() {
			return nil, fmt.Errorf("lazy: no program: value %d has been computed; ask for its module before it is read", i)
		}
	}
	g, module := trace.Module(roots, compiler.Entry)
	inputs, err := hold(g, nil)
	if err != nil {
		return nil, err
	}
	defer release(inputs)
	f := module.Func(compiler.Entry)
	constant := ops.ConstantArguments(f)
	for i := range g.Numbers {
		constant[len(g.Leaves)+i] = true
	}
	if err := bind(f, inputs, constant); err != nil {
		return nil, err
	}
	return module, mlir.Verify(module)
}

// bind replaces the marked arguments of a function by constants.
func bind(f *mlir.Operation, inputs []*buf.Buffer, marked []bool) error {
	block := f.Body()
	var args []*mlir.Value
	var types []mlir.Type
	var constants []*mlir.Operation
	now := map[*mlir.Value]*mlir.Value{}
	for i, v := range block.Args {
		if !marked[i] {
			v.Index = len(args)
			args, types = append(args, v), append(types, v.Type)
			continue
		}
		b := inputs[i]
		if !b.Keep() {
			return errors.New("lazy: the memory of a constant was given up")
		}
		op := mlir.NewOp("arith.constant", nil, []mlir.Type{v.Type}, mlir.Attrs{{Name: "value",
			Value: mlir.ResourceAttr{Key: fmt.Sprintf("constant_%d", len(constants)), Type: v.Type, Data: b.Bytes()}}})
		op.Block, now[v] = block, op.Results[0]
		constants = append(constants, op)
	}
	for _, op := range block.Ops {
		op.ReplaceUses(now)
	}
	block.Args, block.Ops = args, slices.Concat(constants, block.Ops)
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	signature, _ := t.Type.(mlir.FunctionType)
	signature.Inputs = types
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: signature}).Without("arg_attrs")
	return nil
}
