package onnx

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// archived is a model of one node, or of a function's nodes, with what it was recorded to give.
type archived struct {
	name  string
	files map[string][]byte
}

// archivedNodes reads testdata/nodes.tar.gz, which record/nodes.py writes.
func archivedNodes(t *testing.T) []archived {
	file, err := os.Open("testdata/nodes.tar.gz")
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	var all []archived
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		name, member, _ := strings.Cut(h.Name, "/")
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, archived{name, map[string][]byte{}})
		}
		all[len(all)-1].files[member] = data
	}
}

// values decodes SET/KIND_0.pb, SET/KIND_1.pb and so on.
func (a archived) values(set int, kind string, read func(int, []byte, string) (Value, error)) ([]Value, error) {
	var all []Value
	for i := 0; ; i++ {
		name := fmt.Sprintf("%d/%s_%d.pb", set, kind, i)
		data, ok := a.files[name]
		if !ok {
			return all, nil
		}
		v, err := read(i, data, name)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
}

// TestNodes runs ONNX's own models of single nodes on their inputs.
func TestNodes(t *testing.T) {
	for _, a := range archivedNodes(t) {
		t.Run(a.name, func(t *testing.T) {
			m, err := Read(a.files["model.onnx"], "model.onnx")
			require.NoError(t, err)
			inputs, err := a.values(0, "input", m.ReadInput)
			require.NoError(t, err)
			want, err := a.values(0, "output", m.ReadOutput)
			require.NoError(t, err)
			bound, err := m.Bind(inputs, onHost)
			require.NoError(t, err)
			results, err := onHost(bound.Module, bound.Inputs)
			require.NoError(t, err)
			have, err := bound.Results(results)
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(have), len(want))
			within := 1e-5
			for part, v := range inexact {
				if strings.Contains(a.name, part) {
					within = v
				}
			}
			for i, w := range want {
				require.NoError(t, agree(have[i], w, within, m.IsRandom()), "output %d", i)
			}
		})
	}
}

// inexact gives the relative errors of recorded results that are not rounded as NumPy would.
var inexact = map[string]float64{
	"window":     7e-4, // 3.1415 for pi
	"gridsample": 5e-4, // four digits
	"roialign":   5e-4,
}

// agree compares a result with a recorded one, within a relative error; of random numbers, type and shape.
func agree(have, want Value, within float64, random bool) error {
	if have.IsSequence != want.IsSequence || (have.Tensor == nil) != (want.Tensor == nil) ||
		len(have.Sequence) != len(want.Sequence) {
		return fmt.Errorf("have %+v, want %+v", have, want)
	}
	for i, w := range want.Sequence {
		if err := agree(have.Sequence[i], w, within, random); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	if want.Tensor == nil {
		return nil
	}
	h, w := have.Tensor, want.Tensor
	if h.DType != w.DType || !slices.Equal(h.Shape, w.Shape) {
		return fmt.Errorf("have %v%v, want %v%v", h.DType, h.Shape, w.DType, w.Shape)
	}
	for i := range w.Len() {
		if !random && !closeTo(h, w, i, within) {
			return fmt.Errorf("element %d: have %v, want %v", i, h.Float64(i), w.Float64(i))
		}
	}
	return nil
}

// closeTo allows some roundings of numbers that were added up: NumPy computed them in float32.
func closeTo(have, want *buf.Buffer, i int, within float64) bool {
	if !want.DType.IsFloat() {
		return have.Int64(i) == want.Int64(i)
	}
	unit := map[dtype.DType]float64{dtype.F16: 0x1p-10, dtype.BF16: 0x1p-7}[want.DType]
	a, b := have.Float64(i), want.Float64(i)
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-6+max(within, 2*unit)*math.Abs(b)
}
