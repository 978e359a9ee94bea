package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// subclassed pickles a tensor of the class lib.Pair with these attributes, each a name and a value.
func subclassed(attributes ...string) string {
	state := "}("
	for i, a := range attributes {
		if i%2 == 0 {
			a = pText(a)
		}
		state += a
	}
	return pGlobal("torch._tensor", "_rebuild_from_type_v2") + "(" + pGlobal("torch._utils", "_rebuild_wrapper_subclass") +
		pGlobal("lib", "Pair") + ")" + state + "utR"
}

// TestTensorSubclasses: a program reads the tensors that a tensor of a Python class holds, in another such one as
// well. 2·(1 2 3 4) with 10 in each place are 12, 14, 16 and 18.
func TestTensorSubclasses(t *testing.T) {
	inner := subclassed("factor", pTensor("FloatStorage", "two", 1, 0, []int{1}, []int{1}), "note", pText("of the inner one"))
	outer := subclassed("data", pTensor("FloatStorage", "four", 4, 0, []int{4}, []int{1}), "scale", inner, "bits", pInt(8))
	file := string(pack(t, member{"archive/data.pkl", pickled(outer)}, member{"archive/data/two", floats32(2)},
		member{"archive/data/four", floats32(1, 2, 3, 4)}))
	const access = "torch.ops.export.access_subclass_inner_tensor.default"
	text := func(s string) fields { return fields{"as_string": s} }
	for name, c := range map[string]struct {
		last func(p *program)
		err  string
	}{
		"read": {last: func(p *program) { p.call("torch.ops.aten.add.Tensor", "y", "", tensorOf("scaled"), "", tensorOf("x")) }},
		"of another name": {last: func(p *program) { p.call(access, "y", "", tensorOf("p_w"), "", text("bits")) },
			err: "a tensor of the class lib.Pair has no tensor bits: it has data, scale"},
		"of a tensor": {last: func(p *program) { p.call(access, "y", "", tensorOf("x"), "", text("data")) },
			err: "the attribute data of a Tensor, which is no tensor of a Python class"},
		"as a tensor": {last: func(p *program) { p.call("torch.ops.aten.neg.default", "y", "", tensorOf("p_w")) },
			err: "a tensor of the Python class lib.Pair is given to an operator: call run_decompositions()"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram()
			p.saved = map[string]string{"w": file}
			p.inputs = append(p.inputs, tensorOf("p_w"))
			p.inputSpecs = append(p.inputSpecs, fields{"parameter": fields{"arg": fields{"name": "p_w"}, "parameter_name": "w"}})
			p.input("x", dtype.F32, 4)
			p.call(access, "data", "", tensorOf("p_w"), "", text("data"))
			p.call(access, "scale", "", tensorOf("p_w"), "", text("scale"))
			p.call(access, "factor", "", tensorOf("scale"), "", text("factor"))
			p.call("torch.ops.aten.mul.Tensor", "scaled", "", tensorOf("data"), "", tensorOf("factor"))
			c.last(p)
			p.output("user_output", "y")
			x := buf.From([]float32{10, 10, 10, 10}, 4)
			if c.err != "" {
				m, err := read(p.archive(t))
				require.NoError(t, err)
				_, err = m.Specialize([]*buf.Buffer{x}, runHost)
				require.ErrorContains(t, err, c.err)
				return
			}
			require.Equal(t, []float32{12, 14, 16, 18}, buf.Slice[float32](runProgram(t, p.archive(t), x)[0]))
		})
	}
}
