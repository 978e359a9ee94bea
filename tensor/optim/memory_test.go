package optim_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// training is a loop on one parameter that each step changes by a fixed amount: its
// value tells the step.
type training struct {
	t   *testing.T
	opt optim.Optimizer
	p   *tensor.Tensor
}

const elements = 1000

// newTraining has done two steps, after which memory is recycled: the first replaces
// a tensor that was made by hand.
func newTraining(t *testing.T) *training {
	p := tensor.Ones(elements).To(acap.Device()).RequiresGrad()
	tr := &training{t, &optim.SGD{LR: 1}, p}
	tr.step(2)
	return tr
}

// step does n steps, each of which adds 1 to every element.
func (tr *training) step(n int) {
	for range n {
		loss := tr.p.Neg().Sum()
		grads := tensor.Grad([]*tensor.Tensor{loss}, []*tensor.Tensor{tr.p}, nil)
		require.NoError(tr.t, tr.opt.Step(context.Background(), []*tensor.Tensor{tr.p}, grads, loss))
	}
}

// old returns a handle of the parameter's present value, which steps do not change.
func (tr *training) old() *tensor.Tensor { return tensor.FromTrace(tr.p.Trace()) }

func requireRecycled(t *testing.T, read func()) {
	t.Helper()
	err := tensor.Try(read)
	var gone *lazy.RecycledError
	require.ErrorAs(t, err, &gone)
	require.ErrorContains(t, err, "memory_test.go")
}

func TestOldParameterIsGoneAfterTwoSteps(t *testing.T) {
	tr := newTraining(t)
	first := tr.old()
	tr.step(1)
	second := tr.old()
	tr.step(1)
	requireRecycled(t, func() { first.Float32s() })
	requireRecycled(t, func() { first.RequiresGrad() })
	requireRecycled(t, func() { first.Neg().Float32s() })
	require.Equal(t, float32(4), second.Float32s()[0])
	require.Equal(t, float32(5), tr.p.Float32s()[0])
	tr.step(3)
	require.Equal(t, float32(4), second.Float32s()[0], "what was read stays")
}

// A value that a program computed on the way can be computed again for one step.
func TestValueOnTheWay(t *testing.T) {
	tr := newTraining(t)
	twice := tr.p.MulScalar(2)
	loss := twice.MulScalar(-0.5).Sum()
	grads := tensor.Grad([]*tensor.Tensor{loss}, []*tensor.Tensor{tr.p}, nil)
	require.NoError(t, tr.opt.Step(context.Background(), []*tensor.Tensor{tr.p}, grads, loss))
	other := twice.Neg()
	require.Equal(t, float32(6), twice.Float32s()[0])
	tr.step(1)
	require.Equal(t, float32(-6), other.Float32s()[0])
	late := tr.p.Neg()
	require.NoError(t, tensor.Sync(context.Background(), late.Neg()))
	tr.step(2)
	requireRecycled(t, func() { late.Float32s() })
}

// What keeps an old value for good.
func TestKeptValues(t *testing.T) {
	for name, keep := range map[string]func(p *tensor.Tensor) func() float32{
		"pending": func(p *tensor.Tensor) func() float32 {
			c := p.Clone()
			return func() float32 { return c.Float32s()[0] }
		},
		"slice": func(p *tensor.Tensor) func() float32 {
			s := tensor.Data[float32](p)
			return func() float32 { return s[0] }
		},
		"device": func(p *tensor.Tensor) func() float32 {
			c := p.Cpu()
			return func() float32 { return c.Float32s()[0] }
		},
		"synced": func(p *tensor.Tensor) func() float32 {
			c := p.Clone()
			require.NoError(t, tensor.Sync(context.Background(), c))
			return func() float32 { return c.Float32s()[0] }
		},
		"inputs": func(p *tensor.Tensor) func() float32 {
			b := lazy.Inputs(p.Neg())[0]
			return func() float32 { return float32(b.Float64(0)) }
		},
	} {
		tr := newTraining(t)
		read := keep(tr.p)
		tr.step(4)
		require.Equal(t, float32(3), read(), name)
		require.Equal(t, float32(7), tr.p.Float32s()[0], name)
	}
}

// A detached handle is a view: it follows the parameter, as in PyTorch.
func TestViewFollows(t *testing.T) {
	tr := newTraining(t)
	v := tr.p.Detach()
	tr.step(3)
	require.Equal(t, float32(6), v.Float32s()[0])
}

// A step that fails leaves the parameters' memory alone.
func TestFailedStep(t *testing.T) {
	tr := newTraining(t)
	before := tr.old()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := tensor.Rand(3, 3).To(acap.Device())
	grads := tensor.Grad([]*tensor.Tensor{tr.p.Neg().Sum()}, []*tensor.Tensor{tr.p}, nil)
	// An operator of the host makes the program check its context.
	err := tr.opt.Step(ctx, []*tensor.Tensor{tr.p}, grads, tensor.Call("_linalg_svd", x)[1])
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, float32(3), tr.p.Float32s()[0], "nothing has changed")
	require.True(t, tr.p.IsParameter())
	tr.step(1) // the same step again
	require.Equal(t, float32(4), tr.p.Float32s()[0])
	require.Equal(t, float32(3), before.Float32s()[0])
}

// In steady state a step allocates its trace and not its parameters.
func TestStepsReuseMemory(t *testing.T) {
	for name, opt := range map[string]optim.Optimizer{"sgd": &optim.SGD{LR: 1}, "adam": optim.NewAdam(1)} {
		const n = 1 << 20
		p := tensor.Ones(n).To(acap.Device()).RequiresGrad()
		step := func() {
			loss := p.Neg().Sum()
			grads := tensor.Grad([]*tensor.Tensor{loss}, []*tensor.Tensor{p}, nil)
			require.NoError(t, opt.Step(context.Background(), []*tensor.Tensor{p}, grads, loss))
		}
		for range 4 {
			step()
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const steps = 10
		for range steps {
			step()
		}
		runtime.ReadMemStats(&after)
		require.Less(t, (after.TotalAlloc-before.TotalAlloc)/steps, uint64(n), name)
	}
}

// Goroutines that look at the parameters while they are trained see the values of one
// step, or are told that they came too late.
func TestReadersDuringTraining(t *testing.T) {
	tr := newTraining(t)
	values := make(chan *tensor.Tensor, 4)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for old := range values {
				var got []float32
				err := tensor.Try(func() { got = old.Neg().Sub(old).Float32s() })
				var gone *lazy.RecycledError
				if err != nil && !errors.As(err, &gone) {
					panic(err)
				}
				for _, v := range got {
					if v != got[0] {
						panic("values of two steps")
					}
				}
			}
		})
	}
	for range 100 {
		values <- tr.old()
		tr.step(1)
	}
	close(values)
	wg.Wait()
	require.Equal(t, float32(103), tr.p.Float32s()[0])
}
