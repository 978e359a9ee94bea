package opinfo

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// isRoundedOnce judges a result of a half type by the result of the same program in f64. An element is right if its
// distance from the f64 result is within the tolerance of the recorded result, or at most the largest distance of a
// recorded element.
func (a *answer) isRoundedOnce() bool {
	if !isHalf(a.want.DType) {
		return false
	}
	exact, err := a.x.p.exact(a.name, a.grad)
	if err != nil || !slices.Equal(exact.Shape, a.got.Shape) {
		return false
	}
	worst := 0.0
	for i := range a.want.Len() {
		worst = max(worst, math.Abs(a.want.Float64(i)-exact.Float64(i)))
	}
	for i := range a.got.Len() {
		g, e := a.got.Float64(i), exact.Float64(i)
		if !close64(g, e, a.rtol, a.atol) && !(math.Abs(g-e) <= worst) {
			return false
		}
	}
	return true
}

func isHalf(d dtype.DType) bool { return d == dtype.F16 || d == dtype.BF16 }

func isNarrow(d dtype.DType) bool { return isHalf(d) || d == dtype.F32 }

// uses reports whether one of the operators is in the program.
func (p *Program) uses(operators []string) bool {
	for i := range p.Ops {
		if op := ops.Lookup(p.Ops[i].Op); op != nil && slices.Contains(operators, op.Name()) {
			return true
		}
	}
	return false
}

// exact computes a value, or the gradient of one, in f64 where the program has narrower types.
func (p *Program) exact(name string, grad bool) (*buf.Buffer, error) {
	x := newExecution(p, host.Device())
	x.exact = true
	if err := x.compute(); err != nil {
		return nil, err
	}
	if !grad {
		return x.env[name].Buffer(ctx)
	}
	gradients, err := x.gradients()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(p.Grads, func(g named) bool { return g.Name == name })
	return gradients[i].Buffer(ctx)
}

// widened returns b in f64 if the program is computed exactly and b has a narrower type.
func (x *execution) widened(b *buf.Buffer) *buf.Buffer {
	if !x.exact || !isNarrow(b.DType) {
		return b
	}
	wide := buf.New(dtype.F64, b.Shape)
	for i := range b.Len() {
		wide.SetFloat64(i, b.Float64(i))
	}
	return wide
}

// argument decodes an argument.
func (x *execution) argument(raw []byte) (any, error) {
	v, err := argument(raw, x.resolve)
	if d, ok := v.(dtype.DType); ok && x.exact && isNarrow(d) {
		v = dtype.F64
	}
	return v, err
}

// gradients computes those that the program records.
func (x *execution) gradients() ([]*tensor.Tensor, error) {
	var outs, cots, ins []*tensor.Tensor
	for i := range x.p.GradOutputs {
		o := &x.p.GradOutputs[i]
		b, err := x.p.buffer(&o.Tensor)
		if err != nil {
			return nil, err
		}
		if x.env[o.Name] == nil {
			return nil, missing(o.Name)
		}
		outs = append(outs, x.env[o.Name])
		cots = append(cots, tensor.FromBuffer(x.widened(b)).To(x.dev))
	}
	for i := range x.p.Grads {
		ins = append(ins, x.env[x.p.Grads[i].Name])
	}
	if !slices.ContainsFunc(outs, (*tensor.Tensor).NeedsGrad) { // results that depend on no input, as x⁰
		for i, in := range ins {
			ins[i] = tensor.Call("zeros_like", in)[0]
		}
		return ins, nil
	}
	return tensor.Grad(outs, ins, cots), nil
}
