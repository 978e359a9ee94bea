package mlir

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
)

// slowly reads the same attribute token by token: a comment is nothing that a plain list has.
func slowly(text string) (Attribute, error) {
	return ParseAttribute(strings.Replace(text, "]", "// end\n]", 1))
}

// TestPlainLists: lists that are read at once give what tokens give, and the same ones are refused.
func TestPlainLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := []string{"0", "1", "-1", "7", "-8", "127", "128", "-128", "-129", "255", "256", "0x1F", "0x80", "-0x1", "1.0",
		"-0.0", "2.5e-3", "1.e5", "1.0e400", "-3.25E+02", "0x7FC00000", "0x7F800001", "true", "false", "1.5e", "1e5", "- 3",
		"18446744073709551615", "18446744073709551616", "-9223372036854775808", "0x", "1_0", "1-2", "(1.0, 2.0)", "(1, -2)", "(1.0,2)",
		"", "[1]", "nan"}
	for _, elem := range []string{"i1", "i2", "i4", "i8", "si8", "ui8", "i16", "i32", "ui32", "i64", "si64", "ui64", "index", "i128", "f32",
		"f64", "f16", "bf16", "f8E4M3FN", "f4E2M1FN", "complex<f32>", "complex<i32>"} {
		for range 300 {
			var list []string
			n := 1 + rng.IntN(3)
			for range n {
				list = append(list, numbers[rng.IntN(len(numbers))])
			}
			text := fmt.Sprintf("dense<[%s]> : tensor<%dx%s>", strings.Join(list, " ,\n"), n, elem)
			want, err := slowly(text)
			got, refused := ParseAttribute(text)
			require.Equal(t, err == nil, refused == nil, "%s: %v, %v", text, err, refused)
			if err == nil {
				require.Equal(t, want.String(), got.String(), text)
				if d, ok := want.(DenseAttr); ok {
					require.Equal(t, d.Data, got.(DenseAttr).Data, text)
				}
			}
		}
	}
	for _, text := range []string{"dense<[[1, 2], [3]]> : tensor<2x2xi32>", "dense<[1, 2]> : tensor<3xi32>", "dense<[1, 2]> : tensor<1xi32>",
		"dense<[1, 2]]> : tensor<2xi32>", "dense<[[1, 2]]> : tensor<2xi32>", "dense<[1, 2,]> : tensor<2xi32>", "dense<[]> : tensor<1xi32>"} {
		_, err := ParseAttribute(text)
		require.Error(t, err, text)
	}
	a, err := ParseAttribute("dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi16>")
	require.NoError(t, err)
	require.Equal(t, "dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi16>", a.String())
	a, err = ParseAttribute("dense<[]> : tensor<0x3xf32>")
	require.NoError(t, err)
	require.Equal(t, "dense<> : tensor<0x3xf32>", a.String())
}

// TestLargeConstants reads a megabyte of each form and says how long 100 take. Lists take some tens of times as long
// as a loop over their bytes; token by token they took hundreds.
func TestLargeConstants(t *testing.T) {
	const size = 1 << 20
	floats, ints := strings.Repeat("-1.234567e-01, ", size/15), strings.Repeat("-103, ", size/6)
	texts := map[string]string{
		"list of floats":   fmt.Sprintf("dense<[%s1.0]> : tensor<%dxf32>", floats, size/15+1),
		"list of integers": fmt.Sprintf("dense<[%s1]> : tensor<%dxi8>", ints, size/6+1),
		"hex":              fmt.Sprintf("dense<\"0x%s\"> : tensor<%dxf32>", strings.Repeat("0A1B2C3F", size/8), size/8),
	}
	loop := least(func() {
		sum := 0
		for _, c := range []byte(floats) {
			sum = 31*sum + int(c)
		}
		require.NotZero(t, sum)
	})
	for name, text := range texts {
		took := least(func() {
			_, err := ParseAttribute(text)
			require.NoError(t, err)
		})
		t.Logf("%s: %v for 100 MB, %.0f times a loop over the bytes", name, 100*took, float64(took)/float64(loop))
		require.Less(t, took, 60*loop, name)
	}
}

// least is the least that several runs take of processors.
func least(f func()) time.Duration {
	best := time.Hour
	for range 9 {
		start := cputime.Used()
		f()
		best = min(best, cputime.Used()-start)
	}
	return best
}
