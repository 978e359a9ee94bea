package torchscript

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/npy"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/mutate"
)

// changeable is a model with the types of its inputs.
type changeable struct {
	data  []byte
	types []ops.TensorType
}

// mutatedModels are the models that are changed: models of the repository, and of the folder in ACAP_MODELS.
func mutatedModels(t testing.TB) []changeable {
	files := []string{"../../../cmd/acap/testdata/mlp/model.pt", "../../../cmd/acap/testdata/lenet/model.pt"}
	if dir := os.Getenv("ACAP_MODELS"); dir != "" {
		found, err := filepath.Glob(filepath.Join(dir, "*/model.pt"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	var list []changeable
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		input, err := npy.ReadFile(filepath.Join(filepath.Dir(path), "input_0.npy"))
		require.NoError(t, err)
		list = append(list, changeable{data, []ops.TensorType{{DType: input.DType, Shape: input.Shape}}})
	}
	return list
}

func (c changeable) change(t testing.TB, seed uint64) {
	start := cputime.Used()
	data := mutate.TorchScript(rand.New(rand.NewPCG(seed, 1)), c.data)
	m, err := Read(bytes.NewReader(data), int64(len(data)), "m.pt")
	if err == nil {
		_, err = m.Import(c.types)
	}
	var bug *importer.BugError
	if errors.As(err, &bug) {
		t.Fatal(err)
	}
	if took := cputime.Used() - start; took > 10*time.Second {
		t.Fatalf("%v: %v", took, err)
	}
}

// FuzzMutated imports models whose programs and pickles are changed.
func FuzzMutated(f *testing.F) {
	models := mutatedModels(f)
	f.Add(uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, seed, model uint64) {
		models[model%uint64(len(models))].change(t, seed)
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
		models[seed%uint64(len(models))].change(t, seed)
	}
}
