package tileexact_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
)

// TestFewRows: a core with one row takes a long row in pieces and a short one whole, and computes what the native
// kernel does.
func TestFewRows(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 1))
	for _, x := range []struct {
		dtype  dtype.DType
		cols   int
		pieces bool
	}{{dtype.I32, 2100, true}, {dtype.I32, 300, false}, {dtype.I8, 2100, true}, {dtype.I16, 2100, true}} {
		k := extremes(3, x.cols, x.dtype)
		v := check(t, &tileexact.Checker{Machine: machinetest.Preset(t, "npu1"), Native: native.Compile}, k, r)
		require.NoError(t, v.Err, k.Name)
		require.Zero(t, v.Differ, k.Name)
		require.Equal(t, x.pieces, strings.Contains(v.Mapping, "tile 1 x"), "%s: %s", k.Name, v.Mapping)
	}
}
