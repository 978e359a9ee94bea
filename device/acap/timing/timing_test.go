package timing

import (
	"testing"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

// cube is an n × n × n product of bf16 in the four by four mapping of npu1.
func cube(n int) (*workload.Kernel, mapping.Mapping) {
	op := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "cube", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: n, N: n, K: n, A: op, B: op,
			Acc: dtype.F32, Out: dtype.BF16}}
	g := mapping.Mapping{Kind: workload.KindContraction, Cols: 4, Rows: 4, TM: 64, TN: 64, TK: 64,
		PartsM: 4, PartsN: 4, Cascade: 1, StageM: 1, StageN: 1, Style: "vector", OutDepth: 2,
		Depth: 2}
	return w, g
}

func BenchmarkEstimate(b *testing.B) {
	m, err := machine.Preset("npu1")
	if err != nil {
		b.Fatal(err)
	}
	w, g := cube(4096)
	o, err := NewModel(m, w)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.Estimate(g); err != nil {
			b.Fatal(err)
		}
	}
}
