package torchscript

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFloatText: floats are written as Python's repr does.
func TestFloatText(t *testing.T) {
	for want, f := range map[string]float64{"0.0": 0, "-0.0": math.Copysign(0, -1), "1.0": 1, "-2.5": -2.5, "0.1": 0.1, "100000.0": 1e5,
		"0.0001": 1e-4, "1e-05": 1e-5, "0.00012": 1.2e-4, "9.9e-05": 9.9e-5, "9999999999999998.0": 9999999999999998, "1e+16": 1e16,
		"1000000000000000.0": 1e15, "1.2e+16": 1.2e16, "1.2345678901234568e+16": 12345678901234567, "-1e+16": -1e16, "1e+100": 1e100,
		"5e-324": 5e-324, "1.7976931348623157e+308": math.MaxFloat64, "inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN()} {
		require.Equal(t, want, floatText(f))
	}
}
