package opinfo

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
)

// isDifference judges a gradient in f32 whose terms cancel. They are about as large as the outputs divided by the
// input: where the sum of the terms is small beside them, rounding leaves no digit of it, in the recorded gradient
// either. Both must be what a central difference of the same program in f64 gives, up to some units in the last place
// of the terms.
func (a *answer) isDifference() bool {
	const units = 16 * 0x1p-23
	if a.want.DType != dtype.F32 {
		return false
	}
	differences, terms, err := a.x.p.differences(a.name)
	if err != nil || len(differences) != a.got.Len() {
		return false
	}
	for i, d := range differences {
		g, w := a.got.Float64(i), a.want.Float64(i)
		limit := a.atol + a.rtol*math.Abs(d) + units*terms[i]
		if !close64(g, w, a.rtol, a.atol) && !(math.Abs(g-d) <= limit && math.Abs(w-d) <= limit) {
			return false
		}
	}
	return true
}

// differences are the central differences, in f64, of the sum of outputs times cotangents by each element of an input.
// terms are how large that sum without signs is, divided by the element, or 0 for an
// element that is 0.
func (p *Program) differences(input string) (list, terms []float64, err error) {
	i := slices.IndexFunc(p.Inputs, func(n named) bool { return n.Name == input })
	if i < 0 {
		return nil, nil, missing(input)
	}
	b, err := p.buffer(&p.Inputs[i].Tensor)
	if err != nil {
		return nil, nil, err
	}
	at := (&execution{exact: true}).widened(b)
	for i := range at.Len() {
		v := at.Float64(i)
		step := 1e-6 * max(math.Abs(v), 0.01)
		at.SetFloat64(i, v-step)
		low, _, err := p.weighted(input, at)
		if err != nil {
			return nil, nil, err
		}
		at.SetFloat64(i, v+step)
		high, size, err := p.weighted(input, at)
		if err != nil {
			return nil, nil, err
		}
		at.SetFloat64(i, v)
		if v == 0 {
			size = 0
		} else {
			size /= math.Abs(v)
		}
		list, terms = append(list, (high-low)/(2*step)), append(terms, size)
	}
	return list, terms, nil
}

// weighted is the sum of outputs times cotangents, in f64, where an input has other elements, and the sum without
// signs.
func (p *Program) weighted(input string, at *buf.Buffer) (sum, size float64, err error) {
	x := newExecution(p, host.Device())
	x.exact, x.moved = true, map[string]*buf.Buffer{input: at}
	if err := x.compute(); err != nil {
		return 0, 0, err
	}
	for i := range p.GradOutputs {
		o := &p.GradOutputs[i]
		cotangent, err := p.buffer(&o.Tensor)
		if err != nil {
			return 0, 0, err
		}
		if x.env[o.Name] == nil {
			return 0, 0, missing(o.Name)
		}
		y, err := x.env[o.Name].Buffer(ctx)
		if err != nil {
			return 0, 0, err
		}
		for k := range y.Len() {
			sum += y.Float64(k) * cotangent.Float64(k)
			size += math.Abs(y.Float64(k) * cotangent.Float64(k))
		}
	}
	return sum, size, nil
}
