package blocks_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/native"
)

// TestManyRows: products of many rows, and those with formats that only Go reads, by way of panels of values.
func TestManyRows(t *testing.T) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || native.Refused() != nil {
		t.Skip("there is no generated code")
	}
	r := rand.New(rand.NewPCG(3, 11))
	for _, format := range dtype.StoredFormats() {
		for _, rows := range []int{1 + r.IntN(4), 5 + r.IntN(60)} {
			k := kerneltest.Blocks(r, format, rows, false)
			code, err := native.CompileFor(k, f)
			require.NoError(t, err)
			require.NotContains(t, code.Listing(), "portable: 2×4", "%v", format)
			check(t, r, k, code)
			code.Close()
		}
	}
}
