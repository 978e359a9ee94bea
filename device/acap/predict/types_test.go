package predict_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/timing"
)

// typed predicts a product of 128 x 128 x 128 in types that are spelled so.
func typed(t *testing.T, device, workload, text string) predict.Prediction {
	t.Helper()
	return one(t, "s", fmt.Sprintf("%s,%s,32,32,32,\"%s\",,latency,1,us,", device, workload, text))
}

// TestTypeSpellings reads types however they are written.
func TestTypeSpellings(t *testing.T) {
	for _, same := range [][]string{
		{"bfp16 -> bf16", "BFP16", "bfp16ebs8", "bfp16_ebs8", "v8bfp16ebs8", "v64bfp16ebs8", "block fp16", "Block Floating Point 16",
			"block-fp16 -> bfloat16", "bfp16xbfp16", "bfp16 × bfp16 → bf16", "bfp16,bfp16,bf16", "bfp16 in bf16 out",
			"bfp16_in_bf16_out", "bfp16ebs8 acc f32 -> bf16", "bfp16 (f32 accumulators) -> bf16"},
		{"i8xi4", "int8xint4", "i8 x i4", "int8 × int4", "i8*i4", "i8 * i4", "s8 by s4", "w4a8", "a8w4", "W4A8", "int8 x uint4 -> int8",
			"i8,i4,i8", "i8xi4->i8", "I8 X I4", "int8 activations x int4 weights"},
		{"i8xi4->i32", "w4a8 -> i32", "i8,i4,i32", "int8 x int4 -> int32", "i8 x i4 (acc i32) -> i32"},
		{"i8->i32", "i8_i32", "int8-int32", "int8/int32", "int8 → int32", "i8,i8,i32", "i8xi8->i32", "w8a8 -> int32", "in i8 out i32", "si8 to si32"},
		{"bf16 x i4", "w4a16", "a16w4", "bf16 x q4", "bfloat16 x int4-awq", "bf16 x awq int4", "bf16xq4_0", "bf16 x q4nx", "bf16 x uint4 -> bf16"},
		{"bf16 x i8", "w8a16", "bf16xq8", "bf16 x q8_0", "bfloat16 × int8 → bf16"},
		{"bf16->f32", "bf16_f32", "bf16_in_fp32_out", "bf16 → float32", "bfloat16 in, float out", "bf16,bf16,f32"},
		{"i16xi8", "int16 x int8", "s16*s8", "i16,i8,i16"},
		{"bf16", "bfloat16", "BF16", "bf16->bf16", "bf16xbf16", "w16a16"},
	} {
		want := typed(t, "npu2", "gemm", same[0])
		require.Empty(t, want.Skipped, same[0])
		for _, text := range same[1:] {
			p := typed(t, "npu2", "gemm", text)
			require.Empty(t, p.Skipped, text)
			require.Equal(t, want.Kernel.Contraction, p.Kernel.Contraction, text)
			require.Equal(t, want.Predicted, p.Predicted, text)
		}
	}
}

// TestTypesRefused gives the reason for types that nothing is predicted for.
func TestTypesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"cint16": "unknown type", "sparse24": "unknown type", "sparse24 x i8": "unknown type", "fp8": "unknown type", "": "unknown type", "x": "unknown type", "i8 x": "unknown type",
		"i8 x i8 x i8 x i8": "unknown type", "bfp16ebs16": "unknown type", "w4a4": "unknown type", "w16a8": "unknown type",
		"i8 & i8": "unknown type", "i8xi4xi8xi4": "unknown type", "complex": "unknown type", "->": "unknown type",
		"bfp16->bfp16": "packed as bfp16", "i8 -> i4": "packed as i4",
	} {
		require.Contains(t, typed(t, "npu2", "gemm", text).Skipped, want, text)
	}
	for _, text := range []string{"bfp16", "i8xi4", "bf16 x i8", "bf16 -> f32"} {
		require.NotEmpty(t, one(t, "s", fmt.Sprintf("npu2,gelu,65536,,,%s,8,latency,1,us,", text)).Skipped, text)
		require.NotEmpty(t, one(t, "s", fmt.Sprintf("npu2,rmsnorm,64,,1024,%s,8,latency,1,us,", text)).Skipped, text)
	}
}

// TestAllTypes predicts rows of all types that the tables of machines list, at the rate that they list, and none above
// it.
func TestAllTypes(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		if m.Systolic != nil {
			continue
		}
		for i, text := range slices.Sorted(maps.Keys(m.Compute.MACs)) {
			if !longtest.On() && i%4 != len(name)%4 {
				continue // a usual run has every second type of a machine
			}
			rate := m.Compute.MACs[text]
			p := typed(t, name, "gemm", text)
			require.Empty(t, p.Skipped, "%s %s", name, text)
			got, ok := timing.Rate(m, &p.Kernel.Contraction)
			require.True(t, ok)
			require.Equal(t, rate.Value, got, "%s %s", name, text)
			require.NotEmpty(t, rate.Source, "%s %s", name, text)
			macs := 128 * 128 * 128 / (rate.Value * float64(m.Grid.Cores()) * m.Clock.Value)
			require.Greater(t, p.Predicted, 1e6*macs, "%s %s", name, text)
		}
	}
}

// TestNarrowTypes makes the weights of a product with a vector, which waits for them, narrower: it never takes longer.
// (The few cores of npu1 take longer to widen them.)
func TestNarrowTypes(t *testing.T) {
	for _, device := range []string{"npu2", "vek280"} {
		for _, types := range [][]string{{"f32", "bf16", "bf16 x i8", "bf16 x i4"}, {"i8", "i8xi4"}, {"bf16", "bf16 x bfp16"}} {
			before := 0.0
			for i, text := range types {
				p := one(t, "s", fmt.Sprintf("%s,gemv,8192,2048,1,%s,,latency,1,us,", device, text))
				require.Empty(t, p.Skipped)
				if i > 0 {
					require.LessOrEqual(t, p.Predicted, before, "%s %s", device, text)
				}
				before = p.Predicted
			}
		}
	}
}

// TestMatrixIsPacked takes weights of a product with a vector for the matrix, on whatever side they are written.
func TestMatrixIsPacked(t *testing.T) {
	for _, text := range []string{"i4 x bf16", "bf16 x i4", "w4a16"} {
		p := one(t, "s", "npu2,gemv,2048,2048,1,"+text+",,latency,1,us,")
		require.Equal(t, "q4", p.Kernel.Contraction.A.Format.String(), text)
		require.Equal(t, "bf16", p.Kernel.Contraction.Out.String(), text)
	}
}

// TestResults gives results the type of the operand that is not packed.
func TestResults(t *testing.T) {
	for text, want := range map[string]string{"i4xi16": "i16", "i16xi4": "i16", "i4xi8": "i8", "i4 x bf16": "bf16", "i4": "i8",
		"f16 x i4": "f16", "bfp16": "bf16", "i16xi8": "i16", "i4xi16->i32": "i32"} {
		require.Equal(t, want, typed(t, "npu2", "gemm", text).Kernel.Contraction.Out.String(), text)
	}
}

// TestPublishedTypes compares with rows of types that no constant was fitted to: 9 of 10 lie in their intervals, but
// for those whose notes say that something else was measured.
func TestPublishedTypes(t *testing.T) {
	f, err := os.Open("testdata/types.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := predict.Read(f)
	require.NoError(t, err)
	named, known, outside := 0, 0, 0
	for _, p := range predict.Rows(rows) {
		require.Empty(t, p.Skipped, "line %d", p.Row.Line)
		t.Logf("line %d: %s: measured %.2f times as long as predicted", p.Row.Line, p.Row.DType, p.Times())
		if p.Named {
			named++
		}
		if strings.Contains(p.Row.Notes, "first version") || strings.Contains(p.Row.Notes, "ONNX Runtime") {
			require.Greater(t, p.Times(), 1.0)
			require.Zero(t, p.Low) // of what was measured for the most part no interval is known
			continue
		}
		require.Positive(t, p.Low)
		if known++; p.Row.Value < p.Low || p.High < p.Row.Value {
			outside++
		}
	}
	require.Positive(t, named)
	require.LessOrEqual(t, 10*outside, known)
}

// TestUnmapped leaves out the mappings of the rows that the presets were fitted to: the best of ours takes no longer
// than the interval allows in 9 of 10 rows.
func TestUnmapped(t *testing.T) {
	inside, all := 0, 0
	for i, r := range published() {
		if r, ok := r.Unmapped(); ok && i%longtest.Sample(24, 24, 4) == 0 {
			p := predict.Predict(r, predict.Presets())
			require.False(t, p.Named)
			all++
			if p.Low <= p.Row.Value && p.Row.Value <= p.High {
				inside++
			}
		}
	}
	t.Logf("%d of %d rows in their intervals", inside, all)
	require.Positive(t, all)
	require.Greater(t, 10*inside, 9*all)
}

// TestCores predicts a row that names its cores but no mapping on no more than these: on more of them nothing takes
// longer.
func TestCores(t *testing.T) {
	for _, device := range []string{"npu1", "npu2"} {
		before := 0.0
		for _, cores := range slices.Sorted(slices.Values(longtest.Some(3, 1, 4, 16, 2, 8))) {
			p := one(t, "s", fmt.Sprintf("%s,gemm,2048,2048,2048,i8,%d,latency,1,us,", device, cores))
			require.Empty(t, p.Skipped)
			require.LessOrEqual(t, p.Measured.Cores(), cores)
			if cores > 1 {
				require.Less(t, p.Predicted, before, "%s on %d cores", device, cores)
			}
			before = p.Predicted
			m, err := machine.Preset(device)
			require.NoError(t, err)
			for cols := 1; cols <= min(cores, m.Grid.Cols); cols++ { // the best of all shapes
				if device == "npu2" || // whose published kernels are slower than the best
					cores%cols != 0 || cores/cols > m.Grid.CoreRows {
					continue
				}
				c, err := mapper.Within(m, p.Kernel, cols, cores/cols)
				require.NoError(t, err)
				require.LessOrEqual(t, p.Predicted, 1e6*c.Timing.Seconds*(1+1e-9), "%s on %d x %d", device, cols, cores/cols)
			}
		}
	}
	require.Contains(t, one(t, "s", "npu1,gemm,512,512,512,i8,17,latency,1,us,").Skipped, "npu1 has 16")
	require.Contains(t, one(t, "s", "npu2,gemm,512,512,512,i8,31,latency,1,us,").Skipped, "columns and rows")
}
