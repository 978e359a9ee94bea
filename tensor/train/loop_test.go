package train_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
	"github.com/go-acap/acap/tensor/train"
	"github.com/go-acap/acap/tensor/train/trainplot"
)

var ctx = context.Background()

// line is a run that fits y = 2x + 1.
func line() *train.Loop {
	tensor.Seed(1)
	x := tensor.Linspace(-1, 1, 32).View([]int{32, 1})
	net := nn.Sequential(nn.NewLinear(1, 8), nn.NewDropout(0.1), nn.NewLinear(8, 1)).To(acap.Device())
	loader := data.NewLoader(data.NewArrays(x, x.MulScalar(2).AddScalar(1)), 8)
	loader.Shuffle, loader.Device = true, acap.Device()
	return &train.Loop{Model: net, Loader: loader, Epochs: 4, Optimizer: optim.NewAdam(0.02), ClipNorm: 5,
		Loss: func(b data.Batch) *tensor.Tensor { return net.Forward(b[0]).MSELoss(b[1]) }}
}

func TestLoop(t *testing.T) {
	l := line()
	var progress, lines, table bytes.Buffer
	var h trainplot.History
	path := filepath.Join(t.TempDir(), "run.svg")
	l.Observers = []train.Observer{train.Progress(&progress), train.JSONLines(&lines), train.CSV(&table), h.Observe, trainplot.Plot(path)}
	dropout := l.Model.(*nn.Sequence).Modules()[1].(*nn.Dropout)
	l.Evaluate = func(context.Context) (map[string]float64, error) {
		require.False(t, dropout.Training)
		return map[string]float64{"accuracy": 0.5}, nil
	}
	require.NoError(t, l.Run(ctx))
	require.True(t, dropout.Training)
	require.Equal(t, 16, l.Steps())
	losses := h.Values("loss")
	require.Len(t, losses, 16)
	require.Less(t, losses[15], losses[0])
	require.Regexp(t, `^trains 4 tensors\nepoch 1 of 4  loss \d.*  accuracy 0.5  .*s\n`, progress.String())
	require.Equal(t, 5, strings.Count(progress.String(), "\n"))
	all := strings.Split(strings.TrimSpace(lines.String()), "\n")
	require.Len(t, all, 20)
	var last map[string]float64
	require.NoError(t, json.Unmarshal([]byte(all[19]), &last))
	require.Equal(t, []float64{16, 3, 0.5}, []float64{last["step"], last["epoch"], last["accuracy"]})
	require.True(t, strings.HasPrefix(table.String(), "step,epoch,name,value\n1,0,loss,"))
	require.Contains(t, table.String(), "\n4,0,accuracy,0.5\n")
	drawing, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(drawing), "accuracy")
	require.Contains(t, h.SimpleRender()["image/svg+xml"], "<svg")
	require.Error(t, h.WriteFile(filepath.Join(t.TempDir(), "run.what")))
}

// scaled is a layer of one's own, one of whose tensors was made without RequiresGrad.
type scaled struct {
	Scale, Shift *tensor.Tensor
}

// TestUntrainedTensors: the first record, and the first line of Progress, name the tensors that no step changes.
func TestUntrainedTensors(t *testing.T) {
	l, net := line(), &scaled{tensor.Ones(1), tensor.Zeros(1).RequiresGrad()}
	var progress bytes.Buffer
	var records []train.Record
	nn.To(net, acap.Device())
	l.Model, l.Epochs = net, 1
	l.Loss = func(b data.Batch) *tensor.Tensor { return b[0].Mul(net.Scale).Add(net.Shift).MSELoss(b[1]) }
	l.Observers = []train.Observer{train.Progress(&progress), func(r train.Record) error {
		records = append(records, r)
		return nil
	}}
	require.NoError(t, l.Run(ctx))
	require.True(t, strings.HasPrefix(progress.String(), "trains 1 tensors; 1 without RequiresGrad are not trained: scale\n"), progress.String())
	require.Equal(t, []string{"shift"}, records[0].Trained)
	require.Equal(t, []string{"scale"}, records[0].Kept)
	require.Nil(t, records[1].Trained)
	require.Equal(t, []float32{1}, net.Scale.Float32s())
}

// A run that is stopped in an epoch, and gone on with by another loop, ends where an
// uninterrupted one does.
func TestLoopResumes(t *testing.T) {
	weights := func(l *train.Loop) []float32 { return nn.Parameters(l.Model)[0].Float32s() }
	whole := line()
	require.NoError(t, whole.Run(ctx))
	run := &nn.Checkpoints{Dir: t.TempDir(), Keep: 1}
	first := line()
	first.Checkpoints, first.SaveEvery = run, 3
	stop := errors.New("enough")
	first.Observers = []train.Observer{func(r train.Record) error {
		if r.Step == 7 {
			return stop
		}
		return nil
	}}
	require.ErrorIs(t, first.Run(ctx), stop)
	second := line()
	second.Checkpoints = run
	require.NoError(t, second.Run(ctx))
	require.Equal(t, 16, second.Steps())
	require.Equal(t, weights(whole), weights(second))
	require.NoError(t, second.Run(ctx), "nothing is left to do")
	require.Equal(t, 16, second.Steps())
}

// TestLossThatOverflows: a step whose loss is too large for f16 is left out by a scaler, which halves its factor, as
// PyTorch's GradScaler does, and the run goes on; the observers see that loss.
func TestLossThatOverflows(t *testing.T) {
	l := line()
	scaler := optim.NewScaler(l.Optimizer)
	l.Optimizer = scaler
	good, calls := l.Loss, 0
	l.Loss = func(b data.Batch) *tensor.Tensor {
		if calls++; calls == 3 {
			return good(b).MulScalar(1e30).ToDtype(dtype.F16)
		}
		return good(b)
	}
	var losses []float64
	l.Observers = []train.Observer{func(r train.Record) error {
		if !r.EndOfEpoch {
			losses = append(losses, r.Values["loss"])
		}
		return nil
	}}
	require.NoError(t, l.Run(ctx))
	require.Equal(t, 16, l.Steps())
	require.Equal(t, []any{1, 32768.0}, []any{scaler.Skipped, scaler.Factor})
	require.True(t, math.IsInf(losses[2], 1))
	require.Less(t, losses[15], losses[0])
}

func TestLoopErrors(t *testing.T) {
	require.ErrorContains(t, (&train.Loop{}).Run(ctx), "needs a model")
	for want, set := range map[string]func(l *train.Loop){
		"Epochs is 0, want at least 1":    func(l *train.Loop) { l.Epochs = 0 },
		"ClipNorm is NaN, want":           func(l *train.Loop) { l.ClipNorm = math.NaN() },
		"ClipNorm is -1, want":            func(l *train.Loop) { l.ClipNorm = -1 },
		"SaveEvery is -1, want":           func(l *train.Loop) { l.SaveEvery = -1 },
		"SaveEvery is 3, and Checkpoints": func(l *train.Loop) { l.SaveEvery = 3 },
		"observer 1 is nil":               func(l *train.Loop) { l.Observers = []train.Observer{train.Progress(io.Discard), nil} },
	} {
		l := line()
		set(l)
		require.ErrorContains(t, l.Run(ctx), want)
		require.Zero(t, l.Steps())
	}
	l := line()
	l.Loss = func(b data.Batch) *tensor.Tensor { return b[0].Sum() }
	require.ErrorContains(t, l.Run(ctx), "loop_test.go:169: grad: no output depends")
	l = line()
	good := l.Loss
	l.Loss = func(b data.Batch) *tensor.Tensor { return good(b).MulScalar(math.Inf(1)) }
	require.ErrorIs(t, l.Run(ctx), train.ErrDiverged)
	l = line()
	l.Loader = data.NewLoader(data.Arrays(nil), 1)
	require.ErrorContains(t, l.Run(ctx), "no batches")
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, line().Run(stopped), context.Canceled)
	l = line()
	l.Evaluate = func(context.Context) (map[string]float64, error) { return nil, errors.New("no data") }
	require.EqualError(t, l.Run(ctx), "no data")
}

func ExampleLoop() {
	tensor.Seed(1)
	x := tensor.Linspace(-1, 1, 64).View([]int{64, 1})
	net := nn.NewLinear(1, 1)
	loop := &train.Loop{Model: net, Epochs: 30, Optimizer: &optim.SGD{LR: 0.1, Momentum: 0.9},
		Loader: data.NewLoader(data.NewArrays(x, x.MulScalar(3)), 16),
		Loss:   func(b data.Batch) *tensor.Tensor { return net.Forward(b[0]).MSELoss(b[1]) }}
	if err := loop.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.2f\n", net.Weight.Item())
	// Output: 3.00
}

// TestLoopScales: a scaler in a loop, whose factor is a power of 2, changes nothing: the loss is scaled, and gradients
// are clipped when they have been unscaled.
func TestLoopScales(t *testing.T) {
	var all [2][][]float32
	for i := range all {
		l := line()
		l.ClipNorm, l.Optimizer = 0.5, &optim.SGD{LR: 0.1}
		if i == 1 {
			l.Optimizer = optim.NewScaler(l.Optimizer)
		}
		require.NoError(t, l.Run(ctx))
		for _, p := range nn.Parameters(l.Model) {
			all[i] = append(all[i], p.Float32s())
		}
	}
	for k, want := range all[0] {
		require.InDeltaSlice(t, want, all[1][k], 1e-5, k)
	}
}
