package torchscript

import "testing"

// TestGradMode: a program sees what PyTorch shows it outside of no_grad: parameters require a gradient, inputs do not.
// So the layers of a transformer take the way that has gradients, on which rows that see nothing are 0, and make no
// nested tensor.
func TestGradMode(t *testing.T) {
	requireBody(t, "return torch.tensor([int(torch.is_grad_enabled()), int(ops.prim.requires_grad(self.w)), "+
		"int(ops.prim.requires_grad(x)), int(torch._nested_tensor_from_mask_left_aligned(x, x))])", []float64{1, 1, 0, 0}, 0)
}
