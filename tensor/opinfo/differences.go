package opinfo

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/host"
)

// isDifference judges a gradient in f32 whose terms cancel, so that no digit of the recorded one is right. An element is
// right if it is what a central difference of the same program in f64 gives, or no farther away from that than the
// recorded gradient is at its worst.
func (a *answer) isDifference() bool {
	if a.want.DType.Size() > 4 {
		return false
	}
	differences, err := a.x.p.differences(a.name)
	if err != nil || len(differences) != a.got.Len() {
		return false
	}
	worst := 0.0
	for i, d := range differences {
		worst = max(worst, math.Abs(a.want.Float64(i)-d))
	}
	for i, d := range differences {
		if g := a.got.Float64(i); !close64(g, d, a.rtol, a.atol) && !(math.Abs(g-d) <= worst) {
			return false
		}
	}
	return true
}

// differences are the central differences, in f64, of the sum of outputs times cotangents by each element of an input.
func (p *Program) differences(input string) ([]float64, error) {
	i := slices.IndexFunc(p.Inputs, func(n named) bool { return n.Name == input })
	if i < 0 {
		return nil, missing(input)
	}
	b, err := p.buffer(&p.Inputs[i].Tensor)
	if err != nil {
		return nil, err
	}
	at := (&execution{exact: true}).widened(b)
	list := make([]float64, at.Len())
	for i := range list {
		v := at.Float64(i)
		step := 1e-6 * max(math.Abs(v), 0.01)
		var sums [2]float64
		for side, moved := range []float64{v - step, v + step} {
			at.SetFloat64(i, moved)
			if sums[side], err = p.weighted(input, at); err != nil {
				return nil, err
			}
		}
		at.SetFloat64(i, v)
		list[i] = (sums[1] - sums[0]) / (2 * step)
	}
	return list, nil
}

// weighted is the sum of outputs times cotangents, in f64, where an input has other elements.
func (p *Program) weighted(input string, at *buf.Buffer) (sum float64, err error) {
	x := newExecution(p, host.Device())
	x.exact, x.moved = true, map[string]*buf.Buffer{input: at}
	if err := x.compute(); err != nil {
		return 0, err
	}
	for i := range p.GradOutputs {
		o := &p.GradOutputs[i]
		cotangent, err := p.buffer(&o.Tensor)
		if err != nil {
			return 0, err
		}
		if x.env[o.Name] == nil {
			return 0, missing(o.Name)
		}
		y, err := x.env[o.Name].Buffer(ctx)
		if err != nil {
			return 0, err
		}
		for k := range y.Len() {
			sum += y.Float64(k) * cotangent.Float64(k)
		}
	}
	return sum, nil
}
