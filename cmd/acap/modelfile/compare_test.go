package modelfile

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestCompareTypes: numbers of another type are others, whatever their values. f32 stands for the types that .npy
// files do not have, and for no other.
func TestCompareTypes(t *testing.T) {
	for _, got := range dtype.All() {
		for _, want := range dtype.All() {
			err := Compare(buf.New(got, []int{2}), buf.New(want, []int{2}), 1, 1)
			if got == want || want == dtype.F32 && (got == dtype.BF16 || got.IsFloat8()) {
				require.NoError(t, err, "%v %v", got, want)
				continue
			}
			require.EqualError(t, err, "elements are "+got.String()+", expected "+want.String())
		}
	}
}

// TestCompareElements: of complex numbers both parts count, integers are compared exactly, and no tolerance reaches an
// infinity.
func TestCompareElements(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	big := int64(1)<<60 + 1
	for _, c := range []struct {
		got, want *buf.Buffer
		rtol      float64
		says      string
	}{
		{buf.From([]complex64{1 + 2i}), buf.From([]complex64{1 + 2i}), 0, ""},
		{buf.From([]complex64{1 + 2i}), buf.From([]complex64{1 - 2i}), 0.1, "1 of 1 elements differ, by at most 4; first []: got (1+2i), expected (1-2i)"},
		{buf.From([]complex64{3 + 4i}), buf.From([]complex64{3 + 4.5i}), 0.1, ""},
		{buf.From([]int64{big}), buf.From([]int64{big - 1}), 0, "1 of 1 elements differ, by at most 1; first []: got 1152921504606846977, expected 1152921504606846976"},
		{buf.From([]int64{math.MinInt64}), buf.From([]int64{math.MaxInt64}), 0.5, "1 of 1 elements differ, by at most 1.8446744073709552e+19; first []: got -9223372036854775808, expected 9223372036854775807"},
		{buf.From([]int64{100}), buf.From([]int64{110}), 0.1, ""},
		{buf.From([]int8{1, 2, 3, 4, 5, 6}, 6), buf.From(make([]int8, 6), 6), 0, "6 of 6 elements differ, by at most 6; first [0]: got 1, expected 0; " +
			"[1]: got 2, expected 0; [2]: got 3, expected 0; [3]: got 4, expected 0; [4]: got 5, expected 0"},
		{buf.From([]uint8{255}), buf.From([]uint8{0}), 0.5, "1 of 1 elements differ, by at most 255; first []: got 255, expected 0"},
		{buf.From([]float32{float32(nan), float32(inf)}, 2), buf.From([]float32{float32(nan), float32(inf)}, 2), 0, ""},
		{buf.From([]float64{nan}), buf.From([]float64{1}), 1, "1 of 1 elements differ, by at most +Inf; first []: got NaN, expected 1"},
		{buf.From([]float64{1}), buf.From([]float64{inf}), 1, "1 of 1 elements differ, by at most +Inf; first []: got 1, expected +Inf"},
		{buf.From([]float64{-inf}), buf.From([]float64{inf}), 1, "1 of 1 elements differ, by at most +Inf; first []: got -Inf, expected +Inf"},
		{buf.From([]float64{1}), buf.From([]float64{nan}), 1, "1 of 1 elements differ, by at most +Inf; first []: got 1, expected NaN"},
	} {
		err := Compare(c.got, c.want, c.rtol, 0)
		if c.says == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, c.says)
	}
}
