package torchscript

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestInt4Layouts: a product by weights of 4 bits that PyTorch 2.14 packed on three kinds of processors. Weight k of
// column n is (3n + 5k) mod 16, which stands for 8 less; rows of the input choose one k each.
func TestInt4Layouts(t *testing.T) {
	program := func(columns int, bytes string) *program {
		data, err := hex.DecodeString(bytes)
		require.NoError(t, err)
		p := newProgram()
		p.tensor("parameter", "p_w", "w", buf.From(data, columns, 1))
		scales := make([]float32, 2*columns) // and zeros: each number stands for twice its distance from 8, and one more
		for i := range scales {
			scales[i] = float32(2 - i%2)
		}
		p.tensor("parameter", "p_s", "s", buf.From(scales, 1, columns, 2))
		p.input("x", dtype.F32, 2, 2)
		p.call("torch.ops.aten._weight_int4pack_mm_for_cpu.default", "y", "", tensorOf("x"), "", tensorOf("p_w"), "", fields{"as_int": 2}, "",
			tensorOf("p_s"))
		p.output("user_output", "y")
		return p
	}
	x := buf.From([]float32{1, 0, 0, 1}, 2, 2)
	for _, c := range []struct {
		layout, bytes string
		columns       int
	}{
		{"avx512", avx512Int4, 80}, {"avx2", avx2Int4, 48}, {"none", plainInt4, 48}, {"", plainInt4[64:], 16},
	} {
		t.Run(c.layout, func(t *testing.T) {
			t.Setenv(int4Variable, c.layout)
			got := buf.Slice[float32](runProgram(t, program(c.columns, c.bytes).archive(t), x)[0])
			for k := range 2 {
				for n := range c.columns {
					require.Equal(t, float32(2*((3*n+5*k)%16-8)+1), got[k*c.columns+n], "weight %d of column %d", k, n)
				}
			}
		})
	}
	for layout, want := range map[string]string{
		"":    "set ACAP_INT4_LAYOUT to avx512, avx2 or none",
		"sse": `ACAP_INT4_LAYOUT="sse": want avx512, avx2 or none`,
	} {
		t.Setenv(int4Variable, layout)
		m, err := read(program(48, plainInt4).archive(t))
		require.NoError(t, err)
		_, err = m.Specialize([]*buf.Buffer{x}, runHost)
		require.ErrorContains(t, err, want)
	}
}

// What PyTorch packs with ATEN_CPU_CAPABILITY=avx512, avx2 and default.
const (
	avx512Int4 = "00336699ccff225588bbee114477aadd00336699ccff225588bbee114477aadd" +
		"5588bbee114477aadd00336699ccff225588bbee114477aadd00336699ccff223096fc52b81e74da85eb41a70d63c92f"
	avx2Int4  = "00336699ccff225588bbee114477aadd5588bbee114477aadd00336699ccff223096fc52b81e74da85eb41a70d63c92f"
	plainInt4 = "3096fc52b81e74da3096fc52b81e74da85eb41a70d63c92f85eb41a70d63c92f3096fc52b81e74da85eb41a70d63c92f"
)
