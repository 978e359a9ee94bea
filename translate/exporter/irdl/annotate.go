package irdl

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Annotate gives the operations of a module the attributes operand_segment_sizes and
// result_segment_sizes, from which mlir-opt knows which operands belong to which place of a
// definition, where that does not follow from their number. The first operation whose operands or results do not follow
// from its definition is an error.
func Annotate(module *mlir.Operation) error {
	var failed error
	module.Walk(func(op *mlir.Operation) {
		if err := annotate(op); err != nil && failed == nil {
			failed = op.Errorf("%w", err)
		}
	})
	return failed
}

func annotate(op *mlir.Operation) error {
	if op.Name == listConstruct {
		sizes, err := runsOf(mlir.TypesOf(op.Operands))
		note(op, "operand_segment_sizes", listSlots(anything), sizes)
		return err
	}
	o := ops.Lookup(op.Name)
	if o != nil {
		sizes, err := atenSizes(op)
		if err != nil {
			return err
		}
		note(op, "operand_segment_sizes", atenSlots(o.Parsed()), sizes)
	} else if o = lookupTorch(op.Name); o == nil {
		return nil
	}
	sizes, err := resultSizes(op, o.Parsed())
	note(op, "result_segment_sizes", resultSlots(o.Parsed(), tensor), sizes)
	return err
}

// note sets an attribute with the sizes of slots that need it.
func note(op *mlir.Operation, name string, slots []slot, sizes []int) {
	if !segmented(slots) {
		return
	}
	a := mlir.DenseArrayAttr{Elem: mlir.I32}
	for _, n := range sizes {
		a.Ints = append(a.Ints, int64(n))
	}
	op.Attrs = op.Attrs.With(name, a)
}

// atenSizes are the numbers of operands in the slots of an operation of the aten dialect.
func atenSizes(op *mlir.Operation) ([]int, error) {
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil {
		return nil, err
	}
	var tensors, numbers []int
	for i := range call.Args {
		a, q := &call.Args[i], &call.Op.Parsed().Params[i]
		switch {
		case q.MayBeOpen():
			numbers = append(numbers, one(a.Open() != nil))
		case q.Type != ops.TypeTensor:
		case q.List:
			var types []mlir.Type
			for _, v := range a.Tensors() {
				if v != nil {
					types = append(types, ops.ToIR(v).Type)
				}
			}
			sizes, err := runsOf(types)
			if err != nil {
				return nil, err
			}
			tensors = append(tensors, sizes...)
		default:
			tensors = append(tensors, one(!a.IsNone()))
		}
	}
	return append(tensors, numbers...), nil
}

func one(present bool) int {
	if present {
		return 1
	}
	return 0
}

// resultSizes are the numbers of results in the slots of a schema.
func resultSizes(op *mlir.Operation, s *ops.Schema) ([]int, error) {
	if len(s.Returns) == 1 && s.Returns[0].List {
		return runsOf(mlir.TypesOf(op.Results))
	}
	return slices.Repeat([]int{1}, len(s.Returns)), nil
}

// runsOf are the numbers of neighbours of the same type.
func runsOf(types []mlir.Type) ([]int, error) {
	sizes := make([]int, runs)
	run := 0
	for i, t := range types {
		if i > 0 && !mlir.SameType(t, types[i-1]) {
			run++
		}
		if run == runs {
			return nil, fmt.Errorf("the type of what is in a list changes more than %d times", runs-1)
		}
		sizes[run]++
	}
	return sizes, nil
}
