package nn_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/npy"
)

// caller is an imported model.
type caller interface {
	Forward(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error)
}

// called calls a model and reads what it returns.
func called(t *testing.T, m caller, inputs ...*tensor.Tensor) (all []*buf.Buffer) {
	t.Helper()
	results, err := m.Forward(inputs...)
	require.NoError(t, err)
	for _, r := range results {
		b, err := r.Buffer(context.Background())
		require.NoError(t, err)
		all = append(all, b)
	}
	return all
}

// callsAgain asserts that a model that has been called packs and compiles nothing when it is called again, and gives
// the same.
func callsAgain(t *testing.T, dev *acap.Array, m caller, inputs ...*tensor.Tensor) {
	t.Helper()
	first := called(t, m, inputs...)
	for range 2 {
		lazytest.NoRepacking(t, dev, func() {
			lazytest.Compiles(t, dev, 0, func() {
				for i, b := range called(t, m, inputs...) {
					require.Equal(t, first[i].Bytes(), b.Bytes())
				}
			})
		})
	}
}

// freshDevice has no programs yet.
func freshDevice(t *testing.T) *acap.Array {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return acap.New(m)
}

func weightsOf(n int) func(int) float64 {
	return func(i int) float64 { return float64((i*n)%29-14) / 64 }
}

// small models whose importer makes constants of its own: indices of a resize, both biases of a recurrence.
func resizing() []byte {
	var g graph
	g.input("x", elemF32, 1, 8, 6, 6)
	g.weight("w", weightsOf(3), 32, 8, 3, 3)
	g.weight("scales", func(i int) float64 { return []float64{1, 1, 1.5, 2}[i] }, 4)
	g.weight("v", weightsOf(5), 16, 32, 3, 3)
	g.node("Conv", []string{"x", "w"}, []string{"a"}, map[string]any{"pads": []int{1, 1, 1, 1}})
	g.node("Resize", []string{"a", "", "scales"}, []string{"b"}, map[string]any{"mode": "linear"})
	g.node("Conv", []string{"b", "v"}, []string{"y"}, map[string]any{"pads": []int{1, 1, 1, 1}})
	g.output("y", elemF32, 1, 16, 9, 12)
	return g.bytes()
}

func recurrent() []byte {
	var g graph
	g.input("x", elemF32, 5, 1, 24)
	g.weight("w", weightsOf(3), 1, 4*40, 24)
	g.weight("r", weightsOf(5), 1, 4*40, 40)
	g.weight("b", weightsOf(7), 1, 8*40)
	g.node("LSTM", []string{"x", "w", "r", "b"}, []string{"y", "h", "c"}, map[string]any{"hidden_size": 40})
	g.output("y", elemF32, 5, 1, 1, 40)
	g.output("h", elemF32, 1, 1, 40)
	g.output("c", elemF32, 1, 1, 40)
	return g.bytes()
}

// TestNoRepacking: the second call of an imported model has the constants of the first, so that what was computed from
// them stays.
func TestNoRepacking(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		dims []int
	}{"resize": {resizing(), []int{1, 8, 6, 6}}, "lstm": {recurrent(), []int{5, 1, 24}}} {
		t.Run(name, func(t *testing.T) {
			dev := freshDevice(t)
			m, err := nn.ReadONNX(c.file, name, dev)
			require.NoError(t, err)
			callsAgain(t, dev, m, tensor.Ones(c.dims...))
			if cpu.Detect().Level > cpu.Portable { // portable products read weights where they are
				require.Positive(t, lazy.For(dev).Metrics().Counters["PackedOperands"], "there are weights to pack")
			}
		})
	}
}

// TestNoRepackingOfFiles calls models of files: files of this repository, and files beside the checkout if there are
// any.
func TestNoRepackingOfFiles(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../cmd/acap/testdata/*/model.pt", "../../../shared/models/*/model.*"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file))+filepath.Ext(file), func(t *testing.T) {
			dev := freshDevice(t)
			var m caller
			var err error
			if strings.HasSuffix(file, ".onnx") {
				m, err = nn.LoadONNX(file, dev)
			} else {
				m, err = nn.LoadTorchScript(file, dev)
			}
			require.NoError(t, err)
			var inputs []*tensor.Tensor
			for i := 0; ; i++ {
				b, err := npy.ReadFile(filepath.Join(filepath.Dir(file), fmt.Sprintf("input_%d.npy", i)))
				if os.IsNotExist(err) {
					break
				}
				require.NoError(t, err)
				inputs = append(inputs, tensor.FromBuffer(b))
			}
			callsAgain(t, dev, m, inputs...)
		})
	}
}

// TestResultsReadOneByOne: the results of one call of a model, or of a recurrent layer, are computed in one program.
func TestResultsReadOneByOne(t *testing.T) {
	dev := freshDevice(t)
	m, err := nn.ReadONNX(recurrent(), "lstm", dev)
	require.NoError(t, err)
	layer := nn.NewLSTM(24, 40)
	nn.To(layer, dev)
	for name, call := range map[string]func() []*tensor.Tensor{
		"model": func() []*tensor.Tensor {
			results, err := m.Forward(tensor.Ones(5, 1, 24))
			require.NoError(t, err)
			return results
		},
		"layer": func() []*tensor.Tensor {
			y, after := layer.Run(tensor.Ones(1, 5, 24).To(dev), nil)
			return append([]*tensor.Tensor{y}, after...)
		},
	} {
		for range 2 {
			for first := range 3 {
				results := call()
				lazytest.Runs(t, dev, 1, func() {
					for i := range 3 {
						results[(first+i)%3].Float32s()
					}
				})
			}
		}
		require.NotEmpty(t, name)
	}
}
