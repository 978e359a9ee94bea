package predict_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/timing"
)

// TestChess compares the multiply-accumulates of one core in a cycle with those that E. Taka et al., Striking the
// Balance, measured of 24 kernels (tables 1 to 3), to which the constants of the style were fitted: an efficiency for
// each type and one update for all.
func TestChess(t *testing.T) {
	var errors []float64
	for _, k := range []struct {
		device, types, tile string
		rate                float64
	}{
		{"npu1", "i8 -> i8 acc i8", "64x232x64", 233.0}, {"npu1", "i8 -> i8 acc i8", "112x112x112", 212.5},
		{"npu1", "i8 -> i8 acc i8", "112x104x128", 207.4}, {"npu1", "i8 -> i16 acc i16", "64x216x64", 217.6},
		{"npu1", "i8 -> i16 acc i16", "96x112x96", 192.0}, {"npu1", "i8 -> i16 acc i16", "80x104x128", 186.9},
		{"npu1", "i8 -> i32", "48x280x48", 192.0}, {"npu1", "i8 -> i32", "80x88x96", 146.0}, {"npu1", "i8 -> i32", "64x80x128", 133.1},
		{"npu1", "bf16 -> bf16 acc bf16", "64x104x64", 112.6}, {"npu1", "bf16 -> bf16 acc bf16", "96x56x96", 99.8},
		{"npu1", "bf16 -> bf16 acc bf16", "96x48x112", 97.3},
		{"npu2", "i8 -> i8 acc i8", "64x232x64", 450.6}, {"npu2", "i8 -> i8 acc i8", "144x72x144", 343.0},
		{"npu2", "i8 -> i8 acc i8", "160x64x144", 322.6}, {"npu2", "i8 -> i16 acc i16", "64x216x64", 419.8},
		{"npu2", "i8 -> i16 acc i16", "128x72x112", 307.2}, {"npu2", "i8 -> i16 acc i16", "160x64x96", 271.4},
		{"npu2", "i8 -> i32", "48x280x48", 384.0}, {"npu2", "i8 -> i32", "96x64x96", 256.0}, {"npu2", "i8 -> i32", "128x56x80", 209.9},
		{"npu2", "bf16 -> bf16 acc bf16", "48x152x48", 158.1}, {"npu2", "bf16 -> bf16 acc bf16", "112x48x96", 137.2},
		{"npu2", "bf16 -> bf16 acc bf16", "160x40x80", 124.1},
	} {
		p := one(t, "s", fmt.Sprintf("%s,gemm,4096,4096,4096,%s,1,latency,1,us,\"tile %s, compiled by chess\"", k.device, k.types, k.tile))
		require.Empty(t, p.Skipped, k.tile)
		m, err := machine.Preset(k.device)
		require.NoError(t, err)
		if m, err = m.WithBF16(machine.BF16Emulated); err != nil {
			m, err = machine.Preset(k.device)
		}
		require.NoError(t, err)
		g := p.Measured
		require.Equal(t, "chess", g.Style)
		e, err := timing.Estimate(m, p.Kernel, g)
		require.NoError(t, err)
		rate := float64(g.TM*g.TN*g.TK) / (e.Step.Core * m.Clock.Value)
		errors = append(errors, math.Abs(rate/k.rate-1))
		require.InEpsilon(t, k.rate, rate, 0.11, "%s %s %s", k.device, k.types, k.tile)
	}
	slices.Sort(errors)
	require.Less(t, errors[len(errors)/2], 0.04)
}

// TestMakers: of several makers that a row names the first counts, in whole words; products by a vector are made by
// those alone who have kernels for that.
func TestMakers(t *testing.T) {
	for notes, style := range map[string]string{
		"compiled by chess":               "chess",
		"through IREE, compiled by chess": "microkernel",
		"compiled by chess, through IREE": "chess",
		"a chessboard":                    "compiled",
		"":                                "compiled",
	} {
		p := one(t, "s", "npu2,gemm,1024,1024,1024,i8 -> i32,32,latency,1,us,\""+notes+"\"")
		require.Equal(t, style, p.Measured.Style, notes)
	}
	require.Equal(t, "matvec", one(t, "s", "npu2,gemv,4096,4096,1,bf16 x int4 awq,32,latency,1,us,compiled by chess").Measured.Style)
}

// TestDesigns: products of mlir-aie stage one tile of each operand and hold none, and have the tiles that a row names.
func TestDesigns(t *testing.T) {
	p := one(t, "s", "npu1,gemm,4096,384,1152,bf16,16,latency,1,us,\"whole_array of mlir-aie, tile 128x64x32\"")
	require.Equal(t, [3]int{128, 64, 32}, [3]int{p.Measured.TM, p.Measured.TK, p.Measured.TN})
	require.Equal(t, p.Measured.TK, p.Measured.KL2)
	require.Zero(t, p.Measured.Hold)
	require.Equal(t, "products of mlir-aie", p.Kind())
}

// TestPackedOperands: kernels of asymmetric designs take operands that are packed both; a product of mlir-aie that
// names no such design is by kernels of its compiler.
func TestPackedOperands(t *testing.T) {
	const row = "npu2,gemm,4096,4096,2048,bfp16ebs8,32,throughput,28,TFLOPS,"
	for notes, style := range map[string]string{
		"asymmetric tile buffering":                                         "asymmetric",
		"\"asymmetric tile buffering, tile 128x64x128, compiled by peano\"": "asymmetric",
		"block_datatypes of mlir-aie":                                       "compiled",
		"\"whole_array of mlir-aie, tile 64x64x64\"":                        "compiled",
	} {
		p := one(t, "s", row+notes)
		require.Equal(t, style, p.Measured.Style, notes)
		require.Equal(t, style == "asymmetric", p.Kind() == "products of known makers", notes)
	}
}
