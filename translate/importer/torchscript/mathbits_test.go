package torchscript

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// withBits is the pickle of a tensor with bits beside it, which are given as pairs of a name and an opcode.
func withBits(class string, n int, bits ...string) string {
	tensor := strings.TrimSuffix(pTensor(class, "0", n, 0, []int{n}, []int{1}), "tR")
	tensor += "}"
	for i := 0; i < len(bits); i += 2 {
		tensor += pText(bits[i]) + bits[i+1] + "s"
	}
	return tensor + "tR"
}

// TestMathBits: elements are conjugated and negated where the file says so beside them.
func TestMathBits(t *testing.T) {
	const on, off = "\x88", "\x89"
	data := floats32(1, 2, -3, -4)
	for _, c := range []struct {
		bits []string
		want []complex64
	}{
		{nil, []complex64{1 + 2i, -3 - 4i}},
		{[]string{"conj", off, "neg", off}, []complex64{1 + 2i, -3 - 4i}},
		{[]string{"conj", on}, []complex64{1 - 2i, -3 + 4i}},
		{[]string{"neg", on}, []complex64{-1 - 2i, 3 + 4i}},
		{[]string{"conj", on, "neg", on}, []complex64{-1 + 2i, 3 - 4i}},
	} {
		m, err := read(oneTensor(t, withBits("ComplexFloatStorage", 2, c.bits...), data))
		require.NoError(t, err)
		require.Equal(t, c.want, buf.Slice[complex64](m.Parameters()[0].Data), c.bits)
	}
	m, err := read(oneTensor(t, withBits("FloatStorage", 4, "neg", on), data))
	require.NoError(t, err)
	require.Equal(t, []float32{-1, -2, 3, 4}, buf.Slice[float32](m.Parameters()[0].Data))

	plain := pTensor("ComplexFloatStorage", "0", 2, 0, []int{2}, []int{1})
	both := "}" + pText("w") + plain + "s" + pText("v") + withBits("ComplexFloatStorage", 2, "conj", on) + "s"
	m, err = read(pack(t, member{"m/data.pkl", pickled(both)}, member{"m/data/0", data}, member{"m/version", "3\n"}))
	require.NoError(t, err)
	for _, p := range m.Parameters() { // of one memory
		want := map[string][]complex64{"w": {1 + 2i, -3 - 4i}, "v": {1 - 2i, -3 + 4i}}[p.Name]
		require.Equal(t, want, buf.Slice[complex64](p.Data), p.Name)
	}

	_, err = read(oneTensor(t, withBits("FloatStorage", 4, "conj", on), data))
	require.ErrorContains(t, err, "a tensor of f32 is to be conjugated")
	_, err = read(oneTensor(t, withBits("FloatStorage", 4, "neg", pInt(1)), data))
	require.ErrorContains(t, err, "the bit neg of a tensor is a int")
	_, err = read(oneTensor(t, withBits("FloatStorage", 4, "zero", on), data))
	require.ErrorContains(t, err, "a tensor has zero beside its elements, which is not known")
}

// TestLostBits: torch.export saves tensors without their bits; a program that resolves the bits of a saved tensor is
// refused.
func TestLostBits(t *testing.T) {
	build := func(b *buf.Buffer, of string) error {
		p := newProgram()
		p.tensor("buffer", "b_w", "w", b)
		p.input("x", b.DType, 2)
		p.call("torch.ops.aten.resolve_conj.default", "r", "", tensorOf(of))
		p.call("torch.ops.aten.mul.Tensor", "y", "", tensorOf("r"), "", tensorOf("x"))
		p.output("user_output", "y")
		m, err := read(p.archive(t))
		require.NoError(t, err)
		_, err = m.Specialize([]*buf.Buffer{b}, runHost)
		return err
	}
	z := buf.From([]complex64{1 + 2i, 3}, 2)
	require.ErrorContains(t, build(z, "b_w"), "resolve_conj of w: torch.export does not save whether a tensor is to be conjugated")
	require.NoError(t, build(z, "x"))
	require.NoError(t, build(buf.From([]float32{1, 2}, 2), "b_w"))
}
