package optim_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

var (
	start  = []float64{1, -2, 0.5, 3}
	target = []float64{0.25, 1, -1, 2.5}
)

// descend minimizes sum (p-target)²/2, whose gradient is p-target, and changes
// the rate after half of the steps. It returns the parameter.
func descend(t *testing.T, dev device.Device, opt optim.Optimizer, rate func(step int)) []float64 {
	p := tensor.Of(start).To(dev).RequiresGrad()
	idle := tensor.Of([]float64{7}).To(dev).RequiresGrad()
	want := tensor.Of(target).To(dev)
	params := []*tensor.Tensor{p, idle}
	compiled := 0
	for step := range 8 {
		rate(step)
		d := p.Sub(want)
		loss := d.Mul(d).Sum().MulScalar(0.5)
		grads := tensor.Grad([]*tensor.Tensor{loss}, params, nil)
		require.Nil(t, grads[1])
		require.NoError(t, opt.Step(context.Background(), params, grads, loss))
		require.False(t, loss.Pending())
		require.False(t, p.Pending())
		if step == 0 {
			compiled = lazy.For(dev).Metrics().CompiledPrograms
		}
	}
	if dev != device.Device(host.Device) {
		require.Equal(t, compiled, lazy.For(dev).Metrics().CompiledPrograms, "one program for all steps")
	}
	require.Equal(t, []float64{7}, idle.Float64s())
	return p.Float64s()
}

func rateAt(step int) float64 {
	if step < 4 {
		return 0.1
	}
	return 0.03
}

func TestSGD(t *testing.T) {
	want := append([]float64(nil), start...)
	for step := range 8 {
		for i := range want {
			want[i] -= rateAt(step) * (want[i] - target[i])
		}
	}
	for _, dev := range []device.Device{host.Device, acap.Device()} {
		opt := &optim.SGD{}
		got := descend(t, dev, opt, func(step int) { opt.LR = rateAt(step) })
		require.InDeltaSlice(t, want, got, 1e-12, dev.Name())
	}
}

func TestAdam(t *testing.T) {
	want := append([]float64(nil), start...)
	m, v := make([]float64, len(want)), make([]float64, len(want))
	for step := range 8 {
		n := float64(step + 1)
		for i, p := range want {
			g := p - target[i]
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			mean, sqr := m[i]/(1-math.Pow(0.9, n)), v[i]/(1-math.Pow(0.999, n))
			want[i] = p - rateAt(step)*mean/(math.Sqrt(sqr)+1e-8)
		}
	}
	for _, dev := range []device.Device{host.Device, acap.Device()} {
		opt := optim.NewAdam(0)
		got := descend(t, dev, opt, func(step int) { opt.LR = rateAt(step) })
		require.InDeltaSlice(t, want, got, 1e-12, dev.Name())
	}
}

func TestMisuse(t *testing.T) {
	p := tensor.Of(start).RequiresGrad()
	err := tensor.Try(func() {
		_ = (&optim.SGD{LR: 1}).Step(context.Background(), []*tensor.Tensor{p}, nil)
	})
	var wrong *tensor.ArgError
	require.ErrorAs(t, err, &wrong)
}
