package linalg

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/mlir"
)

// namedOp defines a named operation by its maps and its payload.
type namedOp struct {
	inputs int
	// maps are the maps of inputs and outputs, written over common loops; S and D
	// stand for strides and dilations: "n, c, oh*S0 + kh*D0". Elementwise
	// operations have none: every operand is accessed by identity. A loop that the
	// output does not depend on is a reduction.
	loops   string
	maps    []string
	payload payload
	// own is set if indexing_maps may give an operation other maps, and open if nothing else gives it maps, or
	// if an attribute says how many inputs it has: the name alone does not tell what it computes.
	own, open bool

	read   sync.Once
	parsed []mlir.AffineMap // see mapsOf
}

// Names returns the names of the operations whose name says what they compute, in order: "abs", "add", ….
func Names() []string {
	var list []string
	for name, n := range namedOps {
		if !n.open {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// NumInputs returns how many inputs the named operation takes.
func NumInputs(name string) int { return namedOps[name].inputs }

// inputsOf returns how many inputs an operation takes: one of elements of its kind, as many as the function.
func (n *namedOp) inputsOf(op *mlir.Operation) int {
	if op.Name != "linalg.elementwise" {
		return n.inputs
	}
	kind := kindOf(op)
	switch {
	case unaryFunctions[kind] != nil:
		return 1
	case binaryFunctions[kind] != nil:
		return 2
	}
	return 3
}

// spatial is the number of window dimensions: the length of strides and dilations.
func (n *namedOp) spatial() int {
	count := 0
	for strings.Contains(strings.Join(n.maps, ""), "S"+string(rune('0'+count))) {
		count++
	}
	return count
}

func contraction(loops string, maps ...string) *namedOp {
	return &namedOp{inputs: 2, loops: loops, maps: maps, payload: multiplyAdd}
}

// withMaps lets the operation have maps of its own.
func withMaps(n *namedOp) *namedOp {
	n.own = true
	return n
}

// quantized is a contraction with the zero points of its inputs as two more inputs.
func quantized(loops, left, right, out string) *namedOp {
	return &namedOp{inputs: 4, loops: loops, maps: []string{left, right, "", "", out}, payload: multiplyAddShifted}
}

func pooling(p payload, loops string, maps ...string) *namedOp {
	return &namedOp{inputs: 2, loops: loops, maps: maps, payload: p}
}

func elementwise(inputs int, p payload) *namedOp { return &namedOp{inputs: inputs, payload: p} }

const (
	window1 = "ow*S0 + kw*D0"
	window2 = "oh*S0 + kh*D0, ow*S1 + kw*D1"
	window3 = "od*S0 + kd*D0, oh*S1 + kh*D1, ow*S2 + kw*D2"
)

var namedOps = map[string]*namedOp{
	"copy":         elementwise(1, yieldFirst),
	"exp":          elementwise(1, unary("math.exp", "")),
	"log":          elementwise(1, unary("math.log", "")),
	"abs":          elementwise(1, unary("math.absf", "")),
	"ceil":         elementwise(1, unary("math.ceil", "")),
	"floor":        elementwise(1, unary("math.floor", "")),
	"negf":         elementwise(1, unary("arith.negf", "")),
	"round":        elementwise(1, unary("math.round", "")),
	"sqrt":         elementwise(1, unary("math.sqrt", "")),
	"rsqrt":        elementwise(1, unary("math.rsqrt", "")),
	"tanh":         elementwise(1, unary("math.tanh", "")),
	"erf":          elementwise(1, unary("math.erf", "")),
	"square":       elementwise(1, square),
	"reciprocal":   elementwise(1, reciprocal),
	"add":          elementwise(2, binary("arith.addf", "arith.addi", "arith.ori")),
	"sub":          elementwise(2, binary("arith.subf", "arith.subi", "")),
	"mul":          elementwise(2, binary("arith.mulf", "arith.muli", "arith.andi")),
	"div":          elementwise(2, binary("arith.divf", "arith.divsi", "")),
	"div_unsigned": elementwise(2, binary("", "arith.divui", "")),
	"max":          elementwise(2, binary("arith.maximumf", "arith.maxsi", "")),
	"min":          elementwise(2, binary("arith.minimumf", "arith.minsi", "")),
	"powf":         elementwise(2, binary("math.powf", "", "")),
	"select":       elementwise(3, choose),

	"elemwise_unary":  elementwise(1, byFunction("exp", unaryFunctions)),
	"elemwise_binary": elementwise(2, byFunction("add", binaryFunctions)),

	"dot":                      contraction("m", "m", "m", ""),
	"matvec":                   contraction("m, n", "m, n", "n", "m"),
	"vecmat":                   contraction("n, m", "m", "m, n", "n"),
	"matmul":                   withMaps(contraction("m, n, k", "m, k", "k, n", "m, n")),
	"matmul_transpose_a":       contraction("m, n, k", "k, m", "k, n", "m, n"),
	"matmul_transpose_b":       contraction("m, n, k", "m, k", "n, k", "m, n"),
	"batch_matvec":             contraction("b, m, k", "b, m, k", "b, k", "b, m"),
	"batch_vecmat":             contraction("b, n, k", "b, k", "b, k, n", "b, n"),
	"batch_matmul":             withMaps(contraction("b, m, n, k", "b, m, k", "b, k, n", "b, m, n")),
	"batch_matmul_transpose_a": contraction("b, m, n, k", "b, k, m", "b, k, n", "b, m, n"),
	"batch_matmul_transpose_b": contraction("b, m, n, k", "b, m, k", "b, n, k", "b, m, n"),

	"fill_rng_2d": {inputs: 3, loops: "m, n", maps: []string{"", "", "", "m, n"}, payload: randomElement},

	"contract":    {inputs: 2, payload: multiplyAdd, own: true, open: true},
	"elementwise": {payload: byKind, own: true, open: true},

	"mmt4d": contraction("m, n, k, m0, n0, k0", "m, k, m0, k0", "n, k, n0, k0", "m, n, m0, n0"),
	"batch_mmt4d": contraction("b, m, n, k, m0, n0, k0", "b, m, k, m0, k0", "b, n, k, n0, k0",
		"b, m, n, m0, n0"),
	"batch_reduce_matmul":    withMaps(contraction("b, m, n, k", "b, m, k", "b, k, n", "m, n")),
	"quantized_matmul":       quantized("m, n, k", "m, k", "k, n", "m, n"),
	"quantized_batch_matmul": quantized("b, m, n, k", "b, m, k", "b, k, n", "b, m, n"),

	"conv_1d": contraction("ow, kw", "ow + kw", "kw", "ow"),
	"conv_2d": contraction("oh, ow, kh, kw", "oh + kh, ow + kw", "kh, kw", "oh, ow"),
	"conv_3d": contraction("od, oh, ow, kd, kh, kw", "od + kd, oh + kh, ow + kw",
		"kd, kh, kw", "od, oh, ow"),
	"conv_1d_nwc_wcf": contraction("n, ow, f, kw, c", "n, "+window1+", c", "kw, c, f",
		"n, ow, f"),
	"conv_1d_ncw_fcw": contraction("n, f, ow, c, kw", "n, c, "+window1, "f, c, kw",
		"n, f, ow"),
	"conv_2d_nhwc_hwcf": contraction("n, oh, ow, f, kh, kw, c", "n, "+window2+", c",
		"kh, kw, c, f", "n, oh, ow, f"),
	"conv_2d_nhwc_fhwc": contraction("n, oh, ow, f, kh, kw, c", "n, "+window2+", c",
		"f, kh, kw, c", "n, oh, ow, f"),
	"conv_2d_nchw_fchw": contraction("n, f, oh, ow, c, kh, kw", "n, c, "+window2,
		"f, c, kh, kw", "n, f, oh, ow"),
	"conv_2d_ngchw_fgchw": contraction("n, g, fg, oh, ow, c, kh, kw", "n, g, c, "+window2,
		"fg, g, c, kh, kw", "n, g, fg, oh, ow"),
	"conv_2d_ngchw_gfchw": contraction("n, g, fg, oh, ow, c, kh, kw", "n, g, c, "+window2,
		"g, fg, c, kh, kw", "n, g, fg, oh, ow"),
	"conv_2d_nhwgc_gfhwc": contraction("n, oh, ow, g, fg, kh, kw, c", "n, "+window2+", g, c",
		"g, fg, kh, kw, c", "n, oh, ow, g, fg"),
	"conv_3d_ndhwc_dhwcf": contraction("n, od, oh, ow, f, kd, kh, kw, c",
		"n, "+window3+", c", "kd, kh, kw, c, f", "n, od, oh, ow, f"),
	"conv_3d_ncdhw_fcdhw": contraction("n, od, oh, ow, f, kd, kh, kw, c",
		"n, c, "+window3, "f, c, kd, kh, kw", "n, f, od, oh, ow"),
	"depthwise_conv_1d_ncw_cw": contraction("n, ow, ic, kw", "n, ic, "+window1, "ic, kw",
		"n, ic, ow"),
	"depthwise_conv_1d_nwc_wc": contraction("n, ow, ic, kw", "n, "+window1+", ic", "kw, ic",
		"n, ow, ic"),
	"depthwise_conv_1d_nwc_wcm": contraction("n, ow, ic, cm, kw", "n, "+window1+", ic",
		"kw, ic, cm", "n, ow, ic, cm"),
	"depthwise_conv_2d_nchw_chw": contraction("n, oh, ow, ic, kh, kw", "n, ic, "+window2,
		"ic, kh, kw", "n, ic, oh, ow"),
	"depthwise_conv_2d_nhwc_hwc": contraction("n, oh, ow, ic, kh, kw", "n, "+window2+", ic",
		"kh, kw, ic", "n, oh, ow, ic"),
	"depthwise_conv_2d_nhwc_hwcm": contraction("n, oh, ow, ic, cm, kh, kw",
		"n, "+window2+", ic", "kh, kw, ic, cm", "n, oh, ow, ic, cm"),
	"depthwise_conv_3d_ndhwc_dhwc": contraction("n, od, oh, ow, kd, kh, kw, ic",
		"n, "+window3+", ic", "kd, kh, kw, ic", "n, od, oh, ow, ic"),
	"depthwise_conv_3d_ncdhw_cdhw": contraction("n, od, oh, ow, kd, kh, kw, ic",
		"n, ic, "+window3, "ic, kd, kh, kw", "n, ic, od, oh, ow"),
	"depthwise_conv_3d_ndhwc_dhwcm": contraction("n, od, oh, ow, cm, kd, kh, kw, ic",
		"n, "+window3+", ic", "kd, kh, kw, ic, cm", "n, od, oh, ow, ic, cm"),
}

// The convolutions with zero points.
func init() {
	for _, name := range []string{"conv_2d_nhwc_hwcf", "conv_2d_nhwc_fhwc", "conv_2d_nchw_fchw", "conv_2d_ngchw_gfchw", "conv_2d_nhwgc_gfhwc",
		"conv_3d_ndhwc_dhwcf", "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwcm"} {
		n := namedOps[name]
		namedOps[name+"_q"] = quantized(n.loops, n.maps[0], n.maps[1], n.maps[2])
	}
}

// The poolings. The second input is a window without contents.
func init() {
	type kind struct {
		name    string
		payload payload
	}
	kinds := []kind{
		{"sum", accumulate("arith.addf", "arith.addi")},
		{"max", accumulate("arith.maximumf", "arith.maxsi")},
		{"max_unsigned", accumulate("", "arith.maxui")},
		{"min", accumulate("arith.minimumf", "arith.minsi")},
		{"min_unsigned", accumulate("", "arith.minui")},
	}
	for i, k := range kinds {
		namedOps["pooling_nhwc_"+k.name] = pooling(k.payload, "n, oh, ow, c, kh, kw",
			"n, "+window2+", c", "kh, kw", "n, oh, ow, c")
		namedOps["pooling_nwc_"+k.name] = pooling(k.payload, "n, ow, c, kw",
			"n, "+window1+", c", "kw", "n, ow, c")
		if !strings.HasSuffix(k.name, "unsigned") {
			namedOps["pooling_ndhwc_"+k.name] = pooling(k.payload,
				"n, od, oh, ow, c, kd, kh, kw", "n, "+window3+", c", "kd, kh, kw", "n, od, oh, ow, c")
		}
		if i < 2 {
			namedOps["pooling_nchw_"+k.name] = pooling(k.payload, "n, c, oh, ow, kh, kw",
				"n, c, "+window2, "kh, kw", "n, c, oh, ow")
			namedOps["pooling_ncw_"+k.name] = pooling(k.payload, "n, c, ow, kw",
				"n, c, "+window1, "kw", "n, c, ow")
		}
	}
	namedOps["fill"] = &namedOp{inputs: 1, payload: yieldFirst}
	registerNamed()
}

// mapsOf returns the maps of a named operation, nil if it has none of its own, with strides and dilations as symbols:
// S0, S1, …, D0, D1, …. They are read when the first operation of the name needs them.
func mapsOf(name string) []mlir.AffineMap {
	n := namedOps[name]
	if n == nil {
		return nil
	}
	n.read.Do(func() {
		var symbols []string
		for _, letter := range [...]string{"S", "D"} {
			for i := range n.spatial() {
				symbols = append(symbols, letter+string(rune('0'+i)))
			}
		}
		for _, results := range n.maps {
			text := "affine_map<(" + n.loops + ")[" + strings.Join(symbols, ", ") +
				"] -> (" + results + ")>"
			a, err := mlir.ParseAttribute(text)
			if err != nil {
				panic("BUG: linalg." + name + ": " + err.Error())
			}
			n.parsed = append(n.parsed, a.(mlir.AffineMapAttr).Map)
		}
	})
	return n.parsed
}
