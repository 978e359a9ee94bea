package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestAutocast: what a program of torch.export runs under autocast is cast by the lists of a CPU, and what is around
// not.
func TestAutocast(t *testing.T) {
	run := func(device string, enabled bool, target string, types ...dtype.DType) *buf.Buffer {
		p := newProgram()
		p.input("x", dtype.F32, 2, 2)
		p.call("torch.ops.aten._to_copy.default", "v", "", tensorOf("x"), "*", "dtype",
			fields{"as_scalar_type": map[dtype.DType]int{dtype.F32: 7, dtype.BF16: 13, dtype.F64: 8}[types[0]]})
		inputs := []any{fields{"name": "self", "arg": tensorOf("w"), "kind": 1}, fields{"name": "other", "arg": tensorOf("w"), "kind": 1}}
		if target == "cat" {
			inputs = []any{fields{"name": "tensors", "arg": fields{"as_tensors": []any{fields{"name": "w"}, fields{"name": "z"}}}, "kind": 1}}
		} else if target == "prod" {
			inputs = inputs[:1]
		}
		inside := fields{"inputs": []any{tensorOf("w"), tensorOf("z")}, "outputs": []any{tensorOf("r")}, "nodes": []any{
			fields{"target": "torch.ops.aten." + target + ".default", "outputs": []any{tensorOf("r")}, "inputs": inputs}}}
		p.call("torch.ops.higher_order.wrap_with_autocast", "y", "", fields{"as_string": device}, "", fields{"as_scalar_type": 13},
			"", fields{"as_bool": enabled}, "", fields{"as_bool": true}, "", fields{"as_graph": fields{"name": "g", "graph": inside}},
			"", tensorOf("v"), "", tensorOf("x"))
		p.call("torch.ops.aten.mul.Tensor", "twice", "", tensorOf("y"), "", fields{"as_int": 2})
		p.output("user_output", "twice")
		return runProgram(t, p.archive(t), buf.From([]float32{1.0009765625, 0, 0, 1}, 2, 2))[0]
	}
	for _, c := range []struct {
		device  string
		enabled bool
		target  string
		of      dtype.DType
		want    dtype.DType
		first   float64
	}{
		{"cpu", true, "matmul", dtype.F32, dtype.BF16, 2}, // 1 + 2⁻¹⁰ is 1 in bf16
		{"cpu", true, "matmul", dtype.F64, dtype.F64, 2 * 1.0009765625 * 1.0009765625},
		{"cpu", false, "matmul", dtype.F32, dtype.F32, 2 * 1.0009765625 * 1.0009765625},
		{"cuda", true, "matmul", dtype.F32, dtype.F32, 2 * 1.0009765625 * 1.0009765625},
		{"cpu", true, "prod", dtype.BF16, dtype.F32, 0},
		{"cpu", true, "cat", dtype.BF16, dtype.F32, 2},
	} {
		out := run(c.device, c.enabled, c.target, c.of)
		require.Equal(t, c.want, out.DType, "%+v", c)
		require.InDelta(t, c.first, out.Float64(0), 1e-6, "%+v", c)
	}
}

// TestAutocastTurnedOff: autocast ends where a block inside turns it off, and goes on behind the block. 1 + 2⁻¹⁰ is 1
// in bf16.
func TestAutocastTurnedOff(t *testing.T) {
	arguments := func(values ...any) (list []any) {
		for _, v := range values {
			list = append(list, fields{"name": "", "arg": v, "kind": 1})
		}
		return list
	}
	block := func(enabled bool, nodes ...any) []any {
		g := fields{"inputs": []any{tensorOf("w")}, "outputs": []any{tensorOf("r")}, "nodes": nodes}
		return []any{fields{"as_string": "cpu"}, fields{"as_scalar_type": 13}, fields{"as_bool": enabled}, fields{"as_bool": true},
			fields{"as_graph": fields{"name": "g", "graph": g}}}
	}
	node := func(target, out string, values ...any) fields {
		return fields{"target": target, "outputs": []any{tensorOf(out)}, "inputs": arguments(values...)}
	}
	const product, wrap = "torch.ops.aten.matmul.default", "torch.ops.higher_order.wrap_with_autocast"
	inner := append(block(false, node(product, "r", tensorOf("w"), tensorOf("w"))), tensorOf("w"))
	for behind, want := range map[bool]dtype.DType{false: dtype.F32, true: dtype.BF16} {
		nodes := []any{node(wrap, "r", inner...)}
		if behind {
			nodes = []any{node(wrap, "off", inner...), node(product, "r", tensorOf("off"), tensorOf("w"))}
		}
		p := newProgram()
		p.input("x", dtype.F32, 1, 1)
		var list []any
		for _, v := range append(block(true, nodes...), tensorOf("x")) {
			list = append(list, "", v)
		}
		p.call(wrap, "y", list...)
		p.output("user_output", "y")
		out := runProgram(t, p.archive(t), buf.From([]float32{1.0009765625}, 1, 1))[0]
		require.Equal(t, want, out.DType)
		if !behind {
			require.Equal(t, float32(1.0009765625*1.0009765625), buf.Slice[float32](out)[0])
		}
	}
}

// TestAutocastInScripts: a block of a script under autocast is refused, one that turns it off or is for another device
// runs.
func TestAutocastInScripts(t *testing.T) {
	const class = "class autocast:\n  _enabled : bool\n  device : str\n" +
		"  def __enter__(self: __torch__.torch.amp.autocast_mode.autocast) -> NoneType:\n    return None\n" +
		"  def __exit__(self: __torch__.torch.amp.autocast_mode.autocast, a: Any, b: Any, c: Any) -> NoneType:\n    return None\n" +
		"  def __init__(self: __torch__.torch.amp.autocast_mode.autocast, device: str, enabled: bool) -> NoneType:\n" +
		"    self._enabled = enabled\n    self.device = device\n    return None\n"
	for args, refused := range map[string]bool{`"cpu", True`: true, `"cpu", False`: false, `"cuda", True`: false} {
		body := "    a = __torch__.torch.amp.autocast_mode.autocast.__new__(__torch__.torch.amp.autocast_mode.autocast)\n" +
			"    _1 = (a).__init__(" + args + ")\n    with a:\n      y = torch.mm(x, torch.t(x))\n    return y\n"
		m, err := read(moduleArchive(t, body, member{"m/code/__torch__/torch/amp/autocast_mode.py", class}))
		require.NoError(t, err)
		_, err = m.Specialize([]*buf.Buffer{buf.From([]float32{1, 2}, 1, 2)}, onHost)
		if refused {
			require.ErrorContains(t, err, "torch.autocast in a script is not supported", args)
		} else {
			require.NoError(t, err, args)
		}
	}
}
