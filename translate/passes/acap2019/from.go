package acap2019

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/ops"
)

// From is the inverse of [To]: constants become attributes again, and operators get the overload that fits their
// operands, unless they name one. Unknown operators, and operands that fit no overload, are errors with their places.
func From(module *mlir.Operation) error {
	err := mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if !aten.Is(op) || !ops.Spelled2019(op) {
			return nil
		}
		call, err := read(op)
		if err != nil {
			return op.Errorf("%w", err)
		}
		r.Replace(r.Insert(call.Operation(ops.ToIR)).Results...)
		return nil
	})
	if err != nil {
		return err
	}
	uses := mlir.CountUses(module)
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if IsConstant(op) && uses[op.Result()] == 0 {
			r.Erase()
		}
		return nil
	})
}

const constantOp = "aten.constant"

// IsConstant reports whether an operation is an argument that is no tensor.
func IsConstant(op *mlir.Operation) bool { return op.Name == constantOp }

// read reads an operation of 2019.
func read(op *mlir.Operation) (*ops.Call, error) {
	args := make([]ops.Arg, 0, len(op.Operands))
	for _, v := range op.Operands {
		if v.Def == nil || !IsConstant(v.Def) {
			args = append(args, ops.TensorArg(ops.IRValue{V: v}))
			continue
		}
		a, err := Arg(v.Def)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if s := op.Attrs.Get(segmentsAttr); s != nil {
		var err error
		if args, err = segmented(args, s); err != nil {
			return nil, err
		}
	}
	name := strings.TrimPrefix(op.Name, "aten.")
	if overload, ok := op.Attrs.Get(overloadAttr).(mlir.StringAttr); ok {
		if overload != "" {
			name += "." + string(overload)
		}
		o := ops.Lookup(name)
		if o == nil {
			return nil, &ops.UnknownError{Name: name}
		}
		return o.NewCall(args...)
	}
	o, args, err := ops.Resolve(name, args, nil)
	if err != nil {
		return nil, err
	}
	return o.NewCall(args...)
}

// segmented joins the operands that make up lists of tensors. An entry of -1 is an
// argument that is no list.
func segmented(args []ops.Arg, attr mlir.Attribute) ([]ops.Arg, error) {
	sizes, ok := mlir.IntList(attr)
	if !ok {
		return nil, fmt.Errorf("%s must be a list of integers", segmentsAttr)
	}
	out := make([]ops.Arg, 0, min(len(sizes), len(args)+1))
	for _, n := range sizes {
		taken := max(n, -n)
		if n < -1 || taken > len(args) || len(out) > maxArguments {
			return nil, fmt.Errorf("%s does not fit the operands", segmentsAttr)
		}
		if n < 0 {
			out = append(out, args[0])
		} else {
			list := make([]ops.Value, n)
			for i := range list {
				if list[i] = args[i].Tensor(); list[i] == nil && !args[i].IsNone() {
					return nil, fmt.Errorf("a list holds tensors, and not numbers")
				}
			}
			out = append(out, ops.TensorsArg(list))
		}
		args = args[taken:]
	}
	if len(args) > 0 {
		return nil, fmt.Errorf("%s leaves out operands", segmentsAttr)
	}
	return out, nil
}

// maxArguments bounds the arguments of an operator; the longest schema has some twenty.
const maxArguments = 64
