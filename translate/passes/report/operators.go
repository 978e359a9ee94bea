package report

import (
	"encoding/json"
	"io"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/acap2019"
)

// Statistics are what a layer reads, writes and computes, in elements and operations:
// reads, writes, activation_in, activation_out, parameters_in, grad, and ops:MAC, ops:+,
// ops:* and so on. Operators that do not occur are absent.
type Statistics map[string]int

// Operators returns the statistics of every aten operation by the name of its layer, as
// PyTorch/ACAP counted them. Of an operator without a formula there is what it reads and writes;
// an unknown operation has none.
func Operators(module *mlir.Operation) map[string]Statistics {
	report := map[string]Statistics{}
	eachLayer(module, func(name string, op *mlir.Operation) {
		s := Statistics{}
		for _, t := range statistics(op) {
			s[t.name] = t.n
		}
		report[name] = s
	})
	return report
}

// term is one of the statistics of an operation.
type term struct {
	name string
	n    int
}

// WriteOperators writes [Operators] as JSON, keys sorted. An error is one of w.
func WriteOperators(w io.Writer, module *mlir.Operation) error {
	return writeJSON(w, Operators(module))
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // "ops:>" is a name
	return e.Encode(v)
}

// shapeOf returns the extents of a static tensor.
func shapeOf(t mlir.Type) ([]int, bool) {
	tensor, ok := t.(mlir.TensorType)
	_, static := mlir.NumElements(tensor.Shape)
	return tensor.Shape, ok && static
}

func elementsOf(t mlir.Type) int {
	if shape, ok := shapeOf(t); ok {
		return sizeOf(shape)
	}
	return 0
}

// tensorsOf returns the shapes of the operands that are tensors, in order.
func tensorsOf(op *mlir.Operation) [][]int {
	shapes := make([][]int, 0, len(op.Operands))
	for _, v := range op.Operands {
		if shape, ok := shapeOf(v.Type); ok {
			shapes = append(shapes, shape)
		}
	}
	return shapes
}

func sizeOf(shape []int) int {
	n, _ := mlir.NumElements(shape)
	return n
}

// layer is an operation while it is counted.
type layer struct {
	op  *mlir.Operation
	in  [][]int // the tensors among the operands
	out int     // elements of the first result
}

// at returns the elements of an operand, 0 if there are fewer.
func (l *layer) at(i int) int {
	if i >= len(l.in) {
		return 0
	}
	return sizeOf(l.in[i])
}

// counts are the formulas by kind of operator; a kind needs at least as many tensors.
var counts = map[string]struct {
	tensors int
	count   func(l *layer) []term
}{}

func init() {
	set := func(tensors int, count func(l *layer) []term, kinds ...string) {
		for _, kind := range kinds {
			counts[kind] = struct {
				tensors int
				count   func(l *layer) []term
			}{tensors, count}
		}
	}
	for symbol, kind := range map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "div"} {
		set(1, arithmetic("ops:"+symbol), kind, kind+"_")
	}
	set(2, product, "mm", "bmm", "matmul")
	set(3, addmm, "addmm")
	set(2, linear, "linear")
	set(2, convolution, "_convolution", "convolution", "convolution_overrideable", "conv1d", "conv2d", "conv3d")
	set(3, convolutionBackward, "convolution_backward", "convolution_backward_overrideable", "_convolution_backward")
	set(1, batchNorm, "batch_norm", "native_batch_norm", "_native_batch_norm_legit_no_training")
	set(1, comparison, "relu", "relu_", "hardtanh", "hardtanh_", "relu6")
	set(1, maxPool, "max_pool2d", "max_pool2d_with_indices")
	set(1, summed, "sum")
	set(0, func(*layer) []term {
		return []term{{"reads", 0}, {"writes", 0}, {"activation_in", 0}, {"activation_out", 0}}
	}, "view", "t", "expand", "size", "reshape", "flatten", "unsqueeze", "squeeze", "transpose", "permute", "as_strided")
	// PyTorch/ACAP counted nothing for these, so that sums over networks compare with its own.
	set(0, func(*layer) []term { return nil }, "_log_softmax", "log_softmax", "_adaptive_avg_pool2d",
		"adaptive_avg_pool2d")
}

func statistics(op *mlir.Operation) []term {
	l := &layer{op: op, in: tensorsOf(op)}
	if len(op.Results) > 0 {
		l.out = elementsOf(op.Results[0].Type)
	}
	c, ok := counts[aten.BaseName(op.Name)]
	switch {
	case ok && len(l.in) >= c.tensors:
		return c.count(l)
	case !ok && ops.Lookup(op.Name) != nil:
		return moved(l)
	}
	return nil
}

// moved returns the statistics of an operator that is known by its types alone.
func moved(l *layer) []term {
	in, out := 0, 0
	for i := range l.in {
		in += l.at(i)
	}
	for _, r := range l.op.Results {
		out += elementsOf(r.Type)
	}
	return []term{{"reads", in}, {"writes", out}, {"activation_in", in}, {"activation_out", out}}
}

func arithmetic(name string) func(l *layer) []term {
	return func(l *layer) []term {
		in := l.at(0) + l.at(1)
		return []term{{name, l.out}, {"reads", in}, {"writes", l.out}, {"activation_in", in}, {"activation_out", l.out}}
	}
}

func comparison(l *layer) []term {
	return []term{{"ops:>", l.out}, {"reads", l.at(0)}, {"writes", l.out},
		{"activation_in", l.at(0)}, {"activation_out", l.out}}
}

// inner is the extent that a product sums over: the last one of its left side.
func (l *layer) inner(i int) int {
	if shape := l.in[i]; len(shape) > 0 {
		return shape[len(shape)-1]
	}
	return 1
}

func product(l *layer) []term {
	in := l.at(0) + l.at(1)
	return []term{{"ops:MAC", l.out * l.inner(0)}, {"reads", in}, {"writes", l.out},
		{"activation_in", in}, {"activation_out", l.out}}
}

// weighted are the statistics of a layer with parameters.
func weighted(l *layer, macs, in, parameters int) []term {
	return []term{{"ops:MAC", macs}, {"ops:+", l.out}, {"activation_in", in}, {"activation_out", l.out},
		{"parameters_in", parameters}, {"reads", in + parameters}, {"writes", l.out}}
}

func addmm(l *layer) []term {
	return weighted(l, l.out*l.inner(1), l.at(1), l.at(0)+l.at(2))
}

func linear(l *layer) []term {
	return weighted(l, l.out*l.inner(0), l.at(0), l.at(1)+l.at(2))
}

// convolution: an output element takes one multiply-add for each weight of its filter;
// transposed, an input element does.
func convolution(l *layer) []term {
	if len(l.in[1]) == 0 {
		return nil
	}
	points := l.out
	if transposed, ok := l.op.Attrs.Get("transposed").(mlir.IntegerAttr); ok && transposed.Value != 0 {
		points = l.at(0)
	}
	return weighted(l, points*sizeOf(l.in[1][1:]), l.at(0), l.at(1)+l.at(2))
}

// convolutionBackward takes the cotangent, the input and the weights.
func convolutionBackward(l *layer) []term {
	dy, x, w := l.in[0], l.in[1], l.in[2]
	if len(x) < 2 || len(w) < 2 || len(dy) < 2 {
		return nil
	}
	groups := max(1, x[1]/max(1, w[1]))
	macs := l.at(1)*w[0]/groups*sizeOf(w[2:]) + l.at(1)/max(1, x[1])*l.at(2)
	grad := l.at(1) + l.at(2) + w[0]
	return []term{{"ops:MAC", macs}, {"ops:+", l.at(0)}, {"activation_in", l.at(0) + l.at(1)},
		{"parameters_in", l.at(2)}, {"reads", l.at(0) + l.at(1) + l.at(2)}, {"writes", grad}, {"grad", grad}}
}

func batchNorm(l *layer) []term {
	channels := 1
	if len(l.in[0]) > 1 {
		channels = l.in[0][1]
	}
	v := l.at(0)
	return []term{{"ops:+", 4 * v}, {"ops:*", 3*v + 2*channels}, {"ops:-", channels}, {"ops:/", channels},
		{"ops:sqrt", channels}, {"parameters_in", 2 * channels}, {"activation_in", v}, {"activation_out", l.out},
		{"reads", v + 2*channels}, {"writes", l.out}}
}

func maxPool(l *layer) []term {
	window := l.window()
	if window == 0 {
		return nil
	}
	writes := l.out
	if aten.BaseName(l.op.Name) == "max_pool2d_with_indices" {
		writes *= 2
	}
	return []term{{"ops:>", l.out * (window - 1)}, {"activation_in", l.at(0)}, {"activation_out", l.out},
		{"reads", l.at(0)}, {"writes", writes}}
}

// window returns the elements of a pooling window, from the attribute or from the
// constant of 2019's form.
func (l *layer) window() int {
	list, ok := mlir.IntList(l.op.Attrs.Get("kernel_size"))
	if !ok && len(l.op.Operands) > 1 && l.op.Operands[1].Def != nil {
		if a, err := acap2019.Arg(l.op.Operands[1].Def); err == nil {
			list = a.Ints()
		}
	}
	switch len(list) {
	case 1:
		return list[0] * list[0]
	case 2:
		return list[0] * list[1]
	}
	return 0
}

func summed(l *layer) []term {
	return []term{{"ops:+", l.at(0)}, {"reads", l.at(0)}, {"writes", l.out},
		{"activation_in", l.at(0)}, {"activation_out", l.out}}
}
