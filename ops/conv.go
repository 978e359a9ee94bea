package ops

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/shape"
)

// Convolutions. All forms expand to "convolution", whose operands are
// input [N, C, spatial…] and weight [O, C/groups, window…], or, transposed,
// [C, O/groups, window…].
func init() {
	register(&Op{
		Schema: "convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, " +
			"int[] dilation, bool transposed, int[] output_padding, int groups) -> Tensor",
		Infer: inferConvolution,
		Lower: lowerConvolution,
		Grad:  convolutionGradient,
		Samples: samplesOf(
			Sample{S(2, 4, 8, 8), S(6, 4, 3, 3), S(6), []int{2, 2}, []int{1, 1}, []int{1, 1}, false,
				[]int{0, 0}, 1},
			Sample{S(2, 4, 9), S(6, 2, 3), nil, []int{1}, []int{2}, []int{2}, false, []int{0}, 2},
			Sample{S(1, 4, 5, 5), S(4, 3, 3, 3), S(6), []int{2, 2}, []int{1, 1}, []int{1, 1}, true,
				[]int{1, 1}, 2},
			Sample{S(1, 2, 4, 4, 4), S(3, 2, 2, 2, 2), nil, []int{1, 1, 1}, []int{0, 0, 0}, []int{1, 1, 1},
				false, []int{0, 0, 0}, 1}),
	})
	// The form of TorchScript, with flags that do not change what is computed.
	for overload, flags := range map[string]string{
		".deprecated": "bool benchmark, bool deterministic, bool cudnn_enabled",
		"":            "bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32",
	} {
		register(&Op{
			Schema: "_convolution" + overload + "(Tensor input, Tensor weight, Tensor? bias, " +
				"int[] stride, int[] padding, int[] dilation, bool transposed, " +
				"int[] output_padding, int groups, " +
				flags + ") -> Tensor",
			Infer: inferExpansion(func(c *Call) error { return checkConvRanks(c, len(c.Shape(1))-2) }),
			Expand: func(e Emit, c *Call) []Value {
				return e.unbatchedConvolution(c, c.Args[3:9]...)
			},
			Samples: samplesOf(
				Sample{S(2, 4, 5, 5), S(6, 2, 3, 3), S(6), []int{2, 1}, []int{1, 0}, []int{1, 1}, false,
					[]int{0, 0}, 2, false, false, false, false}[:10+strings.Count(flags, ",")],
				Sample{S(1, 2, 5), S(2, 3, 3), nil, []int{2}, []int{1}, []int{1}, true, []int{1}, 1,
					false, false, false, false}[:10+strings.Count(flags, ",")]),
		})
	}
	for n := 1; n <= 3; n++ {
		registerConv(n)
	}
	composite("_convolution_mode(Tensor input, Tensor weight, Tensor? bias, int[] stride, str padding, "+
		"int[] dilation, int groups) -> Tensor", func(e Emit, c *Call) []Value {
		n := len(c.Shape(1)) - 2
		if n < 1 || n > 3 {
			panic(c.ShapeErrorf("weight %v has no 1 to 3 spatial dimensions", c.Shape(1)))
		}
		return e.Emit(e.sameArgs(fmt.Sprintf("conv%dd.padding", n), c, 7))
	}, Sample{S(1, 2, 5), S(3, 2, 4), nil, []int{1}, "same", []int{1}, 1})
}

// registerConv registers the convolutions over n dimensions.
func registerConv(n int) {
	name := fmt.Sprintf("conv%dd", n)
	x := S(append([]int{1, 2}, []int{6, 6, 6}[:n]...)...)
	w := S(append([]int{2, 2}, []int{3, 3, 3}[:n]...)...)
	register(&Op{
		Schema: fmt.Sprintf("%[2]s(Tensor input, Tensor weight, Tensor? bias=None, "+
			"int[%[1]d] stride=1, int[%[1]d] padding=0, int[%[1]d] dilation=1, "+
			"int groups=1) -> Tensor", n, name),
		Infer: inferExpansion(func(c *Call) error { return checkConvRanks(c, n) }),
		Expand: func(e Emit, c *Call) []Value {
			return e.unbatchedConvolution(c, c.Args[3], c.Args[4], c.Args[5], BoolArg(false),
				IntsArg(make([]int, n)), c.Args[6])
		},
		Samples: samplesOf(Sample{x, w}, Sample{x, w, S(2), 2, 1}),
	})
	register(&Op{
		Schema: fmt.Sprintf("%[2]s.padding(Tensor input, Tensor weight, Tensor? bias=None, "+
			`int[%[1]d] stride=1, str padding="valid", int[%[1]d] dilation=1, `+
			"int groups=1) -> Tensor", n, name),
		Infer: inferConvPadding(n),
		Expand: func(e Emit, c *Call) []Value {
			return e.Calls(name, e.samePadding(c, n), c.Tensor(1), optional(c.Tensor(2)), c.Ints(3),
				0, c.Ints(5), c.Int(6))
		},
		Samples: samplesOf(Sample{x, w, nil, 1, "same", 2}, Sample{x, w, nil, 2}),
	})
	overload := ".input"
	if n == 1 {
		overload = ""
	}
	register(&Op{
		Schema: fmt.Sprintf("conv_transpose%[1]dd%[2]s(Tensor input, Tensor weight, "+
			"Tensor? bias=None, int[%[1]d] stride=1, int[%[1]d] padding=0, "+
			"int[%[1]d] output_padding=0, int groups=1, int[%[1]d] dilation=1) -> Tensor", n, overload),
		Infer: inferExpansion(func(c *Call) error { return checkConvRanks(c, n) }),
		Expand: func(e Emit, c *Call) []Value {
			return e.unbatchedConvolution(c, c.Args[3], c.Args[4], c.Args[7], BoolArg(true), c.Args[5],
				c.Args[6])
		},
		Samples: samplesOf(Sample{x, w}, Sample{x, w, S(2), 2, 1, 1}),
	})
}

// optional makes an absent tensor an untyped nil.
func optional(v Value) any {
	if v == nil {
		return nil
	}
	return v
}

// perDim repeats a list of one entry for n dimensions.
func perDim(list []int, n int) []int {
	if len(list) != 1 {
		return list
	}
	return repeat(list[0], n)
}

// unbatchedConvolution emits a convolution whose input may lack the batch
// dimension. options are arguments 3 to 8 of "convolution".
func (e Emit) unbatchedConvolution(c *Call, options ...Arg) []Value {
	n := len(c.Shape(1)) - 2
	x := c.Tensor(0)
	single := len(c.Shape(0)) == n+1
	if single {
		x = e.Reshape(x, append([]int{1}, c.Shape(0)...))
	}
	args := []any{x, c.Tensor(1), optional(c.Tensor(2))}
	for _, o := range options {
		if o.Kind == KindInts {
			o = IntsArg(perDim(o.Ints(), n))
		}
		args = append(args, o)
	}
	y := e.Call("convolution", args...)
	if single {
		y = e.Reshape(y, y.Type().Shape[1:])
	}
	return []Value{y}
}

// checkConvRanks: the weight has n dimensions behind its channels, and the input has them, with or without a batch.
func checkConvRanks(c *Call, n int) error {
	if n < 1 || len(c.Shape(1)) != n+2 || len(c.Shape(0)) != n+2 && len(c.Shape(0)) != n+1 {
		return c.ShapeErrorf("input %s does not fit weight %s",
			shape.String(c.Shape(0)), shape.String(c.Shape(1)))
	}
	return nil
}

func inferConvPadding(n int) func(*Call) error {
	return inferExpansion(func(c *Call) error {
		if err := checkConvRanks(c, n); err != nil {
			return err
		}
		switch mode := c.Args[4].Text(); {
		case mode != "valid" && mode != "same":
			return c.ArgErrorf(`padding is %q; expected "valid" or "same"`, mode)
		case mode == "same" && !allEqual(c.Ints(3), 1):
			return c.ArgErrorf(`padding "same" needs a stride of 1, not %v`, c.Ints(3))
		case len(perDim(c.Ints(5), n)) != n:
			return c.ArgErrorf("dilation %v does not have an entry for each dimension", c.Ints(5))
		}
		return nil
	})
}

// samePadding pads the input so that the result has its extents; the odd zero goes
// to the end.
func (e Emit) samePadding(c *Call, n int) Value {
	if c.Args[4].Text() == "valid" {
		return c.Tensor(0)
	}
	dilation, w := perDim(c.Ints(5), n), c.Shape(1)
	pad := make([]int, 0, 2*n)
	for i := n - 1; i >= 0; i-- {
		total := dilation[i] * (w[2+i] - 1)
		pad = append(pad, total/2, total-total/2)
	}
	return e.Call("constant_pad_nd", c.Tensor(0), pad, 0)
}
