package calibrate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseBounds reads the bounds of several constants, in the units of the constants, such as
// "host.launch=5e-5:2e-4,ddr.read=1e10:2e10". A part of another form and a constant that is given twice are errors;
// whether the constants exist is for [Fit] to say.
func ParseBounds(text string) (map[string][2]float64, error) {
	bounds := make(map[string][2]float64)
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, values, ok := strings.Cut(part, "=")
		low, high, two := strings.Cut(values, ":")
		a, errLow := strconv.ParseFloat(low, 64)
		b, errHigh := strconv.ParseFloat(high, 64)
		if !ok || !two || errLow != nil || errHigh != nil || !(a < math.Inf(1) && b < math.Inf(1)) {
			return nil, fmt.Errorf("%s: want name=low:high, two numbers", part)
		}
		if _, twice := bounds[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		bounds[name] = [2]float64{a, b}
	}
	return bounds, nil
}
