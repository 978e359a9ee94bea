package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForeach: operators on lists give what PyTorch 2.14 gives for a = [1, -2, 0] and b = [0, 3, -1], one behind the
// other.
func TestForeach(t *testing.T) {
	const lists = "a = torch.mul(x[0], 1)\n    b = torch.mul(x[1], 1)\n    "
	for call, want := range map[string][]float64{
		"torch._foreach_mul([a, b], [b, a])":                                                    {0, -6, 0, 0, -6, 0},
		"torch._foreach_add([a, b], [1, 2])":                                                    {2, -1, 1, 2, 5, 1},
		"torch._foreach_addcdiv([a, b], [b, a], [torch.add(a, 3), torch.add(b, 3)], [2., -1.])": {1, 4, -0.666667, -0.333333, 3.333333, -1},
		"torch._foreach_addcmul([a, b], [b, a], [a, b], torch.tensor([2., -1.]))":               {1, -14, 0, 0, 9, -1},
		"torch._foreach_norm([a, b], 1)":                                                        {3, 4},
		"torch._foreach_norm([a, b])":                                                           {2.236068, 3.162278},
		"torch._foreach_maximum([a, b], 0.5)":                                                   {1, 0.5, 0.5, 0.5, 3, 0.5},
		"torch._foreach_pow(2., [a, b])":                                                        {2, 0.25, 1, 1, 8, 0.5},
		"torch._foreach_lerp([a, b], [b, a], 0.25)":                                             {0.75, -0.75, -0.25, 0.25, 1.75, -0.75},
		"torch._foreach_zero([a, b])":                                                           {0, 0, 0, 0, 0, 0},
	} {
		requireBody(t, lists+"y = "+call+"\n    return torch.cat([torch.reshape(y[0], [-1]), torch.reshape(y[1], [-1])])", want, 1e-6)
	}
	requireBody(t, lists+"torch._foreach_add_([a, b], [x[1], x[0]], alpha=2)\n    torch._foreach_abs_([a, b])\n"+
		"    torch._foreach_sqrt_([a, b])\n    return torch.cat([a, b])", []float64{1, 2, 1.414214, 1.414214, 1, 1}, 1e-6)
	_, err := importBody(t, "    return torch._foreach_mul([x, x], [x])[0]\n", 2, 3)
	require.ErrorContains(t, err, "_foreach_mul: lists of 2 and 1")
}
