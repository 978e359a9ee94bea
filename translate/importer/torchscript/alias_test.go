package torchscript

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/ops"
)

// Writing through a view changes what it is a view of, and the other way round.
func TestAliasing(t *testing.T) {
	for body, want := range map[string]string{
		"y = torch.select(x, 0, 1)\n    _0 = torch.add_(y, 1)\n    return x":         "aten.select.int aten.add.Scalar aten.select_scatter func.return",
		"y = torch.select(x, 0, 1)\n    _0 = torch.relu_(x)\n    return y":           "aten.select.int aten.relu aten.select.int func.return",
		"x[0] = self.w[0]\n    return x":                                             "arith.constant aten.select.int aten.select.int aten.copy aten.select_scatter func.return",
		"x[:, 0] = 5\n    return x":                                                  "aten.slice.Tensor aten.select.int arith.constant aten.copy aten.select_scatter aten.slice_scatter func.return",
		"y = x[..., 1]\n    y += 2\n    return torch.mul(x, 2)":                      "aten.select.int aten.add.Scalar aten.select_scatter aten.mul.Scalar func.return",
		"x += 1\n    x *= x\n    return x":                                           "aten.add.Scalar aten.mul.Tensor func.return",
		"x.zero_()\n    return x":                                                    "aten.zero func.return",
		"y = torch.select(x, 0, 1)\n    y[...] = self.w\n    return x":               "aten.select.int arith.constant aten.copy aten.select_scatter func.return",
		"torch._set_item(x, 1, self.w)\n    return x":                                "aten.select.int arith.constant aten.copy aten.select_scatter func.return",
		"n = ops.prim.NumToTensor(2)\n    torch.neg_(n)\n    return torch.mul(x, n)": "arith.constant aten.neg aten.mul.Tensor func.return",
		"torch.arctan_(torch.select(x, 0, 1))\n    return x":                         "aten.select.int aten.atan aten.select_scatter func.return",
	} {
		got, err := importBody(t, "    "+body+"\n", 2, 2)
		require.NoError(t, err, body)
		assert.Equal(t, want, got, body)
	}
}

// TestWritesByIndex: what tensors choose is written into the tensor, too.
func TestWritesByIndex(t *testing.T) {
	for body, want := range map[string][]float32{
		"x[torch.tensor([0, 2])] = 9":                                            {9, 9, 3, 4, 9, 9},
		"x[torch.tensor([0, 2]), 1] = 9":                                         {1, 9, 3, 4, 5, 9},
		"x[torch.tensor([2, 0]), torch.tensor([1, 0])] = torch.tensor([7., 8.])": {8, 2, 3, 4, 5, 7},
		"x[1:, torch.tensor([1])] = 9":                                           {1, 2, 3, 9, 5, 9},
		"x[torch.gt(x, 4)] = 0":                                                  {1, 2, 3, 4, 0, 0},
		"x[0] = x[torch.tensor(2)]":                                              {5, 6, 3, 4, 5, 6},
	} {
		m, err := read(moduleArchive(t, "    "+body+"\n    return x\n"))
		require.NoError(t, err, body)
		input := []*buf.Buffer{buf.From([]float32{1, 2, 3, 4, 5, 6}, 3, 2)}
		module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{3, 2}}})
		require.NoError(t, err, body)
		out, err := onHost(module, input)
		require.NoError(t, err, body)
		assert.Equal(t, want, buf.Slice[float32](out[0]), body)
	}
}

// TestSharedMemory: results that are an operand, or lie in its memory, are seen by writes as PyTorch 2.14 has it, and
// copies are not. x is doubled, or what y makes of it is.
func TestSharedMemory(t *testing.T) {
	for y, shares := range map[string]bool{
		"torch.dropout(x, 0.5, False)":                               true,
		"torch.dropout(x, 0., True)":                                 true,
		"torch.alpha_dropout(x, 0.5, False)":                         true,
		"torch.feature_dropout(x, 0.5, False)":                       true,
		"torch.to(x, 6)":                                             true,
		"torch.to(x, 6, False, True)":                                false,
		"torch.to(x, 7)":                                             false,
		"torch.to(x, torch.device(\"cpu\"), 6)":                      true,
		"torch.to(x, x)":                                             true,
		"torch.type_as(x, x)":                                        true,
		"torch.sum_to_size(x, [2, 3])":                               true,
		"torch.atleast_2d(x)":                                        true,
		"torch.atleast_3d(torch.unsqueeze(x, 0))":                    true,
		"torch.conj(x)":                                              true,
		"torch.resolve_conj(x)":                                      true,
		"torch._unsafe_view(x, [3, 2])":                              true,
		"(torch.unsafe_chunk(x, 2))[0]":                              true,
		"(torch.unsafe_split(x, 1))[0]":                              true,
		"(torch.broadcast_tensors([x, x]))[0]":                       true,
		"(torch.meshgrid([torch.select(x, 0, 0)]))[0]":               true,
		"(torch.meshgrid([torch.select(x, 0, 0)], \"xy\"))[0]":       true,
		"torch.cartesian_prod([torch.select(x, 0, 0)])":              true,
		"torch.einsum(\"ab->ba\", [x])":                              true,
		"torch.einsum(\"a a b -> b a\", [torch.view(x, [1, 1, 6])])": true,
		"torch.einsum(\"ab->b\", [x])":                               false,
		"torch.einsum(\"ab,ab->ab\", [x, x])":                        false,
		"torch.real(z)":                                              true,
		"torch.real(torch.conj(z))":                                  true,
		"torch.real(torch._conj(z))":                                 true,
		"torch.real(torch.resolve_conj(torch.conj(z)))":              false,
		"torch.real(torch.resolve_conj(torch.mH(z)))":                false,
		"torch.real(torch.resolve_conj(torch.conj(torch.conj(z))))":  true,
		"torch.resolve_neg(torch.real(torch.conj(z)))":               true,
		"torch.resolve_neg(torch._neg_view(x))":                      false,
		"torch.resolve_neg(torch._neg_view(torch._neg_view(x)))":     true,
		"torch.real(torch.conj_physical(z))":                         false,
		"torch.real(torch.clone(torch.conj(z)))":                     false,
	} {
		const of = "z = torch.view_as_complex(torch.view(x, [3, 1, 2]))\n    "
		body := of + "y = " + y + "\n    torch.mul_(y, 2)\n    return x"
		first := 1.0
		if shares {
			first = 2
		}
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err, body)
		input := []*buf.Buffer{buf.From([]float32{1, -2, 0, 0, 3, -1}, 2, 3)}
		module, err := m.Specialize(input, onHost)
		require.NoError(t, err, body)
		out, err := onHost(module, input)
		require.NoError(t, err, body)
		assert.Equal(t, float32(first), buf.Slice[float32](out[0])[0], body)
	}
	requireBody(t, "return (torch.meshgrid([torch.select(x, 0, 0), torch.select(x, 1, 0)], \"xy\"))[1]", []float64{1, 1, 1, 0, 0, 0}, 0)
	requireBody(t, "z = torch.view_as_complex(torch.view(x, [3, 1, 2]))\n    y = torch.conj(z)\n    torch.mul_(z, 3)\n"+
		"    return torch.view_as_real(y)", []float64{3, 6, 0, 0, 9, 3}, 0)
	requireBody(t, "z = torch.view_as_complex(torch.view(x, [3, 1, 2]))\n    torch.copy_(torch.imag(torch.conj(z)), torch.tensor(5.))\n"+
		"    return x", []float64{1, -5, 0, -5, 3, -5}, 0)
	requireBody(t, "z = torch.view_as_complex(torch.view(x, [3, 1, 2]))\n    torch.mul_(torch.resolve_neg(torch.imag(torch.conj(z))), 2)\n"+
		"    return x", []float64{1, -2, 0, 0, 3, -1}, 0)
}
