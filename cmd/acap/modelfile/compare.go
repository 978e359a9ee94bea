package modelfile

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// shownDifferences is the number of differing elements that an error lists.
const shownDifferences = 5

// Compare returns nil if |got - want| <= atol + rtol·|want| everywhere, NaN being
// equal to NaN, and an error with the first differing elements otherwise.
func Compare(got, want *buf.Buffer, rtol, atol float64) error {
	if !shape.Equal(got.Shape, want.Shape) {
		return fmt.Errorf("shape is %s, expected %s", shape.String(got.Shape), shape.String(want.Shape))
	}
	var lines []string
	count, worst := 0, 0.0
	for i := range got.Len() {
		g, w := got.Float64(i), want.Float64(i)
		if g == w || math.IsNaN(g) && math.IsNaN(w) {
			continue
		}
		d := math.Abs(g - w)
		if d <= atol+rtol*math.Abs(w) {
			continue
		}
		count++
		worst = math.Max(worst, d)
		if count <= shownDifferences {
			lines = append(lines, fmt.Sprintf("%s: got %g, expected %g", position(i, got.Shape), g, w))
		}
	}
	if count == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d elements differ, by at most %g; first %s", count, got.Len(), worst,
		strings.Join(lines, "; "))
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
