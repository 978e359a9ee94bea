package torchscript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPackedSequences: what PyTorch 1.13, and 2.14 for layers in training, gives for x = [[1, -2, 0], [0, 3, -1]], as
// two steps of three sequences and as two sequences of three steps, and for recurrent layers of one number.
func TestPackedSequences(t *testing.T) {
	const (
		steps = "d, b = torch._pack_padded_sequence(x, torch.tensor([2, 2, 1]), False)\n    "
		rows  = "d, b = torch._pack_padded_sequence(x, torch.tensor([3, 1]), True)\n    "
		cell  = "d = torch.reshape(x, [6, 1])\n    w = [torch.tensor([[0.5]]), torch.tensor([[0.25]])]\n    v = [torch.tensor([[-1.]]), torch.tensor([[0.5]])]\n" +
			"    h = torch.tensor([[[0.1], [0.2], [0.3]]])\n    b = torch.tensor([3, 2, 1])\n    "
		both   = cell + "y, s = torch.rnn_tanh(d, b, torch.cat([h, h]), [w[0], w[1], v[0], v[1]], False, 1, 0., False, True)\n    "
		deep   = cell + "h = torch.cat([h, h])\n    w = [w[0], w[1], v[0], v[1]]\n    "
		gates  = cell + "l = [torch.tensor([[0.5], [0.1], [-0.3], [0.2]]), torch.tensor([[0.25], [0.5], [1.], [-1.]])]\n    "
		lstm   = gates + "y, s, c = torch.lstm(d, torch.tensor([3, 3]), [h, h], l, False, 1, 0., False, False)\n    "
		twice  = gates + "l = [l[0], l[1], torch.mul(l[0], 2), torch.mul(l[1], 2)]\n    h = torch.cat([h, h])\n    y, s, c = torch.lstm(d, b, [h, h], l, False, 1, 0., False, True)\n    "
		padded = "p, n = torch._pad_packed_sequence(d, b, False, 7., 3)\n    "
	)
	for body, want := range map[string][]float64{
		steps + "return d":          {1, -2, 0, 0, 3},
		steps + "return b":          {3, 2},
		steps + padded + "return p": {1, -2, 0, 0, 3, 7, 7, 7, 7},
		steps + padded + "return n": {2, 2, 1},
		rows + "return d":           {1, 0, -2, 0},
		rows + "return (torch._pad_packed_sequence(d, b, True, 7., 0))[0]":          {1, -2, 0, 0, 7, 7},
		rows + "return (torch._pad_packed_sequence(d, b, True, 7., 0))[1]":          {3, 1},
		cell + "return (torch.rnn_tanh(d, b, h, w, False, 1, 0., False, False))[0]": {0.4815498, -0.7397830, 0.0748597, 0.1198092, 0.8655487, -0.4382379},
		cell + "return (torch.rnn_tanh(d, b, h, w, False, 1, 0., False, False))[1]": {-0.4382379, 0.8655487, 0.0748597},
		cell + "return (torch.rnn_relu(d, b, h, w, False, 1, 0., False, False))[0]": {0.525, 0, 0.075, 0.13125, 1.5, 0},
		deep + "return (torch.rnn_tanh(d, b, h, w, False, 2, 0., True, False))[0]":  {-0.4066156, 0.6856942, 0.0749992, -0.3123226, -0.4797824, 0.2748259},
		deep + "return (torch.rnn_tanh(d, b, h, w, False, 2, 1., True, False))[0]":  {0.0499584, 0.0996680, 0.1488850, 0.0249740, 0.0497928, 0.0124863},
		both + "return y":  {0.4815498, -0.6717529, -0.7397830, 0.9056922, 0.0748597, 0.1488850, 0.1198092, 0.3721386, 0.8655487, -0.9939632, -0.4382379, 0.7818063},
		both + "return s":  {-0.4382379, 0.8655487, 0.0748597, -0.6717529, 0.9056922, 0.1488850},
		lstm + "return y":  {-0.0368303, 0.0967658, 0.1287604, -0.0270308, -0.2273990, 0.1254011},
		lstm + "return c":  {-0.0531341, -0.3825018, 0.3090954},
		twice + "return y": {-0.0368303, -0.0959341, 0.0967658, -0.0922726, 0.1287604, 0.1526745, -0.0270308, 0.0920254, -0.2273990, -0.4210015, 0.0342407, 0.0809963},
		twice + "return s": {0.0342407, -0.2273990, 0.1287604, -0.0959341, -0.0922726, 0.1526745},
		twice + "return c": {0.0750879, -0.3825018, 0.3123448, -0.1750003, -0.1827576, 0.4609592},
	} {
		requireBody(t, body, want, 1e-5)
	}
	for body, want := range map[string]string{
		"d, b = torch._pack_padded_sequence(x, torch.tensor([1, 2, 1]), False)":                                "[1 2 1] are no lengths of 3 sequences that fall from at most 2",
		"d, b = torch._pack_padded_sequence(x, torch.tensor([3, 1, 1]), False)":                                "are no lengths",
		"d, b = torch._pack_padded_sequence(x, torch.tensor([2, 1]), False)":                                   "are no lengths of 3 sequences",
		"d, b = torch._pack_padded_sequence(x, torch.tensor([2, 1, 0]), False)":                                "are no lengths",
		"d, b = torch._pack_padded_sequence(x, torch.tensor([2., 1., 1.]), False)":                             "not a list of whole numbers",
		"d, b = torch._pack_padded_sequence(x, torch.argmax(x, 0), False)":                                     "the lengths of sequences",
		"d, b = torch._pad_packed_sequence(x, torch.tensor([1, 2]), False, 0., 0)":                             "[1 2] are no numbers of sequences at each step of 2 rows",
		"d, b = torch._pad_packed_sequence(x, torch.tensor([1]), False, 0., 0)":                                "[1] are no numbers of sequences",
		"d, b = torch._pad_packed_sequence(x, torch.tensor([1, 1]), False, 0., 1)":                             "sequences of 2 steps in 1",
		"d, b = torch._pad_packed_sequence(x, torch.tensor([1, 1]), False, 0., 10000000000)":                   "runs more than",
		"d, b = torch.rnn_tanh(x, torch.tensor([2]), torch.zeros([1, 2, 1]), [x], False, 2, 0., False, False)": "rnn_tanh",
	} {
		_, err := importBody(t, fmt.Sprintf("    %s\n    return d\n", strings.TrimSpace(body)), 2, 3)
		require.ErrorContains(t, err, want, body)
	}
}
