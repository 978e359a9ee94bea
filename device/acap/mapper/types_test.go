package mapper_test

import (
	"testing"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

// TestPublishedPeaks expects that published throughputs, in operations per second, lie below
// what all cores of the machine can do.
func TestPublishedPeaks(t *testing.T) {
	for _, c := range []struct {
		machine    string
		t          dtype.DType
		throughput float64
	}{
		{"npu1", dtype.I8, 6.76e12}, {"npu1", dtype.BF16, 3.14e12}, {"npu1", dtype.I16, 1.55e12},
		{"npu2", dtype.I8, 38.05e12}, {"npu2", dtype.BF16, 24.6e12},
		{"vek280", dtype.I8, 165e12}, {"vek280", dtype.BF16, 83e12},
		{"vck190", dtype.F32, 5.44e12}, {"vck190", dtype.I8, 77.01e12},
	} {
		m, err := machine.Preset(c.machine)
		if err != nil {
			t.Fatal(err)
		}
		rate, ok := m.MACRate(c.t, c.t)
		peak := 2 * rate * float64(m.Grid.Cores()) * m.Clock.Value
		if !ok || peak < c.throughput {
			t.Errorf("%s: %v has a peak of %.3g operations a second; %.3g were measured", c.machine, c.t,
				peak, c.throughput)
		}
	}
}

// TestRatesByType maps one product in several types: its time follows the rate of the type,
// not that of the type for which kernels were measured.
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
