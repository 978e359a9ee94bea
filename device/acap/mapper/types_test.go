package mapper_test

import (
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestPublishedPeaks expects that published throughputs, in operations per second, lie below
// what all cores of the machine can do.
func TestPublishedPeaks(t *testing.T) {
	i8, i16, f32 := workload.Operand{DType: dtype.I8}, workload.Operand{DType: dtype.I16}, workload.Operand{DType: dtype.F32}
	bf16, bfp16 := workload.Operand{DType: dtype.BF16}, workload.Operand{DType: dtype.BF16, Format: dtype.BFP16}
	i4 := workload.Operand{DType: dtype.I8, Format: dtype.I4}
	for _, c := range []struct {
		machine    string
		a, b       workload.Operand
		throughput float64
	}{
		{"npu1", i8, i8, 6.76e12}, {"npu1", bf16, bf16, 3.14e12}, {"npu1", i16, i16, 1.55e12},
		{"npu2", i8, i8, 38.05e12}, {"npu2", i8, i8, 51.0e12}, // the latter by xrt-smi validate, amd/IRON issue 55
		{"npu2", bf16, bfp16, 24.6e12}, {"npu2", bf16, bf16, 32 * 0.398e12}, {"npu2", bfp16, bfp16, 24.6e12},
		{"npu2", bfp16, bfp16, 32 * 1.76e12}, // tnzr.org, of a core
		{"npu2", i8, i4, 14.4e12},            // amd/IRON pull request 182
		{"vek280", i8, i8, 165e12}, {"vek280", bf16, bf16, 83e12},
		{"vck190", f32, f32, 5.44e12}, {"vck190", i8, i8, 77.01e12},
	} {
		m, err := machine.Preset(c.machine)
		if err != nil {
			t.Fatal(err)
		}
		rate, ok := timing.Rate(m, &workload.Contraction{A: c.a, B: c.b})
		peak := 2 * rate * float64(m.Grid.Cores()) * m.Clock.Value
		if !ok || peak < c.throughput {
			t.Errorf("%s: %v by %v has a peak of %.3g operations a second; %.3g were measured", c.machine, c.a,
				c.b, peak, c.throughput)
		}
	}
}

// TestRatesByType maps one product in several types: its time follows the rate of the type, not the rate of the type
// for which kernels were measured.
func TestRatesByType(t *testing.T) {
	seconds := func(name string, in, out dtype.DType) float64 {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		op := workload.Operand{DType: in}
		c, err := mapper.Map(m, &workload.Kernel{Name: "product", Kind: workload.KindContraction,
			Contraction: workload.Contraction{Batch: 1, M: 4096, K: 4096, N: 4096, A: op, B: op,
				Acc: out, Out: out}})
		if err != nil {
			t.Fatal(err)
		}
		return c.Timing.Seconds
	}
	if a, b := seconds("npu1", dtype.I8, dtype.I32), seconds("npu2", dtype.I8, dtype.I32); b*4 > a {
		t.Errorf("i8 takes %g s on npu2 and %g s on npu1, want a quarter", b, a)
	}
	if a, b := seconds("npu2", dtype.BF16, dtype.F32), seconds("npu2", dtype.I8, dtype.I32); b > a {
		t.Errorf("on npu2 i8 takes %g s and bf16 %g s", b, a)
	}
	if s := seconds("npu2", dtype.F32, dtype.F32); s > 0.1 {
		t.Errorf("f32 takes %g s on npu2", s)
	}
}
