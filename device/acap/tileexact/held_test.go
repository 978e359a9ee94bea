package tileexact_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
)

// TestHeldStrips walks products on arrays whose memory is so slow that strips of an operand
// remain in the mem tiles while the blocks of a row use them.
func TestHeldStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	held := 0
	for _, name := range []string{"npu1", "npu2"} {
		m := machinetest.Preset(t, name)
		m.DDR.Read.Value = min(m.DDR.Read.Value, 48e9)
		for _, rate := range []*float64{&m.DDR.Read.Value, &m.DDR.Write.Value, &m.DDR.Total.Value} {
			*rate /= 64
		}
		c := &tileexact.Checker{Machine: m, Native: native.Compile, MaxWork: 1 << 40}
		for _, k := range longtest.Some(1, [3]int{128, 64, 768}, [3]int{100, 40, 700}) {
			for _, acc := range []dtype.DType{dtype.I32, dtype.F32} {
				in := dtype.I8
				if acc == dtype.F32 {
					in = acc
				}
				result := check(t, c, product(k[0], k[1], k[2], in, acc, acc), r)
				require.NoError(t, result.Err, "%v on %s", result.Mapping, name)
				require.Empty(t, result.Skipped)
				if strings.Contains(result.Mapping, " hold ") {
					held++
				}
			}
		}
	}
	require.Greater(t, held, longtest.Sample(1, 1, 2))
}
