package nn_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/npy"
)

// nodeTests returns the files of ONNX's node tests by the test's name.
func nodeTests(t *testing.T) (names []string, files map[string]map[string][]byte) {
	return modelFiles(t, "onnx/nodes.tar.gz")
}

// modelFiles returns the files of an archive by the folder.
func modelFiles(t *testing.T, archive string) (names []string, files map[string]map[string][]byte) {
	file, err := os.Open(path.Join("testdata", archive))
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	files = map[string]map[string][]byte{}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			return names, files
		}
		require.NoError(t, err)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		dir, base := path.Split(h.Name)
		dir = path.Clean(dir)
		if files[dir] == nil {
			files[dir] = map[string][]byte{}
			names = append(names, dir)
		}
		files[dir][base], err = io.ReadAll(r)
		require.NoError(t, err)
	}
}

// TestONNXNodes runs ONNX's own tests of its operators on the array.
func TestONNXNodes(t *testing.T) {
	names, files := nodeTests(t)
	require.Len(t, names, 807)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			model, err := nn.ReadONNX(files[name]["model.onnx"], "model.onnx", acap.Device())
			require.NoError(t, err)
			read := func(kind string, i int) *buf.Buffer {
				data, ok := files[name][fmt.Sprintf("%s_%d.npy", kind, i)]
				if !ok {
					return nil
				}
				b, err := npy.Read(bytes.NewReader(data))
				require.NoError(t, err)
				return b
			}
			var inputs []*tensor.Tensor
			for b := read("input", 0); b != nil; b = read("input", len(inputs)) {
				inputs = append(inputs, tensor.FromBuffer(b))
			}
			for range 2 { // the second call records what the first has recorded
				results, err := model.Forward(inputs...)
				require.NoError(t, err)
				require.NotEmpty(t, results)
				for i, r := range results {
					got, err := r.Buffer(context.Background())
					require.NoError(t, err)
					want := read("output", i)
					require.NotNil(t, want)
					sameElements(t, want, got)
				}
			}
		})
	}
}

// sameElements compares with the tolerances of ONNX's test runner: 1e-3 of the value and 1e-7.
func sameElements(t *testing.T, want, got *buf.Buffer) {
	t.Helper()
	require.Equal(t, want.DType, got.DType)
	require.Equal(t, fmt.Sprint(want.Shape), fmt.Sprint(got.Shape))
	for i := range want.Len() {
		w, g := want.Float64(i), got.Float64(i)
		if w == g || math.IsNaN(w) && math.IsNaN(g) {
			continue
		}
		if !want.DType.IsFloat() || !(math.Abs(w-g) <= 1e-7+1e-3*math.Abs(w)) {
			assert.Failf(t, "differs", "element %d is %v, not %v", i, g, w)
			return
		}
	}
}

// TestONNXRandom draws on the array: the numbers follow their distributions, and each run draws
// others.
func TestONNXRandom(t *testing.T) {
	model, err := nn.LoadONNX("testdata/onnx/random.onnx", acap.Device())
	require.NoError(t, err)
	quarter := make([]float32, 4096)
	for i := range quarter {
		quarter[i] = 0.25
	}
	draw := func() (uniform, coins []float32) {
		results, err := model.Forward(tensor.FromSlice(quarter, 4096))
		require.NoError(t, err)
		return tensor.Data[float32](results[0]), tensor.Data[float32](results[1])
	}
	mean := func(list []float32) float64 {
		sum := 0.0
		for _, v := range list {
			sum += float64(v)
		}
		return sum / float64(len(list))
	}
	uniform, coins := draw()
	for i, v := range uniform {
		require.True(t, v >= -1 && v < 3, v)
		require.True(t, coins[i] == 0 || coins[i] == 1, coins[i])
	}
	// Five standard deviations of the means of 4096 numbers.
	assert.InDelta(t, 1, mean(uniform), 5*4/math.Sqrt(12*4096))
	assert.InDelta(t, 0.25, mean(coins), 5*math.Sqrt(0.25*0.75/4096))
	again, _ := draw()
	assert.NotEqual(t, uniform, again)
}

// TestONNXBranch: of an If whose condition is an input, each call runs the side that is taken, and the other need not
// fit the input; calls with other elements run the other side.
func TestONNXBranch(t *testing.T) {
	model, err := nn.LoadONNX("testdata/onnx/branch.onnx", acap.Device())
	require.NoError(t, err)
	rate := func(n int64) *tensor.Tensor { return tensor.FromBuffer(buf.From([]int64{n}).Reshape(nil)) }
	for range 3 {
		y, err := model.Forward(tensor.FromSlice([]float32{1, -2, 3, -4}, 4), rate(16000))
		require.NoError(t, err)
		require.Equal(t, []int{2, 2}, y[0].Shape())
		require.Equal(t, []float32{-1, 2, -3, 4}, tensor.Data[float32](y[0]))
		y, err = model.Forward(tensor.FromSlice([]float32{1, -2, 3}, 3), rate(8000))
		require.NoError(t, err)
		require.Equal(t, []int{3, 1}, y[0].Shape())
		require.Equal(t, []float32{1, 2, 3}, tensor.Data[float32](y[0]))
		y, err = model.Forward(tensor.FromSlice([]float32{1, -2, 3, -4, 5, -6}, 6), rate(16000)) // both sides fit
		require.NoError(t, err)
		require.NotContains(t, string(lazy.GetMLIR(y[0])), "aten.abs")
		require.Equal(t, []float32{-1, 2, -3, 4, -5, 6}, tensor.Data[float32](y[0]))
		y, err = model.Forward(tensor.FromSlice([]float32{1, -2, 3, -4, 5, -6}, 6), rate(8000))
		require.NoError(t, err)
		require.Equal(t, []float32{1, 2, 3, 4, 5, 6}, tensor.Data[float32](y[0]))
	}
	_, err = model.Forward(tensor.FromSlice([]float32{1, -2, 3, -4}, 4), rate(8000))
	require.ErrorContains(t, err, "else_branch: node 0 (Reshape)")
}
