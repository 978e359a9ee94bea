package passes

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// From2019 is the inverse of [ACAP2019]: constants become attributes again, and
// operators get the overload that fits their operands, unless they name one.
func From2019(module *mlir.Operation) error {
	err := mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if !isAten(op) || !ops.Spelled2019(op) {
			return nil
		}
		call, err := call2019(op)
		if err != nil {
			return at(op, err)
		}
		r.Replace(r.Insert(call.Operation(irOf)).Results...)
		return nil
	})
	if err != nil {
		return err
	}
	uses := mlir.CountUses(module)
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if op.Name == constantOp2019 && uses[op.Result()] == 0 {
			r.Erase()
		}
		return nil
	})
}

const constantOp2019 = "aten.constant"

// call2019 reads an operation of 2019.
func call2019(op *mlir.Operation) (*ops.Call, error) {
	args := make([]ops.Arg, 0, len(op.Operands))
	for _, v := range op.Operands {
		if v.Def == nil || v.Def.Name != constantOp2019 {
			args = append(args, ops.TensorArg(ops.IRValue{V: v}))
			continue
		}
		a, err := arg2019(v.Def)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if s := op.Attrs.Get(segments2019); s != nil {
		var err error
		if args, err = segmented2019(args, s); err != nil {
			return nil, err
		}
	}
	name := strings.TrimPrefix(op.Name, "aten.")
	if overload, ok := op.Attrs.Get(overload2019).(mlir.StringAttr); ok {
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

// segmented2019 joins the operands that make up lists of tensors. An entry of -1 is an
// argument that is no list.
func segmented2019(args []ops.Arg, attr mlir.Attribute) ([]ops.Arg, error) {
	sizes, ok := mlir.IntList(attr)
	if !ok {
		return nil, fmt.Errorf("%s must be a list of integers", segments2019)
	}
	out := make([]ops.Arg, 0, min(len(sizes), len(args)+1))
	for _, n := range sizes {
		taken := max(n, -n)
		if n < -1 || taken > len(args) || len(out) > maxArguments {
			return nil, fmt.Errorf("%s does not fit the operands", segments2019)
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
		return nil, fmt.Errorf("%s leaves out operands", segments2019)
	}
	return out, nil
}

// maxArguments bounds the arguments of an operator; the longest schema has some twenty.
const maxArguments = 64
