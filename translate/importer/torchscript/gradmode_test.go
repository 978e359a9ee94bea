package torchscript

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestGradMode: a program sees what PyTorch shows it outside of no_grad: parameters require a gradient, inputs do not.
// So the layers of a transformer take the way that has gradients, on which rows that see nothing are 0, and make no
// nested tensor.
func TestGradMode(t *testing.T) {
	requireBody(t, "return torch.tensor([int(torch.is_grad_enabled()), int(ops.prim.requires_grad(self.w)), "+
		"int(ops.prim.requires_grad(x)), int(torch._nested_tensor_from_mask_left_aligned(x, x))])", []float64{1, 1, 0, 0}, 0)
}

// TestNoGrad: no gradient flows through what is computed where gradients are off, and the program sees that.
func TestNoGrad(t *testing.T) {
	requireBody(t, "torch.set_grad_enabled(False)\n    off = int(torch.is_grad_enabled())\n    torch.set_grad_enabled(True)\n"+
		"    return torch.tensor([off, int(torch.is_grad_enabled())])", []float64{0, 1}, 0)
	for body, want := range map[string]int{
		"torch.set_grad_enabled(False)\n    y = torch.split(torch.neg(x), 1)\n    torch.set_grad_enabled(True)\n    return torch.mul(y[0], torch.exp(x))": 3,
		"torch.set_grad_enabled(False)\n    y = torch.argmax(x)\n    return y":                                                                            0,
		"return torch.exp(x)": 0,
	} {
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err)
		module, err := m.Specialize([]*buf.Buffer{buf.From([]float32{1, 2, 3, 4}, 2, 2)}, onHost)
		require.NoError(t, err)
		require.Equal(t, want, strings.Count(module.String(), "aten.detach"), "%s\n%s", body, module)
	}
	// A write in place where gradients are off changes elements, and not where gradients flow: gradients of y·x are y +
	// 2x.
	for write, want := range map[string]int{"torch.mul_(y, 3)": 1, "torch.detach(y)": 0} {
		m, err := read(moduleArchive(t, "    y = torch.mul(x, 2)\n    torch.set_grad_enabled(False)\n    "+write+
			"\n    torch.set_grad_enabled(True)\n    return torch.mul(y, x)\n"))
		require.NoError(t, err)
		module, err := m.Specialize([]*buf.Buffer{buf.From([]float32{1, 2, 3, 4}, 2, 2)}, onHost)
		require.NoError(t, err)
		require.Equal(t, want, strings.Count(module.String(), "aten._rewritten"), "%s\n%s", write, module)
	}
	for on, want := range map[bool]int{false: 1, true: 0} {
		p := newProgram()
		p.input("x", dtype.F32, 2)
		p.call("torch.ops.higher_order.wrap_with_set_grad_enabled", "", "", fields{"as_bool": on}, "", graphOf("neg"), "", tensorOf("x"))
		p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		p.call("torch.ops.aten.exp.default", "z", "", tensorOf("y"))
		p.output("user_output", "z")
		m, err := read(p.archive(t))
		require.NoError(t, err)
		module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2}}})
		require.NoError(t, err)
		require.Equal(t, want, strings.Count(module.String(), "aten.detach"), "%v\n%s", on, module)
	}
}
