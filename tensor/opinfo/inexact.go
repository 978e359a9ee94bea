package opinfo

import (
	"encoding/json"
	"math"

	"github.com/go-acap/acap/tensor"
)

// operands returns the arguments of the operator as values: tensors by name.
func (a *answer) operands() []any {
	var args []any
	for _, raw := range a.op.Args {
		v, err := argument(raw, a.x.resolve)
		if err != nil {
			return nil
		}
		args = append(args, v)
	}
	return args
}

// number returns a numeric argument.
func number(raw json.RawMessage) (float64, bool) {
	v, err := argument(raw, nil)
	switch v := v.(type) {
	case int:
		return float64(v), err == nil
	case float64:
		return v, err == nil
	}
	return 0, false
}

// isOverflow judges remainders and rounded quotients: apart from where the quotient
// overflows they are the expected ones, and there the remainder is smaller than the
// divisor and the quotient infinite.
func (a *answer) isOverflow() bool {
	args := a.operands()
	if len(args) < 2 || !a.got.DType.IsFloat() {
		return false
	}
	quotient, err := tensor.Call("div.Tensor", args[:2]...)[0].Buffer(ctx)
	if err != nil || quotient.Len() != a.got.Len() {
		return false
	}
	divisor, ok := args[1].(*tensor.Tensor)
	if !ok {
		return false
	}
	limit, err := tensor.Call("expand", divisor, a.got.Shape)[0].Buffer(ctx)
	if err != nil {
		return false
	}
	remainder := a.op.Op == "aten.fmod.Tensor" || a.op.Op == "aten.remainder.Tensor"
	for i := range a.got.Len() {
		g, w, q := a.got.Float64(i), a.want.Float64(i), quotient.Float64(i)
		switch {
		case close64(g, w, a.rtol, a.atol):
		case !math.IsNaN(w) || !math.IsInf(q, 0):
			return false
		case remainder && !(math.Abs(g) < math.Abs(limit.Float64(i))), !remainder && !math.IsInf(g, 0):
			return false
		}
	}
	return true
}

// isLinspace judges integers: start + i·step from the nearer end, truncated, and no more
// than 1 from what is expected.
func (a *answer) isLinspace() bool {
	start, ok1 := number(a.op.Args[0])
	end, ok2 := number(a.op.Args[1])
	n := a.got.Len()
	if !ok1 || !ok2 || n < 2 || !a.got.DType.IsInt() {
		return false
	}
	start, end = math.Trunc(start), math.Trunc(end)
	step := (end - start) / float64(n-1)
	for i := range n {
		v := start + step*float64(i)
		if i >= n/2 {
			v = end - step*float64(n-1-i)
		}
		if a.got.Int64(i) != int64(v) || max(a.want.Int64(i)-int64(v), int64(v)-a.want.Int64(i)) > 1 {
			return false
		}
	}
	return true
}

// besselDefect bounds the error of PyTorch's polynomials.
const besselDefect = 4e-6

// isBessel judges a Bessel function by its integral (DLMF 10.9.2 and 10.9.7).
func (a *answer) isBessel() bool {
	self := a.self()
	kind, order := a.op.Op[len("aten.special_bessel_")], a.op.Op[len("aten.special_bessel_j")]-'0'
	if self == nil || self.Len() != a.got.Len() {
		return false
	}
	for i := range a.got.Len() {
		g, w, x := a.got.Float64(i), a.want.Float64(i), self.Float64(i)
		if close64(g, w, a.rtol, a.atol) {
			continue
		}
		if !(math.Abs(g-w) < besselDefect) ||
			!close64(g, besselIntegral(kind, int(order), x), a.rtol, a.atol) {
			return false
		}
	}
	return true
}

// besselIntegral is J (kind 'j') or Y (kind 'y') of order 0 or 1 at x.
func besselIntegral(kind byte, order int, x float64) float64 {
	n := float64(order)
	if kind == 'j' {
		return simpson(0, math.Pi, func(t float64) float64 { return math.Cos(x*math.Sin(t) - n*t) }) / math.Pi
	}
	if !(x > 0) {
		return math.NaN()
	}
	wave := simpson(0, math.Pi, func(t float64) float64 { return math.Sin(x*math.Sin(t) - n*t) })
	decay := simpson(0, math.Asinh(60/x), func(t float64) float64 {
		return (math.Exp(n*t) + math.Pow(-1, n)*math.Exp(-n*t)) * math.Exp(-x*math.Sinh(t))
	})
	return (wave - decay) / math.Pi
}

// simpson integrates f by Simpson's rule.
func simpson(from, to float64, f func(t float64) float64) float64 {
	const steps = 4000
	h := (to - from) / steps
	sum := f(from) + f(to)
	for i := 1; i < steps; i++ {
		sum += float64(2+2*(i%2)) * f(from+h*float64(i))
	}
	return sum * h / 3
}
