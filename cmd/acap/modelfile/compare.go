package modelfile

import (
	"fmt"
	"math"
	"math/cmplx"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/tensor/npy"
)

// shownDifferences is the number of differing elements that an error lists.
const shownDifferences = 5

// Compare returns nil if the elements have one type and |got - want| <= atol + rtol·|want| everywhere, NaN being
// equal to NaN, and otherwise an error with the types, the shapes or the first differing elements. For elements of a
// type that .npy files do not have, such as bf16, want may have f32.
func Compare(got, want *buf.Buffer, rtol, atol float64) error {
	if got.DType != want.DType && (npy.Has(got.DType) || want.DType != dtype.F32) {
		return fmt.Errorf("elements are %v, expected %v", got.DType, want.DType)
	}
	if !shape.Equal(got.Shape, want.Shape) {
		return fmt.Errorf("shape is %s, expected %s", shape.String(got.Shape), shape.String(want.Shape))
	}
	var lines []string
	count, worst := 0, 0.0
	for i := range got.Len() {
		d := distance(got, want, i)
		if d == 0 || !math.IsInf(d, 1) && d <= atol+rtol*cmplx.Abs(want.Complex(i)) {
			continue
		}
		count++
		worst = math.Max(worst, d)
		if count <= shownDifferences {
			lines = append(lines, fmt.Sprintf("%s: got %s, expected %s", position(i, got.Shape), element(got, i), element(want, i)))
		}
	}
	if count == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d elements differ, by at most %g; first %s", count, got.Len(), worst,
		strings.Join(lines, "; "))
}

// distance is how far apart two elements are: 0 for equal ones and for two NaN, infinite where only one is NaN or
// infinite. That of integers is exact, whatever a float holds of them.
func distance(got, want *buf.Buffer, i int) float64 {
	switch {
	case got.DType.IsComplex():
		g, w := got.Complex(i), want.Complex(i)
		return math.Hypot(between(real(g), real(w)), between(imag(g), imag(w)))
	case got.DType.IsFloat():
		return between(got.Float64(i), want.Float64(i))
	}
	g, w := got.Int64(i), want.Int64(i) // of u64 the bits
	if less := g < w; got.DType == dtype.U64 && uint64(g) < uint64(w) || got.DType != dtype.U64 && less {
		g, w = w, g
	}
	return float64(uint64(g) - uint64(w))
}

func between(got, want float64) float64 {
	switch {
	case got == want || math.IsNaN(got) && math.IsNaN(want):
		return 0
	case math.IsNaN(got) || math.IsNaN(want) || math.IsInf(want, 0):
		return math.Inf(1)
	}
	return math.Abs(got - want)
}

// element is an element's text.
func element(b *buf.Buffer, i int) string {
	switch {
	case b.DType.IsComplex():
		return fmt.Sprintf("%g", b.Complex(i))
	case b.DType.IsFloat():
		return fmt.Sprintf("%g", b.Float64(i))
	case b.DType == dtype.U64:
		return strconv.FormatUint(uint64(b.Int64(i)), 10)
	}
	return strconv.FormatInt(b.Int64(i), 10)
}

// position turns an element number into indices, "[0 3]".
func position(i int, dims []int) string {
	index := make([]int, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		index[d] = i % dims[d]
		i /= dims[d]
	}
	return shape.String(index)
}
