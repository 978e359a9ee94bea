package program

import (
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/device/acap/workload"
)

// TestBoxes checks that boxes visit consecutive points in order, each once.
func TestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var loops []workload.Loop
		points := 1
		for range r.IntN(4) {
			loops = append(loops, workload.Loop{Size: 1 + r.IntN(5), Stride: r.IntN(9)})
			points *= loops[len(loops)-1].Size
		}
		var want []int
		start := r.IntN(points)
		count := r.IntN(points-start) + 1
		for p := start; p < start+count; p++ {
			at, rest := 0, p
			for i := len(loops) - 1; i >= 0; i-- {
				at += rest % loops[i].Size * loops[i].Stride
				rest /= loops[i].Size
			}
			want = append(want, at)
		}
		var got []int
		boxes(loops, start, count, func(at int, dims []Dim) {
			box := []int{at}
			for _, d := range dims {
				var next []int
				for _, a := range box {
					for k := range d.Size {
						next = append(next, a+k*d.Stride)
					}
				}
				box = next
			}
			got = append(got, box...)
		})
		if len(got) != len(want) {
			t.Fatalf("%v from %d: %d points, want %d", loops, start, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%v from %d: point %d is at %d, want %d", loops, start, i, got[i], want[i])
			}
		}
	}
}
