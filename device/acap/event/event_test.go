package event_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

func preset(t testing.TB, name string) *machine.Machine {
	t.Helper()
	m, err := machine.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func product(m, k, n int, t dtype.DType) *workload.Kernel {
	op := workload.Operand{DType: t}
	return &workload.Kernel{Name: fmt.Sprintf("product %dx%dx%d %v", m, k, n, t), Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: m, N: n, K: k, A: op, B: op, Acc: t, Out: t}}
}

func restart(c *mapper.Choice) float64 {
	r := c.Machine.Host.Restart.Value - c.Timing.Fill - c.Timing.Drain
	if r <= 0 {
		return -1
	}
	return r
}

func compare(t *testing.T, m *machine.Machine, w *workload.Kernel) {
	c, err := mapper.Map(m, w)
	if err != nil {
		t.Log(m.Name, w.Name, err)
		return
	}
	p, err := c.Program()
	if err != nil {
		t.Log(m.Name, w.Name, c.Mapping, err)
		return
	}
	start := time.Now()
	r, err := event.Run(p, event.Options{Launch: c.Timing.Launch, Restart: restart(c)})
	if err != nil {
		t.Error(m.Name, w.Name, err)
		return
	}
	took := time.Since(start)
	closed, ev := c.Timing.Seconds-c.Timing.Launch, r.Seconds-r.Launch
	t.Logf("%-6s %-28s %-50v closed %9.1f event %9.1f us  %+6.1f %%  of total %+6.2f %%  %d events %d skipped %v finished %v restored %v bound %v", m.Name, w.Name, c.Mapping,
		closed*1e6, ev*1e6, 100*(ev/closed-1), 100*(r.Seconds/c.Timing.Seconds-1), r.Events, r.Skipped, took.Round(10*time.Microsecond), r.Finished, r.Restored, c.Timing.Bound)
	if !r.Finished {
		for _, b := range r.Blocked {
			t.Log(b.Who.Describe(p), b)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vek280", "vck190"} {
		m := preset(t, name)
		for _, d := range []dtype.DType{dtype.BF16, dtype.F32} {
			compare(t, m, product(256, 256, 256, d))
			compare(t, m, product(1024, 1024, 1024, d))
			compare(t, m, product(64, 784, 512, d))
			compare(t, m, product(3025, 363, 96, d))
			compare(t, m, product(1, 768, 3072, d))
			s := []workload.Stream{{DType: d, Elements: 1 << 20}}
			compare(t, m, &workload.Kernel{Name: "relu", Kind: workload.KindPointwise,
				Pointwise: workload.Pointwise{Elements: 1 << 20, DType: d, In: s, Out: s, Ops: workload.Mix{Simple: 1}}})
			compare(t, m, &workload.Kernel{Name: "softmax", Kind: workload.KindNormalize,
				Normalize: workload.Normalize{Rows: 1024, Cols: 1024, Passes: 3, DType: d, In: s, Out: s, Ops: workload.Mix{Simple: 2, Transcendental: 1}}})
			compare(t, m, &workload.Kernel{Name: "transpose", Kind: workload.KindMove,
				Move: workload.Move{DType: d, Elements: 1 << 20, Shape: []int{1024, 1024}, Perm: []int{1, 0}}})
			compare(t, m, &workload.Kernel{Name: "attention", Kind: workload.KindAttention,
				Attention: workload.Attention{Batch: 1, Heads: 12, KVHeads: 12, Sq: 128, Sk: 128, D: 64, DV: 64, DType: d, Acc: dtype.F32}})
			compare(t, m, &workload.Kernel{Name: "conv", Kind: workload.KindConvolution,
				Convolution: workload.Convolution{N: 1, C: 64, H: 56, W: 56, K: 64, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 1, In: d, Weight: d, Acc: dtype.F32, Out: d}})
		}
	}
}
