package torchscript

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Writing through a view changes what it is a view of, and the other way round.
func TestAliasing(t *testing.T) {
	for body, want := range map[string]string{
		"y = torch.select(x, 0, 1)\n    _0 = torch.add_(y, 1)\n    return x": "aten.select.int aten.add.Scalar aten.select_scatter func.return",
		"y = torch.select(x, 0, 1)\n    _0 = torch.relu_(x)\n    return y":   "aten.select.int aten.relu aten.select.int func.return",
		"x[0] = self.w[0]\n    return x":                                     "arith.constant aten.select.int aten.select.int aten.copy aten.select_scatter func.return",
		"x[:, 0] = 5\n    return x":                                          "aten.slice.Tensor aten.select.int arith.constant aten.copy aten.select_scatter aten.slice_scatter func.return",
		"y = x[..., 1]\n    y += 2\n    return torch.mul(x, 2)":              "aten.select.int aten.add.Scalar aten.select_scatter aten.mul.Scalar func.return",
		"x += 1\n    x *= x\n    return x":                                   "aten.add.Scalar aten.mul.Tensor func.return",
		"x.zero_()\n    return x":                                            "aten.zero func.return",
	} {
		got, err := importBody(t, "    "+body+"\n", 2, 2)
		require.NoError(t, err, body)
		assert.Equal(t, want, got, body)
	}
}
