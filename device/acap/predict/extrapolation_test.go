package predict_test

import (
	"fmt"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
)

// TestExtrapolation doubles M, K and N of rows of every kind far beyond what was measured, so
// that sets of blocks remain whole: times must never fall, nor be less than arithmetic at the
// machine's peak or operands at its memory's rate take.
func TestExtrapolation(t *testing.T) {
	for _, kind := range []struct {
		device, text string // with the shape to come
		unit         [3]int // of M, K and N
		cores        int
	}{
		{"npu1", "gemm,%d,%d,%d,bf16,16,latency,1,s,L1 tile 64x64x64", [3]int{256, 64, 256}, 16},
		{"npu1", "gemm,%d,%d,%d,i8,8,latency,1,s,L1 tile 64x128x64", [3]int{256, 64, 256}, 8},
		{"npu2", "gemm drain,%d,%d,%d,bf16->bf16,16,latency,1,s,herd 4x4 tile m/kl2/kl1/n 16/144/48/80",
			[3]int{64, 144, 320}, 16},
		{"npu2", "gemm external,%d,%d,%d,bf16->f32,32,latency,1,s,herd 8x4 tile m/kl2/kl1/n 64/256/32/128",
			[3]int{512, 256, 512}, 32},
		{"npu2", "gemm direct,%d,%d,%d,bf16->bf16,32,latency,1,s,herd 8x4 tile m/kl2/kl1/n 64/128/32/64",
			[3]int{512, 128, 256}, 32},
		{"npu2", "gemm fused-cast,%d,%d,%d,bf16->bf16,32,latency,1,s,herd 8x4 tile m/kl2/kl1/n 64/64/32/128",
			[3]int{512, 64, 512}, 32},
	} {
		m, err := machine.Preset(kind.device)
		if err != nil {
			t.Fatal(err)
		}
		seconds := func(s [3]int) float64 {
			p := one(t, "s", kind.device+","+fmt.Sprintf(kind.text, s[0], s[1], s[2]))
			if p.Skipped != "" {
				t.Fatal(p.Skipped)
			}
			in := dtype.BF16
			if p.Row.DType == "i8" {
				in = dtype.I8
			}
			peak, _ := m.MACRate(in, in)
			macs := float64(s[0]) * float64(s[1]) * float64(s[2])
			bytes := float64((s[0]*s[1] + s[1]*s[2]) * in.Size())
			if floor := max(macs/peak/float64(kind.cores)/m.Clock.Value,
				bytes/m.DDR.Read.Value); p.Predicted < floor {
				t.Errorf("%s: %g s, at least %g s of work", p.Row.Notes, p.Predicted, floor)
			}
			return p.Predicted
		}
		for d := range 3 {
			shape, before := kind.unit, 0.0
			for _, n := range []int{1, 2, 4, 8, 16, 32, 128, 512} {
				shape[d] = kind.unit[d] * n
				now := seconds(shape)
				if now < before {
					t.Errorf("%s %v: %g s, but %g s with a smaller one", kind.text, shape, now, before)
				}
				before = now
			}
		}
	}
}
