package train_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
	"github.com/go-acap/acap/tensor/train"
)

// small is a run of 2 epochs of 3 steps on one weight, whose gradient is 3.
func small() (*train.Loop, *nn.Linear) {
	net := nn.NewLinear(1, 1).NoBias()
	net.Weight.Assign(tensor.Ones(1, 1))
	loader := data.NewLoader(data.NewArrays(tensor.FullLike(3, tensor.Ones(1).DType(), 6, 1)), 2)
	return &train.Loop{Model: net, Loader: loader, Epochs: 2, Optimizer: &optim.SGD{LR: 0.5},
		Loss: func(b data.Batch) *tensor.Tensor { return net.Forward(b[0]).Mean() }}, net
}

// TestRecords: observers are told of each step, with its number in all epochs and in its own, and of each epoch.
func TestRecords(t *testing.T) {
	l, net := small()
	l.Evaluate = func(context.Context) (map[string]float64, error) { return map[string]float64{"accuracy": 0.5}, nil }
	var list []train.Record
	l.Observers = []train.Observer{func(r train.Record) error { list = append(list, r); return nil }}
	require.NoError(t, l.Run(ctx))
	require.Len(t, list, 8)
	step, w := 0, 1.0
	for i, r := range list {
		epoch, at := i/4, i%4
		require.Equal(t, at == 3, r.EndOfEpoch)
		require.Equal(t, []int{epoch, 2, min(at+1, 3), 3}, []int{r.Epoch, r.Epochs, r.Batch, r.Batches}, "record %d", i)
		require.GreaterOrEqual(t, r.Took, time.Duration(0))
		if r.EndOfEpoch {
			require.Equal(t, map[string]float64{"accuracy": 0.5}, r.Values)
		} else {
			step++
			require.InDelta(t, 3*w, r.Values["loss"], 1e-6)
			w -= 0.5 * 3
		}
		require.Equal(t, step, r.Step)
	}
	require.InDelta(t, w, net.Weight.Item(), 1e-6)
	require.Equal(t, 6, l.Steps())
}

// TestClipInLoop: gradients are limited to the norm, and with 0 they are not.
func TestClipInLoop(t *testing.T) {
	for limit, moved := range map[float64]float64{0: 1.5, 100: 1.5, 1: 0.5} {
		l, net := small()
		l.ClipNorm, l.Epochs = limit, 1
		require.NoError(t, l.Run(ctx))
		require.InDelta(t, 1-3*moved, net.Weight.Item(), 1e-5, "norm %v", limit)
	}
}

// TestSavedSteps: a checkpoint is written after each epoch, and after a number of steps if that is asked for.
func TestSavedSteps(t *testing.T) {
	for every, want := range map[int]int{0: 2, 2: 4, 3: 2, 4: 3, 1: 6} {
		l, _ := small()
		l.Checkpoints, l.SaveEvery = &nn.Checkpoints{Dir: t.TempDir(), Keep: 100}, every
		require.NoError(t, l.Run(ctx))
		files, err := os.ReadDir(l.Checkpoints.Dir)
		require.NoError(t, err)
		require.Len(t, files, want, "every %d", every)
	}
}
