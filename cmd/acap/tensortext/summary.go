package tensortext

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/base/buf"
)

// Summary describes a tensor in a line: type and shape, the least and the greatest element with their places, the mean,
// and how many elements are no numbers; of complex elements the type and shape alone.
func Summary(b *buf.Buffer) string {
	text := fmt.Sprintf("%v %v", b.DType, b.Shape)
	if b.DType.IsComplex() {
		return text
	}
	least, greatest, nan, sum := -1, -1, 0, 0.0
	for i := range b.Len() {
		v := b.Float64(i)
		if math.IsNaN(v) {
			nan++
			continue
		}
		sum += v
		if least < 0 || v < b.Float64(least) {
			least = i
		}
		if greatest < 0 || v > b.Float64(greatest) {
			greatest = i
		}
	}
	if least >= 0 {
		text += fmt.Sprintf(" from %.4g at %v to %.4g at %v, mean %.4g", b.Float64(least), place(b, least), b.Float64(greatest),
			place(b, greatest), sum/float64(b.Len()-nan))
	}
	if nan > 0 {
		text += fmt.Sprintf(", %d NaN", nan)
	}
	return text
}

// place is the index of an element in every dimension.
func place(b *buf.Buffer, i int) string {
	at := make([]string, len(b.Shape))
	for d := len(b.Shape) - 1; d >= 0; d-- {
		at[d] = fmt.Sprint(i % b.Shape[d])
		i /= b.Shape[d]
	}
	return "[" + strings.Join(at, " ") + "]"
}
