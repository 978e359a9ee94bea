package inference

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// folding rewrites aten operations to others that are not expanded.
type folding struct {
	uses map[*mlir.Value]int
	r    *mlir.Rewriter
	emit ops.Emit
}

// fold visits the aten operations of root; visit returns what stands for the results, or nil.
func fold(root *mlir.Operation, visit func(f *folding, c *ops.Call) []ops.Value) error {
	f := &folding{uses: mlir.CountUses(root)}
	keepAll := func(*mlir.Operation) bool { return true }
	return mlir.Rewrite(root, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if !aten.Is(op) {
			return nil
		}
		call, err := ops.FromOperation(op, ops.OfIR)
		if err != nil {
			return nil // whoever runs it says what is wrong
		}
		f.r, f.emit = r, ops.Emit{Builder: lowering.NewBuilder(&r.Builder, keepAll)}
		var results []ops.Value
		if err := ops.Try(func() { results = visit(f, call) }); err != nil {
			return op.Errorf("%w", err)
		}
		if results == nil {
			return nil
		}
		values := make([]*mlir.Value, len(op.Results))
		for i := range values {
			values[i] = ops.ToIR(results[i])
			if !mlir.SameType(values[i].Type, op.Results[i].Type) {
				return nil
			}
		}
		for i, v := range op.Results {
			f.uses[values[i]] += f.uses[v]
		}
		r.Replace(values...)
		return nil
	})
}

// only returns the call that makes v if nothing else uses v and the call's name is one of names.
func (f *folding) only(v ops.Value, names ...string) *ops.Call {
	value := ops.ToIR(v)
	if value.Def == nil || f.uses[value] != 1 || !slices.Contains(names, strings.TrimPrefix(value.Def.Name, "aten.")) {
		return nil
	}
	call, err := ops.FromOperation(value.Def, ops.OfIR)
	if err != nil {
		return nil
	}
	return call
}

// FoldDropout replaces dropout by its input where it is off: not in training, or with probability 0. An error is one of
// a call that its operator does not take.
func FoldDropout(root *mlir.Operation) error {
	return fold(root, func(f *folding, c *ops.Call) []ops.Value {
		switch c.Op.Name() {
		case "dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout":
			if !c.Bool(2) || c.Float(1) == 0 {
				return []ops.Value{c.Tensor(0)}
			}
		}
		return nil
	})
}

// FoldLinear makes linear layers of x·wᵀ, and of x·wᵀ + b for a vector b. An error is one of a call that its operator
// does not take.
func FoldLinear(root *mlir.Operation) error {
	return fold(root, func(f *folding, c *ops.Call) []ops.Value {
		x, w, b := f.linear(c)
		switch {
		case w == nil:
			return nil
		case b == nil:
			return f.emit.Calls("linear", x, w)
		}
		return f.emit.Calls("linear", x, w, b)
	})
}

// linear returns the input, the weight and the bias of a call that is a linear layer; w is nil for
// others.
func (f *folding) linear(c *ops.Call) (x, w, b ops.Value) {
	switch c.Op.Name() {
	case "mm", "matmul":
		return c.Tensor(0), transposed(c.Tensor(1)), nil
	case "addmm":
		if one(c.Args[3]) && one(c.Args[4]) && len(c.Shape(0)) == 1 {
			return c.Tensor(1), transposed(c.Tensor(2)), c.Tensor(0)
		}
	case "add.Tensor":
		layer := f.only(c.Tensor(0), "linear") // which a product has become by now
		if layer == nil || !one(c.Args[2]) || len(c.Shape(1)) != 1 || c.DTypeOf(1) != c.DTypeOf(0) {
			return nil, nil, nil
		}
		shape := c.Shape(0)
		if len(shape) == 0 || c.Shape(1)[0] != shape[len(shape)-1] {
			return nil, nil, nil
		}
		if !layer.Has(2) {
			return layer.Tensor(0), layer.Tensor(1), c.Tensor(1)
		}
	}
	return nil, nil, nil
}

func one(a ops.Arg) bool { return a.Kind == ops.KindNone || a.Float() == 1 }

// transposed returns the matrix whose transpose is v, or nil.
func transposed(v ops.Value) ops.Value {
	value := ops.ToIR(v)
	if value.Def == nil {
		return nil
	}
	call, err := ops.FromOperation(value.Def, ops.OfIR)
	if err != nil || len(call.Out) != 1 || len(call.Out[0].Shape) != 2 {
		return nil
	}
	switch call.Op.Name() {
	case "t":
		return call.Tensor(0)
	case "transpose.int":
		if a, b := call.Int(1), call.Int(2); (a-b)%2 != 0 {
			return call.Tensor(0)
		}
	}
	return nil
}

// FoldBatchNorm multiplies a batch norm with fixed statistics into the weights and the bias of the convolution or
// linear layer before it, if nothing else uses that layer's result. With the factor s = gamma / √(variance + eps), the
// weights become w·s and the bias (b - mean)·s + beta. Values from constants alone are computed once. An error is one
// of a call that its operator does not take.
func FoldBatchNorm(root *mlir.Operation) error {
	return fold(root, func(f *folding, c *ops.Call) []ops.Value {
		if name := c.Op.Name(); name != "batch_norm" || c.Bool(5) || !c.Has(3) || !c.Has(4) {
			return nil
		}
		layer := f.only(c.Tensor(0), "conv1d", "conv2d", "conv3d", "convolution", "_convolution", "linear")
		if layer == nil || !foldable(layer, c) {
			return nil
		}
		e, weight := f.emit, layer.Tensor(1)
		scale := e.Call("rsqrt", e.Add(c.Tensor(4), c.Float(7)))
		if c.Has(1) {
			scale = e.Mul(scale, c.Tensor(1))
		}
		dims := []int{layer.Shape(1)[0]}
		for range layer.Shape(1)[1:] {
			dims = append(dims, 1)
		}
		bias := e.Neg(c.Tensor(3))
		if layer.Has(2) {
			bias = e.Sub(layer.Tensor(2), c.Tensor(3))
		}
		bias = e.Mul(bias, scale)
		if c.Has(2) {
			bias = e.Add(bias, c.Tensor(2))
		}
		args := slices.Clone(layer.Args)
		args[1] = ops.ArgOf(e.Mul(weight, e.Reshape(scale, dims)))
		args[2] = ops.ArgOf(bias)
		call, err := layer.Op.NewCall(args...)
		if err != nil {
			panic(err)
		}
		return e.Emit(call)
	})
}

// foldable reports whether the channels of a layer are a batch norm's, and all are of one floating type.
func foldable(layer, norm *ops.Call) bool {
	switch layer.Op.Name() {
	case "convolution", "_convolution":
		if layer.Bool(6) { // transposed: the channels are in another place
			return false
		}
	case "linear":
		if len(norm.Shape(0)) != 2 {
			return false
		}
	}
	d := norm.DTypeOf(0)
	for i := range 5 {
		if norm.Has(i) && norm.DTypeOf(i) != d {
			return false
		}
	}
	return d.IsFloat() && layer.Shape(1)[0] == norm.Shape(3)[0] && len(norm.Shape(0)) == len(layer.Shape(1))
}
