package tileexact

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
)

// compare checks the elements of a result. Two sums of the same terms in different orders, of values up to the
// greatest, differ in rounding, and as far as native results sway.
func (x *code) compare(out placing, got *memory, want *buf.Buffer, terms float64, sway *swaying) error {
	size := want.DType.Size()
	scale := 0.0
	if want.DType.IsFloat() {
		out.each(func(_, j int) {
			if v := math.Abs(want.Float64(j)); !math.IsInf(v, 0) && v > scale {
				scale = v
			}
		})
	}
	bound := epsilon(want.DType)
	var err error
	wrong := func(i, j int) {
		if err == nil {
			err = fmt.Errorf("element %d of %s is %v, native %v", i, got.name, element(got.data, i),
				element(want, j))
		}
		x.blame(got.by[i*size])
	}
	out.each(func(i, j int) {
		x.result.Elements++
		for b := range size {
			if !got.known[i*size+b] {
				if err == nil {
					err = fmt.Errorf("element %d of %s was never written", i, got.name)
				}
				return
			}
		}
		if string(got.data.Bytes()[i*size:][:size]) == string(want.Bytes()[j*size:][:size]) {
			return
		}
		x.result.Differ++
		if !want.DType.IsFloat() {
			wrong(i, j)
			return
		}
		a, b := got.data.Float64(i), want.Float64(j)
		if a == b || math.IsNaN(a) && math.IsNaN(b) {
			return // zeros of either sign
		}
		allowed := bound * (8*math.Abs(b) + (4+math.Sqrt(terms))*scale)
		if !(math.Abs(a-b) <= allowed) {
			allowed = max(allowed, 2*sway.of(out.port, j, b))
		}
		worst := math.Abs(a-b) / allowed
		x.result.Worst = max(x.result.Worst, worst)
		if !(worst <= 1) {
			wrong(i, j)
		}
	})
	return err
}

// changed counts the elements of a result that faults change.
func (x *code) changed(out placing, got, sound *buf.Buffer) {
	size := got.DType.Size()
	out.each(func(i, _ int) {
		if string(got.Bytes()[i*size:][:size]) != string(sound.Bytes()[i*size:][:size]) {
			x.result.Changed++
		}
	})
}

// blame notes the core, plus one, that a wrong result comes from.
func (x *code) blame(by uint16) {
	if by == 0 {
		return
	}
	if at := x.program.Cores[by-1].Tile; !slices.Contains(x.result.Wrong, at) {
		x.result.Wrong = append(x.result.Wrong, at)
	}
}

func element(b *buf.Buffer, i int) any {
	if b.DType.IsFloat() {
		return b.Float64(i)
	}
	return b.Int64(i)
}
