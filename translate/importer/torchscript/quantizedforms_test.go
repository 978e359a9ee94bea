package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuantizedForms: the results of PyTorch 1.13 for q = [[1, -2, 0], [0, 3, -1]] in steps of 0.05; y is q as a
// picture.
func TestQuantizedForms(t *testing.T) {
	for call, want := range map[string][]float64{
		"relu6(q)":                            {1.0, 0.0, 0.0, 0.0, 3.0, 0.0},
		"elu(q, 0.02, 60, 1.)":                {1.0, -0.86, 0.0, 0.0, 3.0, -0.64},
		"elu(q, 0.02, 60, 2.)":                {1.0, -1.2, 0.0, 0.0, 3.0, -1.2},
		"celu(q, 0.02, 60, 2.)":               {1.0, -1.2, 0.0, 0.0, 3.0, -0.78},
		"leaky_relu(q, 0.1, False, 0.02, 30)": {1.0, -0.2, 0.0, 0.0, 3.0, -0.1},
		"layer_norm(q, [3], torch.tensor([1., 2., 3.]), None, 1e-05, 0.03, 120)":                                                                   {1.08, -2.67, 0.81, -0.39, 2.76, -2.94},
		"group_norm(y, 2, torch.tensor([1., 2.]), torch.tensor([0., 1.]), 1e-05, 0.03, 120)":                                                       {1.08, -1.35, 0.27, 0.21, 3.75, -0.96},
		"instance_norm(y, torch.tensor([1., 2.]), torch.tensor([0., 1.]), 1e-05, 0.03, 120)":                                                       {1.08, -1.35, 0.27, 0.21, 3.75, -0.96},
		"batch_norm2d(y, torch.tensor([1., 2.]), torch.tensor([0., 1.]), torch.tensor([0.5, -1.]), torch.tensor([4., 1.]), 1e-05, 0.04, 100)":      {0.24, -1.24, -0.24, 3.0, 6.2, 1.0},
		"batch_norm2d_relu(y, torch.tensor([1., 2.]), torch.tensor([0., 1.]), torch.tensor([0.5, -1.]), torch.tensor([4., 1.]), 1e-05, 0.04, 100)": {0.24, 0.0, 0.0, 3.0, 6.2, 1.0},
		"softmax(q, 1, 0.01, 0)":   {0.71, 0.04, 0.26, 0.05, 0.94, 0.02},
		"add(q, 1.5)":              {2.5, -0.5, 1.5, 1.5, 4.5, 0.5},
		"add(q, 20.)":              {21.002941, 17.955883, 20.023529, 20.023529, 22.961765, 19.044117},
		"add(q, -20.)":             {-19.019608, -21.960785, -20.0, -20.0, -16.960785, -20.980392},
		"add_scalar(q, 1.5)":       {2.5, -0.5, 1.5, 1.5, 4.5, 0.5},
		"add_scalar_relu(q, -0.5)": {0.5, 0.0, 0.0, 0.0, 2.5, 0.0},
		"add_relu(q, 0.5)":         {1.5, 0.0, 0.5, 0.5, 3.5, 0.0},
		"mul(q, 2.)":               {2.0, -4.0, 0.0, 0.0, 6.0, -2.0},
		"mul(q, 0.)":               {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
		"mul(q, -0.5)":             {-0.5, 1.0, 0.0, 0.0, -1.5, 0.5},
		"mul_scalar_relu(q, -3.)":  {0.0, 6.0, 0.0, 0.0, 0.0, 3.0},
		"mul(q, 3)":                {3.0, -6.0, 0.0, 0.0, 9.0, -3.0},
	} {
		body := "q = torch.quantize_per_tensor(x, 0.05, 100, 13)\n    y = torch.reshape(q, [1, 2, 3, 1])\n    return torch.dequantize(ops.quantized." + call + ")"
		requireBody(t, body, want, 1e-5)
	}
	for call, want := range map[string]string{
		"leaky(q)":              "unknown operator quantized::leaky",
		"leaky_relu(q)":         "quantized::leaky_relu with such arguments is not supported",
		"batch_norm2d(q, None)": "quantized::batch_norm2d with such arguments is not supported",
		"instance_norm(q)":      "quantized::instance_norm with such arguments is not supported",
		"odd_scalar(q, 1)":      "unknown operator quantized::odd_scalar",
	} {
		_, err := importBody(t, "    q = torch.quantize_per_tensor(x, 0.05, 100, 13)\n    return torch.dequantize(ops.quantized."+call+")\n", 2, 3)
		require.ErrorContains(t, err, want, call)
	}
}
