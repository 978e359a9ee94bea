package build

import (
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/device/acap/program"
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
		boxes(loops, start, count, func(at int, dims []program.Dim) {
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

// TestPieces checks that the pieces of walks that go backwards, rest and step
// by less than a word fetch every element once, forwards and in whole words, and say
// where it belongs.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		w := &workload.Walk{}
		units := 1
		for range 1 + r.IntN(3) {
			w.Outer = append(w.Outer, workload.Loop{Size: 1 + r.IntN(6), Stride: r.IntN(13) - 6})
			units *= w.Outer[len(w.Outer)-1].Size
		}
		if r.IntN(2) == 0 {
			w.Inner = []workload.Loop{{Size: 1 + r.IntN(6), Stride: r.IntN(13) - 6}}
		}
		size := []int{1, 2, 4}[r.IntN(3)]
		start := r.IntN(units)
		count := r.IntN(units-start) + 1
		carried := w.Carried(size)
		got := make(map[int]int) // by place
		for _, p := range Pieces(w, size, start, count) {
			at := 0
			p.Each(func(place int) {
				from, rest := p.Offset, at
				for i := len(p.Dims) - 1; i >= 0; i-- {
					d := p.Dims[i]
					if d.Stride < 0 || carried > size && d.Stride*size%workload.Word != 0 && d.Size > 1 {
						t.Fatalf("%+v: steps of %d", w, d.Stride)
					}
					from += rest % d.Size * d.Stride
					rest /= d.Size
				}
				if _, twice := got[place]; twice {
					t.Fatalf("%+v: place %d comes twice", w, place)
				}
				got[place] = from
				at++
			})
		}
		loops, row := w.Loops(), w.Row()
		if len(got) != count*row {
			t.Fatalf("%+v: %d elements, want %d", w, len(got), count*row)
		}
		for place, from := range got {
			want, rest := w.First(), start*row+place
			for i := len(loops) - 1; i >= 0; i-- {
				want += rest % loops[i].Size * loops[i].Stride
				rest /= loops[i].Size
			}
			if from != want || from < 0 || from >= w.Span() {
				t.Fatalf("%+v: place %d is read from %d, want %d", w, place, from, want)
			}
		}
	}
}
