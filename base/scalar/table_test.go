package scalar

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTable: names are unique in each dialect, and functions of one operand alone have values.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Functions {
		require.Same(t, ByName(f.Name), ByName(f.Name))
		for _, name := range []string{"kernel " + f.Name, "mlir " + f.MLIR, "hlo " + f.StableHLO} {
			if name[len(name)-1] == ' ' {
				continue
			}
			require.False(t, seen[name], name)
			seen[name] = true
		}
		require.Equal(t, f.Operands == 1, f.Value != nil, f.Name)
		require.False(t, f.Exact && f.Cost == Transcendental, f.Name)
	}
	require.Nil(t, ByName("gamma"))
}

// TestValues: values near the ends of the range, where the obvious formula overflows; by hand.
func TestValues(t *testing.T) {
	value := func(name string, x float64) float64 { return ByName(name).Value(x) }
	assert.InEpsilon(t, 1.7398368732641605e+308, value("exp", 709.75), 1e-13)
	assert.Equal(t, math.Inf(1), value("exp", 710))
	assert.InEpsilon(t, 1.4342530302495123e+308, value("sinh", 710.25), 1e-13)
	assert.InEpsilon(t, -1.4342530302495123e+308, value("sinh", -710.25), 1e-13)
	assert.InEpsilon(t, 1.4342530302495123e+308, value("cosh", -710.25), 1e-13)
	assert.Equal(t, math.Exp(-745), value("sigmoid", -745))
	assert.Equal(t, 1.0, value("sigmoid", 745))
	assert.Equal(t, 0.5, value("rsqrt", 4))
	assert.InEpsilon(t, -1030*math.Ln2, value("log", 0x1p-1030), 1e-15) // subnormal
	assert.InEpsilon(t, -1030*math.Ln2/math.Ln10, value("log10", 0x1p-1030), 1e-15)
}

func Example() {
	f := ByName("expm1")
	fmt.Println(f.MLIR, f.StableHLO, f.Value(0))
	// Output: math.expm1 stablehlo.exponential_minus_one 0
}
