package certificate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/certificate"
	"github.com/go-acap/acap/mlir"
)

const program = `func.func @main(%%x: tensor<%dx3xf32>, %%w: tensor<3x4xf32>) -> tensor<%dx4xf32> {
  %%0 = "aten.mm"(%%x, %%w) : (tensor<%dx3xf32>, tensor<3x4xf32>) -> tensor<%dx4xf32>
  %%1 = "aten.exp"(%%0) : (tensor<%dx4xf32>) -> tensor<%dx4xf32>
  return %%1 : tensor<%dx4xf32>
}`

func linesOf(t *testing.T, rows int, change float32) []certificate.Line {
	n := rows
	module, err := mlir.Parse("x.mlir", fmt.Appendf(nil, program, n, n, n, n, n, n, n))
	require.NoError(t, err)
	x, w := make([]float32, 3*rows), make([]float32, 12)
	for i := range x {
		x[i] = float32(i) / 8
	}
	for i := range w {
		w[i] = float32(i%5) - 2
	}
	w[11] += change
	lines, err := certificate.Of(context.Background(), module, device.Config{}, []*buf.Buffer{buf.From(x, rows, 3), buf.From(w, 3, 4)})
	require.NoError(t, err)
	return lines
}

// TestOf: runs agree, another number in an operand does not, and the last kernel has written the result.
func TestOf(t *testing.T) {
	lines := linesOf(t, 5, 0)
	require.GreaterOrEqual(t, len(lines), 2)
	require.Equal(t, "result 0", lines[len(lines)-1].Name)
	require.Equal(t, lines[len(lines)-2].Digest, lines[len(lines)-1].Digest)
	require.Equal(t, lines, linesOf(t, 5, 0))
	other := linesOf(t, 5, 0x1p-10)
	require.Len(t, other, len(lines))
	require.NotEqual(t, lines[len(lines)-1], other[len(lines)-1])
}

func ExampleOf() {
	module, err := mlir.Parse("x.mlir", fmt.Appendf(nil, program, 1, 1, 1, 1, 1, 1, 1))
	if err != nil {
		panic(err)
	}
	x, w := buf.From(make([]float32, 3), 1, 3), buf.From(make([]float32, 12), 3, 4)
	lines, err := certificate.Of(context.Background(), module, device.Config{}, []*buf.Buffer{x, w})
	fmt.Println(lines[len(lines)-1], err) // of four ones
	// Output: f6bb1294da2f78cd result 0 <nil>
}

// TestParse: a line is 16 hexadecimal digits and a name, which may have spaces.
func TestParse(t *testing.T) {
	l, err := certificate.Parse("00112233445566ff result 0")
	require.NoError(t, err)
	require.Equal(t, certificate.Line{Name: "result 0", Digest: "00112233445566ff"}, l)
	for _, text := range []string{"", "00112233445566ff", "00112233445566ff ", "00112233445566 k0", "00112233445566ff00 k0", "0011223344556xyz k0"} {
		_, err := certificate.Parse(text)
		require.EqualError(t, err, "no line of a certificate, which is 16 hexadecimal digits and a name", text)
	}
}

// TestCompare: blank lines do not count, and the first line that differs is named.
func TestCompare(t *testing.T) {
	lines := []certificate.Line{{Name: "kernel 0 mm", Digest: "0011223344556677"}, {Name: "result 0", Digest: "8899aabbccddeeff"}}
	first, second := lines[0].String(), lines[1].String()
	for text, want := range map[string]string{
		first + "\n" + second:                    "",
		"\n" + first + " \n\n" + second + "\n\n": "",
		first:                                    "1 lines: the model has 2 kernels and results here",
		"":                                       "0 lines: the model has 2 kernels and results here",
		second + "\n" + first:                    `line 1: "8899aabbccddeeff result 0": here it is "0011223344556677 kernel 0 mm"`,
		first + "\nx":                            "line 2: no line of a certificate, which is 16 hexadecimal digits and a name",
		first + "\n" + second + "\n" + second:    `line 3: "8899aabbccddeeff result 0": the model has 2 kernels and results here`,
		first + "\n" + strings.Repeat("x", 1<<17): "line 2: bufio.Scanner: token too long",
	} {
		err := certificate.Compare(strings.NewReader(text), lines)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.EqualError(t, err, want)
	}
}
