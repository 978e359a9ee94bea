package engine

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// namedSums are the named operations that sum products: the loops that index each
// input and the result, "a, b -> c". Loops that the result does not have are
// reductions. The k-th "x+y" is stride[k]·x + dilation[k]·y.
var namedSums = map[string]string{
	"linalg.matmul":                        "m k, k n -> m n",
	"linalg.matmul_transpose_a":            "k m, k n -> m n",
	"linalg.matmul_transpose_b":            "m k, n k -> m n",
	"linalg.batch_matmul":                  "b m k, b k n -> b m n",
	"linalg.batch_matmul_transpose_a":      "b k m, b k n -> b m n",
	"linalg.batch_matmul_transpose_b":      "b m k, b n k -> b m n",
	"linalg.batch_reduce_matmul":           "b m k, b k n -> m n",
	"linalg.matvec":                        "m k, k -> m",
	"linalg.vecmat":                        "k, k n -> n",
	"linalg.batch_matvec":                  "b m k, b k -> b m",
	"linalg.batch_vecmat":                  "b k, b k n -> b n",
	"linalg.dot":                           "k, k -> ",
	"linalg.mmt4d":                         "i k a c, j k b c -> i j a b",
	"linalg.conv_1d":                       "p+r, r -> p",
	"linalg.conv_2d":                       "p+r q+s, r s -> p q",
	"linalg.conv_3d":                       "o+t p+r q+s, t r s -> o p q",
	"linalg.conv_1d_ncw_fcw":               "n c p+r, f c r -> n f p",
	"linalg.conv_1d_nwc_wcf":               "n p+r c, r c f -> n p f",
	"linalg.conv_2d_nchw_fchw":             "n c p+r q+s, f c r s -> n f p q",
	"linalg.conv_2d_nhwc_hwcf":             "n p+r q+s c, r s c f -> n p q f",
	"linalg.conv_2d_nhwc_fhwc":             "n p+r q+s c, f r s c -> n p q f",
	"linalg.conv_2d_ngchw_fgchw":           "n g c p+r q+s, f g c r s -> n g f p q",
	"linalg.conv_2d_ngchw_gfchw":           "n g c p+r q+s, g f c r s -> n g f p q",
	"linalg.conv_2d_nhwgc_gfhwc":           "n p+r q+s g c, g f r s c -> n p q g f",
	"linalg.conv_3d_ncdhw_fcdhw":           "n c o+t p+r q+s, f c t r s -> n f o p q",
	"linalg.conv_3d_ndhwc_dhwcf":           "n o+t p+r q+s c, t r s c f -> n o p q f",
	"linalg.depthwise_conv_1d_ncw_cw":      "n c p+r, c r -> n c p",
	"linalg.depthwise_conv_1d_nwc_wc":      "n p+r c, r c -> n p c",
	"linalg.depthwise_conv_1d_nwc_wcm":     "n p+r c, r c m -> n p c m",
	"linalg.depthwise_conv_2d_nchw_chw":    "n c p+r q+s, c r s -> n c p q",
	"linalg.depthwise_conv_2d_nchw_chwm":   "n c p+r q+s, c r s m -> n c m p q",
	"linalg.depthwise_conv_2d_nhwc_hwc":    "n p+r q+s c, r s c -> n p q c",
	"linalg.depthwise_conv_2d_nhwc_hwcm":   "n p+r q+s c, r s c m -> n p q c m",
	"linalg.depthwise_conv_3d_ndhwc_dhwc":  "n o+t p+r q+s c, t r s c -> n o p q c",
	"linalg.depthwise_conv_3d_ncdhw_cdhw":  "n c o+t p+r q+s, c t r s -> n c o p q",
	"linalg.depthwise_conv_3d_ndhwc_dhwcm": "n o+t p+r q+s c, t r s c m -> n o p q c m",
}

// namedWindows are the pooling operations; the second input only gives the
// extents of the window.
var namedWindows = map[string]string{
	"nchw": "n c p+r q+s, r s -> n c p q", "nhwc": "n p+r q+s c, r s -> n p q c",
	"ncw": "n c p+r, r -> n c p", "nwc": "n p+r c, r -> n p c",
	"ncdhw": "n c o+t p+r q+s, t r s -> n c o p q", "ndhwc": "n o+t p+r q+s c, t r s -> n o p q c",
}

// loopSpec turns "a, b -> c" into maps and the kinds of the loops: those of the
// result first, then the reductions.
func loopSpec(spec string, strides, dilations []int) ([]mlir.AffineMap, []bool) {
	ins, out, _ := strings.Cut(spec, " -> ")
	number := map[string]int{}
	for _, name := range strings.Fields(out) {
		number[name] = len(number)
	}
	parallel := len(number)
	separates := func(r rune) bool { return strings.ContainsRune(" ,+", r) }
	for _, name := range strings.FieldsFunc(ins, separates) {
		if _, ok := number[name]; !ok {
			number[name] = len(number)
		}
	}
	var maps []mlir.AffineMap
	for _, operand := range append(strings.Split(ins, ", "), out) {
		m := mlir.AffineMap{Dims: len(number)}
		window := 0
		for _, term := range strings.Fields(operand) {
			x, y, isWindow := strings.Cut(term, "+")
			e := mlir.Dim(number[x])
			if isWindow {
				e = e.Times(strides[window]).Plus(mlir.Dim(number[y]).Times(dilations[window]))
				window++
			}
			m.Results = append(m.Results, e)
		}
		maps = append(maps, m)
	}
	reduction := make([]bool, len(number))
	for i := parallel; i < len(reduction); i++ {
		reduction[i] = true
	}
	return maps, reduction
}

// windowAttr reads strides or dilations of n dimensions; absent ones are 1.
func (g *graph) windowAttr(name string, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	a := g.op.Attrs.Get(name)
	if a == nil {
		return out
	}
	list, ok := mlir.IntList(a)
	if !ok || len(list) != n {
		g.fail("%s does not have %d numbers", name, n)
		return out
	}
	for _, v := range list {
		if v < 1 {
			g.fail("%s of %d", name, v)
			return out
		}
	}
	return list
}

// sumOfProducts converts the operations of [namedSums].
func (g *graph) sumOfProducts(op *mlir.Operation, spec string) {
	windows := strings.Count(spec, "+")
	maps, reduction := loopSpec(spec, g.windowAttr("strides", windows),
		g.windowAttr("dilations", windows))
	if own, ok := indexingMaps(op); ok && windows == 0 && len(own) == len(maps) {
		maps = own
	}
	ins, outs := segments(op)
	s := g.structuredOp(op, ins, outs, maps, reduction)
	if s == nil {
		return
	}
	unsigned := strings.Contains(attrText(op, "cast"), "unsigned")
	s.reduce = []fold{{kind: kernel.ReduceSum}}
	s.body = func(sc *scalars, arg func(int) (int, bool)) ([]int, bool) {
		acc := s.outs[0].dtype
		var x [2]int
		for i := range x {
			v, ok := arg(i)
			if !ok {
				return nil, false
			}
			x[i] = convert(sc.b, v, acc, unsigned)
		}
		return []int{translators[mulName(acc)](sc, op, x[:])}, true
	}
	s.build()
}

func mulName(d dtype.DType) string {
	if d.IsFloat() {
		return "arith.mulf"
	}
	return "arith.muli"
}

func attrText(op *mlir.Operation, name string) string {
	if a := op.Attrs.Get(name); a != nil {
		return a.String()
	}
	return ""
}

// convert is the conversion that named operations apply to their operands.
func convert(b *kernel.Builder, v int, to dtype.DType, unsigned bool) int {
	from := b.Type(v)
	if from == to {
		return v
	}
	if !from.IsFloat() {
		if unsigned {
			v = zeroExtend(b, v)
		} else {
			v = signed(b, v)
		}
	}
	return b.Cast(to, v)
}

// pooling converts linalg.pooling_<layout>_<kind>.
func (g *graph) pooling(op *mlir.Operation) {
	layout, kind, _ := strings.Cut(strings.TrimPrefix(op.Name, "linalg.pooling_"), "_")
	f, known := map[string]fold{"sum": {kind: kernel.ReduceSum}, "max": {kind: kernel.ReduceMax},
		"min": {kind: kernel.ReduceMin}, "max_unsigned": {kernel.ReduceMax, true},
		"min_unsigned": {kernel.ReduceMin, true}}[kind]
	spec := namedWindows[layout]
	if spec == "" || !known {
		g.fail("operation is not supported")
		return
	}
	windows := strings.Count(spec, "+")
	maps, reduction := loopSpec(spec, g.windowAttr("strides", windows),
		g.windowAttr("dilations", windows))
	ins, outs := segments(op)
	s := g.structuredOp(op, ins, outs, maps, reduction)
	if s == nil || !s.infer() {
		return
	}
	s.ins = s.ins[:1] // the window has given its extents
	s.reduce = []fold{f}
	s.body = func(sc *scalars, arg func(int) (int, bool)) ([]int, bool) {
		v, ok := arg(0)
		return []int{convert(sc.b, v, s.outs[0].dtype, f.unsigned)}, ok
	}
	s.build()
}
