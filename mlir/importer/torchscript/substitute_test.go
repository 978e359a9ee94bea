package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/buf"
)

// TestOtherNames: calls that PyTorch has under two names, or as an operator with other arguments, are
// the same program.
func TestOtherNames(t *testing.T) {
	for call, same := range map[string]string{
		"torch.contiguous(x)":                            "x",
		"torch.detach(x)":                                "x",
		"torch.resolve_neg(x)":                           "x",
		"torch.dropout(x, 0.5, False)":                   "x",
		"torch.dropout(x, 0.0, True)":                    "x",
		"torch.feature_dropout(x, 0.5, False)":           "x",
		"torch.to(x, 6)":                                 "x",
		"torch.float(x)":                                 "x",
		"torch.type_as(x, x)":                            "x",
		"torch.to(x, torch.size(x, 0) + 4)":              "torch.to(x, 6)",
		"torch.double(x)":                                "torch.to(x, 7)",
		"torch.half(x)":                                  "torch.to(x, 5)",
		"torch.bfloat16(x)":                              "torch.to(x, 15)",
		"torch.int(x)":                                   "torch.to(x, 3)",
		"torch.long(x)":                                  "torch.to(x, 4)",
		"torch.short(x)":                                 "torch.to(x, 2)",
		"torch.char(x)":                                  "torch.to(x, 1)",
		"torch.byte(x)":                                  "torch.to(x, 0)",
		"torch.bool(x)":                                  "torch.to(x, 11)",
		"torch.type_as(x, torch.long(x))":                "torch.to(x, 4)",
		"torch.true_divide(x, 2)":                        "torch.div(x, 2)",
		"torch.floordiv(x, 2)":                           "torch.floor_divide(x, 2)",
		"torch.div(x, 2, rounding_mode=\"floor\")":       "torch.floor_divide(x, 2)",
		"torch.div(x, 2, rounding_mode=None)":            "torch.div(x, 2)",
		"torch.mT(x)":                                    "torch.transpose(x, -2, -1)",
		"torch.T(x)":                                     "torch.numpy_T(x)",
		"torch.greater(x, 1)":                            "torch.gt(x, 1)",
		"torch.less(x, 1)":                               "torch.lt(x, 1)",
		"torch.greater_equal(x, 1)":                      "torch.ge(x, 1)",
		"torch.less_equal(x, 1)":                         "torch.le(x, 1)",
		"torch.not_equal(x, 1)":                          "torch.ne(x, 1)",
		"torch.absolute(x)":                              "torch.abs(x)",
		"torch.multiply(x, x)":                           "torch.mul(x, x)",
		"torch.divide(x, x)":                             "torch.div(x, x)",
		"torch.subtract(x, x)":                           "torch.sub(x, x)",
		"torch.negative(x)":                              "torch.neg(x)",
		"torch.concat([x, x], 1)":                        "torch.cat([x, x], 1)",
		"torch.concatenate([x, x], 1)":                   "torch.cat([x, x], 1)",
		"torch.clip(x, 0, 1)":                            "torch.clamp(x, 0, 1)",
		"torch.swapaxes(x, 0, 1)":                        "torch.transpose(x, 0, 1)",
		"torch.swapdims(x, 0, 1)":                        "torch.transpose(x, 0, 1)",
		"torch.unsafe_chunk(x, 3, 1)[1]":                 "torch.chunk(x, 3, 1)[1]",
		"torch.unsafe_split(x, 1, 1)[1]":                 "torch.split(x, 1, 1)[1]",
		"torch.unsafe_split_with_sizes(x, [1, 2], 1)[1]": "torch.split_with_sizes(x, [1, 2], 1)[1]",
		"torch.arctan2(x, x)":                            "torch.atan2(x, x)",
		"torch.arccosh(x)":                               "torch.acosh(x)",
		"torch.special_expit(x)":                         "torch.sigmoid(x)",
		"torch.special_polygamma(1, x)":                  "torch.polygamma(1, x)",
		"torch.special_logsumexp(x, [1], True)":          "torch.logsumexp(x, [1], True)",
		"torch.special_softmax(x, 1)":                    "torch.softmax(x, 1)",
		"torch.special_log_softmax(x, 0)":                "torch.log_softmax(x, 0)",
		"torch.rrelu(x)":                                 "torch.leaky_relu(x, 0.22916666666666666)",
		"torch.rrelu(x, 0.25, 0.75)":                     "torch.leaky_relu(x, 0.5)",
		"torch.rrelu(x, upper=0.375, lower=0.125)":       "torch.leaky_relu(x, 0.25)",
		"torch.view_as(x, torch.zeros([3, 2]))":          "torch.view(x, [3, 2])",
		"torch.reshape_as(x, torch.zeros([6]))":          "torch.reshape(x, [6])",
		"torch.expand_as(x, torch.zeros([4, 2, 3]))":     "torch.expand(x, [4, 2, 3])",
		"torch.__and__(torch.bool(x), torch.bool(x))":    "torch.bitwise_and(torch.bool(x), torch.bool(x))",
		"torch.__or__(torch.bool(x), torch.bool(x))":     "torch.bitwise_or(torch.bool(x), torch.bool(x))",
		"torch.__xor__(torch.bool(x), torch.bool(x))":    "torch.bitwise_xor(torch.bool(x), torch.bool(x))",
		"torch.__lshift__(torch.int(x), 1)":              "torch.bitwise_left_shift(torch.int(x), 1)",
		"torch.__rshift__(torch.int(x), 1)":              "torch.bitwise_right_shift(torch.int(x), 1)",
		"x[1]":                                           "torch.select(x, 0, 1)",
		"x[-1]":                                          "torch.select(x, 0, -1)",
		"x[:, 1]":                                        "torch.select(x, 1, 1)",
		"x[..., 1]":                                      "torch.select(x, 1, 1)",
		"x[:, 1:3]":                                      "torch.slice(x, 1, 1, 3, 1)",
		"x[None]":                                        "torch.unsqueeze(x, 0)",
		"x[:, None]":                                     "torch.unsqueeze(x, 1)",
		"x[torch.tensor([1, 0])]":                        "torch.index(x, [torch.tensor([1, 0])])",
	} {
		t.Run("", func(t *testing.T) { sameProgram(t, call, same) })
	}
}

// sameProgram requires that two expressions of x compute the same from numbers that differ.
func sameProgram(t *testing.T, a, b string) {
	x := buf.From([]float32{1, 2.5, 3, 1.25, 5, 7}, 2, 3)
	run := func(expression string) *buf.Buffer {
		m, err := read(moduleArchive(t, "    return torch.mul("+expression+", 1)\n"))
		require.NoError(t, err, expression)
		module, err := m.Specialize([]*buf.Buffer{x}, onHost)
		require.NoError(t, err, expression)
		out, err := onHost(module, []*buf.Buffer{x})
		require.NoError(t, err, expression)
		return out[0]
	}
	have, want := run(a), run(b)
	require.Equal(t, want.DType, have.DType, a)
	require.Equal(t, want.Shape, have.Shape, a)
	require.Equal(t, want.Bytes(), have.Bytes(), a)
}

// TestWrites: operators that write into their argument, into a view of it, or into a part of it.
func TestWrites(t *testing.T) {
	for body, want := range map[string][]float32{
		"y = torch.clone(x)\n    torch.fill_(y, 7)\n    return y":                        {7, 7, 7, 7, 7, 7},
		"y = torch.clone(x)\n    torch.zero_(y)\n    return y":                           {0, 0, 0, 0, 0, 0},
		"y = torch.clone(x)\n    torch.copy_(y, torch.tensor([7, 8, 9]))\n    return y":  {7, 8, 9, 7, 8, 9},
		"y = torch.clone(x)\n    torch.copy_(torch.select(y, 1, 0), 2.5)\n    return y":  {2.5, 2, 3, 2.5, 5, 6},
		"y = torch.clone(x)\n    torch.fill_(torch.select(y, 0, 1), True)\n    return y": {1, 2, 3, 1, 1, 1},
		"y = torch.clone(x)\n    torch.multiply_(y, 2)\n    return y":                    {2, 4, 6, 8, 10, 12},
		"y = torch.clone(x)\n    y[1] = torch.tensor([7, 8, 9])\n    return y":           {1, 2, 3, 7, 8, 9},
		"y = torch.clone(x)\n    torch.clip_(y, 2, 4)\n    return y":                     {2, 2, 3, 4, 4, 4},
	} {
		x := []*buf.Buffer{buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)}
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err, body)
		module, err := m.Specialize(x, onHost)
		require.NoError(t, err, body)
		out, err := onHost(module, x)
		require.NoError(t, err, body)
		require.Equal(t, want, buf.Slice[float32](out[0]), body)
	}
}
