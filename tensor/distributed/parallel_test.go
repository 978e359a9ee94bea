package distributed_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/distributed"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

var ctx = context.Background()

// training is a run over a few epochs.
type training struct {
	device device.Device
	batch  int // of all ranks together
	parts  int // in which a rank computes its gradients
	set    func(p *distributed.Parallel)
	clip   float64                   // the greatest norm of the gathered gradients, 0 for no limit
	from   map[string]*tensor.Tensor // state to go on from, with the epoch
	epoch  int
	params [][]float32
}

func network() *nn.Sequence { return nn.Sequential(nn.NewLinear(2, 16), nn.Tanh, nn.NewLinear(16, 2)) }

// outcome is the state of a rank at the end.
type outcome struct {
	losses []float64
	params [][]float32
	state  map[string]*tensor.Tensor
}

// examples are points of the plane, labelled by a curve.
func examples() data.Arrays {
	x := tensor.Linspace(-1, 1, 64*2).Reshape([]int{64, 2})
	return data.NewArrays(x.Mul(x).Add(x.Sin()), x.Select(1, 0).Gt(tensor.Scalar(0.25)).ToDtype(dtype.I64))
}

// run trains on one rank.
func (r training) run(g *distributed.Group) (o outcome, err error) {
	net := network().To(r.device)
	params := net.Parameters()
	if g.Rank() == 0 { // the others have numbers of their own until they share
		for i, p := range r.params {
			params[i].Assign(tensor.FromSlice(p, params[i].Shape()...).To(r.device))
		}
	}
	inner := optim.NewAdam(0.05)
	opt, err := distributed.Data(ctx, params, inner, g)
	if err != nil {
		return o, err
	}
	if r.set != nil {
		r.set(opt)
	}
	if r.from != nil {
		own := map[string]*tensor.Tensor{} // an optimiser changes its state
		for name, s := range r.from {
			own[name] = s.Clone()
		}
		if err := opt.LoadState(own); err != nil {
			return o, err
		}
	}
	loader := g.Loader(data.NewLoader(examples(), r.batch))
	loader.Shuffle, loader.Device = true, r.device
	for range r.epoch {
		for _, err := range loader.Epoch(ctx) {
			if err != nil {
				return o, err
			}
		}
	}
	for range 3 {
		for b, err := range loader.Epoch(ctx) {
			if err != nil {
				return o, err
			}
			loss, err := r.step(net, params, opt, b)
			if err != nil {
				return o, err
			}
			o.losses = append(o.losses, g.AllReduce(tensor.FromSlice([]float64{loss}), distributed.Sum).Item()/
				float64(g.Size()))
		}
	}
	for _, p := range params {
		o.params = append(o.params, p.Float32s())
	}
	o.state = opt.State()
	return o, nil
}

// step computes gradients in parts, adds them up and steps.
func (r training) step(net *nn.Sequence, params []*tensor.Tensor, opt *distributed.Parallel, b data.Batch) (float64, error) {
	var sum optim.Accumulator
	total, n := 0.0, b[0].Size(0)/r.parts
	for k := range r.parts {
		loss := net.Forward(b[0].Narrow(0, k*n, n)).CrossEntropyLoss(b[1].Narrow(0, k*n, n))
		if err := sum.Add(ctx, tensor.Grad([]*tensor.Tensor{optim.Scaled(opt, loss)}, params, nil), loss); err != nil {
			return 0, err
		}
		total += loss.Item()
	}
	grads := sum.Mean()
	if r.clip > 0 {
		var err error
		if grads, err = optim.Gather(opt, params, grads); err != nil {
			return 0, err
		}
		grads, _ = optim.ClipNorm(grads, r.clip)
	}
	return total / float64(r.parts), opt.Step(ctx, params, grads)
}

// ranks runs a training on some ranks, whose parameters must be equal at the end.
func (r training) ranks(t *testing.T, n int) outcome {
	t.Helper()
	if r.parts == 0 {
		r.parts = 1
	}
	if r.device == nil {
		r.device = host.Device()
	}
	if r.params == nil {
		tensor.Seed(5)
		for _, p := range network().Parameters() {
			r.params = append(r.params, p.Float32s())
		}
	}
	all := make([]outcome, n)
	on(t, n, func(g *distributed.Group) error {
		o, err := r.run(g)
		all[g.Rank()] = o
		return err
	})
	for _, o := range all[1:] {
		require.Equal(t, all[0].params, o.params)
		require.Equal(t, all[0].losses, o.losses)
		require.Len(t, o.state, len(all[0].state))
	}
	return all[0]
}

// Two ranks with half a batch each do to the last bit what one does that adds up the gradients of
// both halves, and what one does with the whole batch but for rounding.
func TestRanksTrainAsOne(t *testing.T) {
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		two := training{device: dev, batch: 16}.ranks(t, 2)
		require.Equal(t, training{device: dev, batch: 16, parts: 2}.ranks(t, 1).params, two.params)
		whole := training{device: dev, batch: 16}.ranks(t, 1)
		for i, loss := range whole.losses {
			require.InDelta(t, loss, two.losses[i], 1e-4)
		}
		require.Less(t, two.losses[len(two.losses)-1], two.losses[0])
	}
}

// TestClippedRanks: the means over the ranks are clipped, and neither the gradients of a rank nor the gradients of a
// scaled loss.
func TestClippedRanks(t *testing.T) {
	want := training{batch: 16, parts: 2, clip: 0.1}.ranks(t, 1)
	require.NotEqual(t, training{batch: 16, parts: 2}.ranks(t, 1).params, want.params)
	for name, set := range map[string]func(p *distributed.Parallel){
		"plain":  func(*distributed.Parallel) {},
		"shard":  func(p *distributed.Parallel) { p.Shard = true },
		"scaler": func(p *distributed.Parallel) { p.Optimizer = optim.NewScaler(p.Optimizer) },
	} {
		got := training{batch: 16, clip: 0.1, set: set}.ranks(t, 2)
		require.Equal(t, want.params, got.params, name)
	}
	on(t, 2, func(g *distributed.Group) error {
		p := []*tensor.Tensor{tensor.Ones(2).RequiresGrad()}
		opt, err := distributed.Data(ctx, p, optim.NewAdam(0.1), g)
		require.NoError(t, err)
		grads, err := opt.Gather(p, []*tensor.Tensor{tensor.Ones(2)})
		require.NoError(t, err)
		_, err = opt.Gather(p, grads)
		require.EqualError(t, err, "distributed: gradients have been gathered since the last step")
		return opt.Step(ctx, p, grads)
	})
}

// Buckets, and the sharing of the optimiser's state, change nothing; another type on the wire little.
func TestOptions(t *testing.T) {
	want := training{batch: 12}.ranks(t, 3)
	for name, set := range map[string]func(p *distributed.Parallel){
		"buckets": func(p *distributed.Parallel) { p.BucketBytes = 1 },
		"shard":   func(p *distributed.Parallel) { p.Shard = true },
	} {
		got := training{batch: 12, set: set}.ranks(t, 3)
		require.Equal(t, want.params, got.params, name)
		require.Len(t, got.state, len(want.state), name)
		for key, s := range want.state {
			require.True(t, s.To(host.Device()).Eq(got.state[key].To(host.Device())).All().Item() == 1, "%s: %s", name, key)
		}
	}
	scaled := training{batch: 12, set: func(p *distributed.Parallel) { p.Optimizer = optim.NewScaler(p.Optimizer) }}.ranks(t, 3)
	require.Equal(t, want.params, scaled.params, "a scaler whose factors are powers of 2")
	narrow := training{batch: 12, set: func(p *distributed.Parallel) { p.Wire = dtype.BF16 }}.ranks(t, 3)
	require.NotEqual(t, want.params, narrow.params)
	last := len(want.losses) - 1
	require.InDelta(t, want.losses[last], narrow.losses[last], 0.05)
}

// TestShardedScaler: a scaler with a divided state is refused.
func TestShardedScaler(t *testing.T) {
	on(t, 2, func(g *distributed.Group) error {
		p := tensor.Ones(2).RequiresGrad()
		opt, err := distributed.Data(ctx, []*tensor.Tensor{p}, optim.NewScaler(optim.NewAdam(0.1)), g)
		require.NoError(t, err)
		opt.Shard = true
		require.ErrorContains(t, optim.Minimize(ctx, opt, []*tensor.Tensor{p}, p.Sum()), "Shard with a scaler")
		return nil
	})
}

// TestSkips: a step whose gradients are not finite on one rank is left out on all ranks, which say so.
func TestSkips(t *testing.T) {
	on(t, 2, func(g *distributed.Group) error {
		p := tensor.Ones(2).RequiresGrad()
		opt, err := distributed.Data(ctx, []*tensor.Tensor{p}, optim.NewScaler(&optim.SGD{LR: 1}), g)
		require.NoError(t, err)
		for step, factor := range []float64{1, math.Inf(1), 1} {
			if g.Rank() == 1 {
				factor = 1
			}
			require.NoError(t, optim.Minimize(ctx, opt, []*tensor.Tensor{p}, p.MulScalar(factor).Sum()))
			require.Equal(t, min(step, 1), optim.Skips(opt))
		}
		require.Equal(t, []float32{-1, -1}, p.Float32s())
		return nil
	})
}

// More ranks than parameters leave some without a share of the state.
func TestShardsOfFewParameters(t *testing.T) {
	want := training{batch: 12}.ranks(t, 6)
	got := training{batch: 12, set: func(p *distributed.Parallel) { p.Shard = true }}.ranks(t, 6)
	require.Equal(t, want.params, got.params)
}

// A run goes on, from the state that it left, on another number of ranks.
func TestResumeOnOtherRanks(t *testing.T) {
	shard := func(p *distributed.Parallel) { p.Shard = true }
	first := training{batch: 16, set: shard}.ranks(t, 2)
	onTwo := training{batch: 16, set: shard, from: first.state, params: first.params, epoch: 3}.ranks(t, 2)
	onFour := training{batch: 16, from: first.state, params: first.params, epoch: 3}.ranks(t, 4)
	for i, p := range onTwo.params {
		for k, v := range p {
			require.InDelta(t, v, onFour.params[i][k], 1e-4+1e-3*math.Abs(float64(v)))
		}
	}
}

// Ranks with other parameters are told before anything is added up.
func TestOtherParameters(t *testing.T) {
	err := distributed.Run(2, func(g *distributed.Group) error {
		p := tensor.Ones(2).RequiresGrad()
		opt, err := distributed.Data(ctx, []*tensor.Tensor{p}, &optim.SGD{LR: 0.1}, g)
		if err != nil {
			return err
		}
		grads := []*tensor.Tensor{tensor.Ones(2)}
		if g.Rank() == 1 {
			grads[0] = nil
		}
		return opt.Step(ctx, []*tensor.Tensor{p}, grads)
	})
	require.ErrorContains(t, err, "has another program than rank")
}

func ExampleData() {
	err := distributed.Run(2, func(g *distributed.Group) error {
		w := tensor.FromSlice([]float32{0}).RequiresGrad()
		params := []*tensor.Tensor{w}
		opt, err := distributed.Data(ctx, params, &optim.SGD{LR: 0.5}, g)
		if err != nil {
			return err
		}
		// Rank 0 pulls towards 1, rank 1 towards 3.
		goal := tensor.FromSlice([]float32{float32(1 + 2*g.Rank())})
		for range 20 {
			d := w.Sub(goal)
			if err := optim.Minimize(ctx, opt, params, d.Mul(d).Sum()); err != nil {
				return err
			}
		}
		if g.Rank() == 0 {
			fmt.Println(w)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// tensor([2.], requires_grad=True)
	// <nil>
}
