package replay

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestTolerance: numbers may differ by the tolerance, which grows with the wanted one, and not by more; NaN is the same
// as NaN alone, an infinity as itself; the element that is furthest off is named.
func TestTolerance(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	within := Tolerance{Relative: 0.25, Absolute: 0.5}
	for _, c := range []struct {
		got, want []float64
		says      string
	}{
		{[]float64{1, 2}, []float64{1, 2}, ""},
		{[]float64{1.5, 4.5}, []float64{2, 4}, ""},
		{[]float64{5.5}, []float64{4}, ""}, {[]float64{2.5}, []float64{4}, ""}, {[]float64{-5.5}, []float64{-4}, ""},
		{[]float64{5.75}, []float64{4}, "element 0 is 5.75 instead of 4"},
		{[]float64{-5.75}, []float64{-4}, "element 0 is -5.75 instead of -4"},
		{[]float64{3, 3, 9, 3}, []float64{1, 1, 1, 1}, "element 2 is 9 instead of 1"},
		{[]float64{nan, 1}, []float64{nan, 1}, ""},
		{[]float64{9, nan}, []float64{1, 1}, "element 1 is NaN instead of 1"},
		{[]float64{1, 9}, []float64{nan, 1}, "element 0 is 1 instead of NaN"},
		{[]float64{inf, -inf}, []float64{inf, -inf}, ""},
		{[]float64{inf}, []float64{-inf}, "element 0 is +Inf instead of -Inf"},
		{[]float64{1}, []float64{inf}, "element 0 is 1 instead of +Inf"},
		{[]float64{inf}, []float64{1}, "element 0 is +Inf instead of 1"},
		{nil, nil, ""},
	} {
		require.Equal(t, c.says, within.differs(buf.From(c.got, len(c.got)), buf.From(c.want, len(c.want))), "%v %v", c.got, c.want)
	}
	x := buf.From([]complex128{1 + 2i})
	require.Empty(t, within.differs(x, buf.From([]complex128{1 + 1.5i})))
	require.Equal(t, "element 0 is (1+2i) instead of (1+1i)", within.differs(x, buf.From([]complex128{1 + 1i})))
	require.Equal(t, "f32[2] instead of f64[2]", within.differs(buf.New(dtype.F32, []int{2}), buf.New(dtype.F64, []int{2})))
	require.Equal(t, "f32[2 1] instead of f32[2]", within.differs(buf.New(dtype.F32, []int{2, 1}), buf.New(dtype.F32, []int{2})))
}
