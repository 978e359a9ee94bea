package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpellings: operators that other operators compute give the results of PyTorch 1.13 for x = [[1, -2, 0], [0, 3,
// -1]].
func TestSpellings(t *testing.T) {
	for body, want := range map[string][]float64{
		"return torch.hann_window(4)":                                  {0, 0.5, 1, 0.5},
		"return torch.hann_window(3, False)":                           {0, 1, 0},
		"return torch.hann_window(1)":                                  {1},
		"return torch.hamming_window(4)":                               {0.08, 0.54, 1, 0.54},
		"return torch.hamming_window(3, True, 0.5)":                    {0.04, 0.73, 0.73},
		"return torch.hamming_window(3, True, 0.5, 0.25)":              {0.25, 0.625, 0.625},
		"return torch.blackman_window(5)":                              {0, 0.2007701, 0.8492299, 0.8492298, 0.2007701},
		"return torch.bartlett_window(5)":                              {0, 0.4, 0.8, 0.8, 0.4},
		"return torch.bartlett_window(4, False)":                       {0, 0.6666667, 0.6666666, 0},
		"return torch.kaiser_window(4)":                                {5.28e-05, 0.2156727, 1, 0.2156727},
		"return torch.kaiser_window(3, False, 2.)":                     {0.4386763, 1, 0.4386763},
		"return torch.take_along_dim(x, torch.argsort(x, 1), 1)":       {-2, 0, 1, -1, 0, 3},
		"return torch.take_along_dim(x, torch.tensor([[0], [1]]), 1)":  {1, 3},
		"return torch.take_along_dim(x, torch.tensor([[2, 0, 1]]), 1)": {0, 1, -2, -1, 0, 3},
		"return torch.take_along_dim(x, torch.tensor([5, 0]))":         {-1, 1},
		"return torch.ldexp(x, torch.tensor([1, 2, -1]))":              {2, -8, 0, 0, 12, -0.5},
		"return torch.float_power(x, 2)":                               {1, 4, 0, 0, 9, 1},
		"return torch.view_as_real(torch.stft(torch.view(x, [6]), 4, 1, 2, torch.tensor([1., 2.]), False, None, True, None))": {
			-2, 0, 0, 0, 6, 0, 0, 2, 0, 0, -6, 0, 2, 0, 0, 0, 6, 0}, // PyTorch 2.14
		"return torch.view_as_real(torch.stft(torch.view(x, [6]), 4, 1, 2, torch.tensor([1., 2.]), False, None, True, True))": {
			-3, 0, -2, 0, 0, 0, 6, 0, 1, 0, 4, -1, 0, 2, 0, 0, -6, 0, 2, -3, -5, 0, 2, 0, 0, 0, 6, 0, -5, 0},
		"return (torch._scaled_dot_product_attention_math(x, x, x, torch.gt(torch.slice(x, 1, 0, 2), 0)))[0]": {
			0.9993583559989929, -1.9967918395996094, -0.0006416328833438456, 3.579726762836799e-05, 2.999821186065674, -0.9999642372131348}, // the mask is added
		"return (torch.tensor_split(x, torch.tensor([1])))[1]":          {0, 3, -1},
		"return (torch.tensor_split(x, torch.tensor(1)))[0]":            {1, -2, 0, 0, 3, -1},
		"return torch.hsplit(x, [1])[1]":                                {-2, 0, 3, -1},
		"return torch.vsplit(x, 2)[1]":                                  {0, 3, -1},
		"return torch.hsplit(x[0], 3)[1]":                               {-2},
		"return torch.argwhere(x)":                                      {0, 0, 0, 1, 1, 1, 1, 2},
		"return torch.where(torch.gt(x, 0))[1]":                         {0, 1},
		"return torch.fake_quantize_per_tensor_affine(x, 0.3, 2, 0, 7)": {0.9, -0.6, 0, 0, 1.5, -0.6},
		"return torch.fake_quantize_per_channel_affine(x, torch.tensor([0.3, 0.7]), torch.tensor([2, -1], dtype=3), 0, -4, 4)":                                        {0.6, -1.8000001, 0, 0, 2.8, -0.7},
		"return torch.fake_quantize_per_channel_affine(x, torch.tensor([0.3, 0.7, 1.]), torch.tensor([2, -1, 0], dtype=3), 1, -4, 4)":                                 {0.6, -2.0999999, 0, 0, 2.8, -1},
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 4, 2, None, None, False)":                              {1.0, -0.5, 0.125, -0.375, -0.75, -0.25},
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 4, 2, None, None, True)":                               {0.125, -0.375},
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 4, 2, None, None, False, True)":                        {2.0, -1.0, 0.25, -0.75, -1.5, -0.5},
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 4, 2, None, None, True, False, True, 3)":               {0.125, -0.375, -0.75},
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 4, 2, None, None, True, False, True, 7)":               {0.125, -0.375, -0.75, -0.25, 0.0, 0.0, 0.0},
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 4, 1, 3, torch.tensor([1., 2., 3.]), True)":            {0.192308},
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 4, None, None, torch.tensor([1., 2., 3., 4.]), False)": {1.0, -0.35, 0.192308, -0.17, -0.0625},
		"return torch.view_as_real(torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.mul(torch.reshape(x, [3, 2]), 0.5)), 3, 1, None, torch.tensor([1., 2., 1.]), False, False, False, None, True))": {
			1.333333, 0.666667, -0.093462, -0.479743, -0.377671, 0.172008, -0.355662, -0.538675},
		"h, e = torch.histogramdd(torch.t(x), [2, 2])\n    return torch.cat([torch.flatten(h), e[0], e[1]])": {0, 1, 2, 0, -2, -0.5, 1, -1, 1, 3},
		"h, e = torch.histogramdd(torch.t(x), 2, None, None, True)\n    return torch.cat([torch.flatten(h), e[0], e[1]])": {
			0, 0.111111, 0.222222, 0, -2, -0.5, 1, -1, 1, 3},
		"h, e = torch.histogramdd(torch.t(x), [torch.tensor([-2., 0., 2.]), torch.tensor([-1., 1., 4.])], None, torch.tensor([1., 2., 3.]))\n    return torch.cat([torch.flatten(h), e[0], e[1]])": {
			0, 2, 4, 0, -2, 0, 2, -1, 1, 4},
	} {
		requireBody(t, body, want, 1e-6)
	}
	for body, want := range map[string]string{
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.reshape(x, [3, 2])), 4, 0)":                                                     "frames of 4 elements 0 apart",
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.reshape(x, [3, 2])), 4, 1, 2, x)":                                               "the window does not have 2 elements",
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.reshape(x, [3, 2])), 8, 1)":                                                     "unknown operator aten::istft",
		"return torch.istft(torch.complex(torch.reshape(x, [3, 2]), torch.reshape(x, [3, 2])), 4, 1, None, None, True, False, True, 9223372036854775807)": "a signal of",
		"return torch.hann_window(-1)":         "a window of -1 elements",
		"return torch.hann_window(20000000)":   "a window of 20000000 elements",
		"return torch.hann_window(4, dtype=4)": "a window of i64",
		"return torch.scaled_dot_product_attention(x, x, x, torch.to(torch.gt(torch.slice(x, 1, 0, 2), 0), 4))": "attn_mask is of i64",
		"return torch.take_along_dim(x, torch.argmax(x), 1)":                                                    "take_along_dim: self and indices must have the same number of dimensions",
		"return torch.take_along_dim(x, torch.zeros([4, 1], dtype=4), 1)":                                       "broadcast",
		"return torch.fake_quantize_per_tensor_affine(x, 1)":                                                    "argument zero_point is missing",
		"return torch.fake_quantize_per_channel_affine(x, x, x, 5, 0, 1)":                                       "dimension 5",
	} {
		_, err := importBody(t, "    "+body+"\n", 2, 3)
		require.ErrorContains(t, err, want, body)
	}
}
