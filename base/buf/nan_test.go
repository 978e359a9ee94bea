package buf_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func TestFirstNaN(t *testing.T) {
	for _, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.F32, dtype.F64, dtype.C64, dtype.C128} {
		b := buf.New(d, []int{2, 3})
		b.SetFloat64(1, math.Inf(1))
		b.SetFloat64(2, math.Inf(-1))
		require.Equal(t, -1, b.FirstNaN(), d)
		b.SetFloat64(5, math.NaN())
		require.Equal(t, 5, b.FirstNaN(), d)
		b.SetFloat64(3, math.NaN())
		require.Equal(t, 3, b.FirstNaN(), d)
	}
	b := buf.New(dtype.C64, []int{2})
	b.SetComplex(1, complex(math.Inf(1), math.NaN()))
	require.Equal(t, 1, b.FirstNaN(), "a part beside an infinity")
	b = buf.New(dtype.I64, []int{1})
	b.SetInt64(0, -1)
	require.Equal(t, -1, b.FirstNaN())
	require.Equal(t, -1, buf.New(dtype.F32, []int{0}).FirstNaN())
}
