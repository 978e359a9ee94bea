package optim_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	stack "runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
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
	if dev != device.Device(host.Device()) {
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
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
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
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		opt := optim.NewAdam(0)
		got := descend(t, dev, opt, func(step int) { opt.LR = rateAt(step) })
		require.InDeltaSlice(t, want, got, 1e-12, dev.Name())
	}
}

func TestLAMB(t *testing.T) {
	const decay = 0.1
	want := append([]float64(nil), start...)
	m, v, r := make([]float64, len(want)), make([]float64, len(want)), make([]float64, len(want))
	for step := range 8 {
		n := float64(step + 1)
		for i, p := range want {
			g := p - target[i]
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			r[i] = m[i]/(1-math.Pow(0.9, n))/(math.Sqrt(v[i]/(1-math.Pow(0.999, n)))+1e-6) + decay*p
		}
		ratio := floats.Norm(want, 2) / floats.Norm(r, 2)
		floats.AddScaled(want, -rateAt(step)*ratio, r)
	}
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		opt := optim.NewLAMB(0, decay)
		got := descend(t, dev, opt, func(step int) { opt.LR = rateAt(step) })
		require.InDeltaSlice(t, want, got, 1e-12, dev.Name())
	}
	// Without a length the step is Adam's.
	p := tensor.Zeros(2).RequiresGrad()
	params := []*tensor.Tensor{p}
	require.NoError(t, optim.NewLAMB(0.5, 0).Step(context.Background(), params, []*tensor.Tensor{tensor.Of([]float32{1, -2})}))
	require.InDeltaSlice(t, []float64{-0.5, 0.5}, p.Float64s(), 1e-5)
}

// TestLAMBOfHalves: lengths are added up in float32, where the squares of halves would be infinite; parameters stay
// halves.
func TestLAMBOfHalves(t *testing.T) {
	for _, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.F32} {
		p := tensor.FullLike(300, d, 64).RequiresGrad()
		opt := optim.NewLAMB(0.01, 0)
		require.NoError(t, opt.Step(context.Background(), []*tensor.Tensor{p}, []*tensor.Tensor{tensor.FullLike(1, d, 64)}))
		require.Equal(t, d, p.DType())
		require.InDelta(t, 300-0.01*300, p.Float64s()[0], 2, "%v: the step is a hundredth of the length", d)
		for name, s := range opt.State() {
			require.True(t, s.DType() == d || s.DType() == dtype.I64, name)
		}
	}
}

// What would train nothing, or not what was meant, is an error.
func TestMisuse(t *testing.T) {
	one := tensor.Of([]float64{1})
	p, other := tensor.Of([]float64{1}).RequiresGrad(), tensor.Of([]float64{1}).RequiresGrad()
	step := func(opt optim.Optimizer, params []*tensor.Tensor, grads ...*tensor.Tensor) func() {
		return func() { _ = opt.Step(context.Background(), params, grads) }
	}
	sgd := &optim.SGD{LR: 1}
	grouped := &optim.SGD{Settings: optim.Settings{Groups: []optim.Group{{Parameters: []*tensor.Tensor{other}}}}}
	for want, f := range map[string]func(){
		"0 gradients for 1 parameters":         step(sgd, []*tensor.Tensor{p}),
		"all gradients are nil":                step(sgd, []*tensor.Tensor{p}, nil),
		"no parameters":                        step(sgd, nil),
		"parameters 0 and 1 are the same":      step(sgd, []*tensor.Tensor{p, p}, one, one),
		"tensor 0 of group 0 is none of":       step(grouped, []*tensor.Tensor{p}, one),
		"has the shape [2], its parameter [1]": step(sgd, []*tensor.Tensor{p}, tensor.Zeros(2)),
		"depends on any of":                    func() { _ = optim.Minimize(context.Background(), sgd, []*tensor.Tensor{p}, other.Sum()) },
		"RequiresGrad comes before":            func() { one.Sum().Backward() },
	} {
		err := tensor.Try(f)
		var wrong *tensor.ArgError
		require.ErrorAs(t, err, &wrong, want)
		require.ErrorContains(t, err, want)
		require.Equal(t, 1.0, p.Item())
	}
}

// What ran last can be asked for, training steps included, and gradients count for the
// line of the call that they differentiate.
func TestLastRun(t *testing.T) {
	m, err := machine.Load("vek280")
	require.NoError(t, err)
	dev := acap.New(m) // which nothing has run on
	runtime := lazy.For(dev)
	_, ok := runtime.LastRun()
	require.False(t, ok)
	require.Nil(t, runtime.LastReport())
	var seen []lazy.Run
	stop := runtime.OnRun(func(r lazy.Run) { seen = append(seen, r) })
	w, x := tensor.Ones(8, 8).To(dev).RequiresGrad(), tensor.Ones(4, 8).To(dev)
	train := func() {
		_, file, line, _ := stack.Caller(0)
		loss := x.MatMul(w).Tanh().Sum() // the line after
		require.NoError(t, optim.Minimize(context.Background(), &optim.SGD{LR: 0.1}, []*tensor.Tensor{w}, loss))
		run, ok := runtime.LastRun()
		require.True(t, ok)
		lines := run.Lines()
		require.Greater(t, lines[fmt.Sprintf("%s:%d", filepath.Base(file), line+1)], 4, "the forward calls and their gradients: %v", lines)
		require.Greater(t, run.Calls(), 6)
		require.Positive(t, run.Took)
		report := runtime.LastReport()
		require.Positive(t, report.Total().Seconds)
		for _, k := range report.Kernels {
			require.NotEmpty(t, k.Locations, k.Name)
		}
	}
	train()
	require.Len(t, seen, 1)
	stop()
	stop()
	train()
	require.Len(t, seen, 1)
}
