package onnx

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/mutate"
)

// mutatedModels are the models that are changed: models of the tests, and models of the folder in ACAP_MODELS.
func mutatedModels(t testing.TB) [][]byte {
	list := [][]byte{layer(), recursive()}
	files, err := filepath.Glob("testdata/*.onnx")
	require.NoError(t, err)
	if dir := os.Getenv("ACAP_MODELS"); dir != "" {
		found, err := filepath.Glob(filepath.Join(dir, "*/model.onnx"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		list = append(list, data)
	}
	return list
}

// importAny imports a model for inputs of some type.
func importAny(data []byte) error {
	m, err := Read(data, "model.onnx")
	if err != nil {
		return err
	}
	types := make([]ops.TensorType, len(m.Inputs()))
	for i, in := range m.Inputs() {
		types[i] = f32(2, 3)
		if in.DType.Valid() && in.Shape != nil {
			types[i] = ops.TensorType{DType: in.DType, Shape: append([]int(nil), in.Shape...)}
			for k, n := range in.Shape {
				types[i].Shape[k] = max(n, 1)
			}
		}
	}
	_, err = m.Import(types)
	return err
}

// refused fails on an error that is a mistake of the code.
func refused(t testing.TB, err error, start time.Duration) {
	var bug *importer.BugError
	if errors.As(err, &bug) || err != nil && strings.Contains(err.Error(), "%!") { // or formatted wrongly
		t.Fatal(err)
	}
	if took := cputime.Used() - start; took > 10*time.Second {
		t.Fatalf("%v: %v", took, err)
	}
}

// FuzzMutated imports models with changed nodes, inputs, operators and attributes.
func FuzzMutated(f *testing.F) {
	models := mutatedModels(f)
	f.Add(uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, seed, model uint64) {
		start := cputime.Used()
		data := mutate.ONNX(rand.New(rand.NewPCG(seed, 1)), models[model%uint64(len(models))])
		refused(t, importAny(data), start)
	})
}

// TestMutated does so for the first seeds.
func TestMutated(t *testing.T) {
	models := mutatedModels(t)
	count := 400
	if testing.Short() {
		count = 100
	}
	for seed := range uint64(count) {
		start := cputime.Used()
		data := mutate.ONNX(rand.New(rand.NewPCG(seed, 1)), models[seed%uint64(len(models))])
		refused(t, importAny(data), start)
	}
}
