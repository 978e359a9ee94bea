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
