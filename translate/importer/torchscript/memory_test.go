package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestMemoryOrder: a program sees elements lie in memory as PyTorch 2.14 says, for x, a 2 × 3 tensor in order, or is
// refused with the reason.
func TestMemoryOrder(t *testing.T) {
	const ask = "    return torch.tensor([torch.stride(y, 0), torch.stride(y, 1), torch.storage_offset(y), int(torch.is_contiguous(y))])\n"
	for body, want := range map[string][]float64{
		"y = x":                                                                                  {3, 1, 0, 1},
		"y = torch.t(x)":                                                                         {1, 3, 0, 0},
		"y = torch.slice(x, 1, 1, 3)":                                                            {3, 1, 1, 0},
		"y = torch.slice(torch.t(x), 0, 1, 3)":                                                   {1, 3, 1, 0},
		"y = torch.add(torch.t(x), 1)":                                                           {1, 3, 0, 0}, // results lie as their operands
		"y = torch.mul(torch.relu(torch.t(x)), torch.t(x))":                                      {1, 3, 0, 0},
		"y = torch.add(torch.t(x), torch.view(x, [3, 2]))":                                       {1, 3, 0, 0}, // the first one decides
		"y = torch.add(torch.view(x, [3, 2]), torch.t(x))":                                       {2, 1, 0, 1},
		"y = torch.atan2(torch.t(x), torch.select(x, 1, 0))":                                     {1, 3, 0, 0},
		"y = torch.maximum(torch.unsqueeze(torch.select(x, 0, 0), 1), torch.t(x))":               {1, 3, 0, 0},
		"y = torch.add(torch.slice(x, 1, 1, 3), 1)":                                              {2, 1, 0, 1},
		"y = torch.clone(torch.t(x))":                                                            {1, 3, 0, 0},
		"y = torch.clone(torch.t(x), memory_format=0)":                                           {2, 1, 0, 1},
		"y = torch.contiguous(torch.t(x))":                                                       {2, 1, 0, 1},
		"y = torch.contiguous(torch.add(torch.t(x), 1))":                                         {2, 1, 0, 1},
		"y = torch.as_strided(torch.t(x), [2, 2], [1, 2])":                                       {1, 2, 0, 0},
		"y = torch.t(torch.add(torch.t(x), 1))":                                                  {3, 1, 0, 1},
		"y = torch.zeros_like(torch.t(x))":                                                       {1, 3, 0, 0},
		"y = torch.select(torch.unsqueeze(torch.t(x), 0), 0, 0)":                                 {1, 3, 0, 0},
		"y = torch.slice(x, 0, 1, 1)":                                                            {3, 1, 3, 1}, // without elements
		"y = torch.slice(x, 1, 2, 1)":                                                            {3, 1, 2, 1},
		"y = torch.expand(torch.select(x, 0, 1), [1, 3])":                                        {3, 1, 3, 1},
		"y = torch.expand(torch.select(x, 1, 2), [1, 2])":                                        {6, 3, 2, 0},
		"y = torch.expand(torch.select(torch.select(x, 0, 1), 0, 1), [1, 1])":                    {0, 0, 4, 1},
		"y = torch.view(torch.contiguous(torch.view(x, [1, 1, 2, 3]), memory_format=2), [2, 3])": {3, 1, 0, 1},
	} {
		requireBody(t, body+"\n"+ask, want, 0)
	}
	for body, want := range map[string][]float64{
		"torch.as_strided(torch.t(x), [3], [1])":                                                                                  {1, -2, 0},
		"torch.as_strided(torch.slice(x, 1, 1, 3), [2, 2], [3, 1])":                                                               {-2, 0, 3, -1},
		"torch.as_strided(torch.as_strided(x, [2, 2], [2, 1], 1), [2], [2])":                                                      {-2, 0},
		"torch.as_strided(torch.contiguous(torch.t(x)), [3], [1])":                                                                {1, 0, -2},
		"torch.as_strided(torch.clone(torch.t(x), memory_format=0), [3], [1], 1)":                                                 {0, -2, 3},
		"torch.as_strided(torch.add(torch.t(x), 1), [3], [1])":                                                                    {2, -1, 1},
		"torch.as_strided(torch.contiguous(torch.view(x, [1, 2, 3, 1]), memory_format=2), [3], [1], 1)":                           {0, -2, 3},
		"torch.as_strided(torch.t(torch.add(torch.t(x), 1)), [3], [1])":                                                           {2, -1, 1},
		"torch.as_strided(torch.slice(torch.add(torch.t(x), 1), 0, 1, 3), [3], [1])":                                              {-1, 1, 1},
		"torch.as_strided(torch.select(torch.add(torch.t(x), 1), 1, 1), [2], [-2 + 3])":                                           {1, 4},
		"torch.as_strided(torch.select(torch.add(torch.t(x), 1), 1, 1), [2], [1], 4)":                                             {4, 0},
		"torch.as_strided(torch.sum(torch.add(torch.t(x), 1), [1], True), [3], [1])":                                              {3, 3, 1},
		"torch.as_strided(torch.linear(torch.t(x), torch.tensor([[1., 0.], [0., 1.]])), [3], [1])":                                {1, 0, -2},
		"torch.as_strided(torch.avg_pool2d(torch.contiguous(torch.view(x, [1, 2, 3, 1]), memory_format=2), [1, 1]), [3], [1], 1)": {0, -2, 3},
		"torch.as_strided(torch.copy_(torch.empty_permuted([2, 3], [1, 0]), x), [4], [1])":                                        {1, 0, -2, 3},
		"torch.as_strided(torch.copy_(torch.empty_strided([2, 3], [1, 2]), x), [4], [1])":                                         {1, 0, -2, 3},
		"torch.as_strided(torch.copy_(torch.new_empty_strided(x, [2, 3], [1, 2]), x), [4], [1])":                                  {1, 0, -2, 3},
		"torch.as_strided_scatter(torch.t(x), torch.tensor([7., 8.]), [2], [1], 0)":                                               {7, 0, 8, 3, 0, -1},
	} {
		requireBody(t, "return "+body, want, 0)
	}
	for body, want := range map[string]string{
		"return torch.as_strided_scatter(torch.add(torch.t(x), 1), torch.tensor([7., 8.]), [2], [1], 0)":                   "lie in memory with strides of [1 3]",
		"y = torch.add(torch.t(x), 1)\n    z = torch.as_strided(y, [3], [1])\n    z[0] = 5\n    return y":                  "the tensor shares memory with what as_strided made of it in another order, and is written to: call contiguous()",
		"y = torch.add(torch.t(x), 1)\n    z = torch.as_strided(y, [3], [1])\n    torch.add_(torch.t(y), 1)\n    return z": "add_: the tensor shares memory",
		"return torch.as_strided(torch.rot90(torch.add(torch.t(x), 1), 1, [0, 1]), [3], [1])":                              "not known: it is what rot90 gives, of operands that do not all lie in order",
		"return torch.tensor(torch.stride(torch.nonzero(x), 0))":                                                           "stride: how the elements of the tensor lie in memory is not known: it is what nonzero gives",
	} {
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err)
		_, err = m.Specialize([]*buf.Buffer{buf.From([]float32{1, -2, 0, 0, 3, -1}, 2, 3)}, onHost)
		require.ErrorContains(t, err, want, body)
	}
}
