package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir/importer/mutate"
	"github.com/go-acap/acap/tensor/buf"
)

// mutatedVariable is the environment variable with the number of changed files that TestMutated runs.
const mutatedVariable = "ACAP_MUTATED"

// TestMutated changes the models that are here, and those of ../shared/models if that is there, and
// runs what comes of them as the command does. Each gives a result or an error of one line within ten
// seconds, without a panic and without more memory than what is allowed.
func TestMutated(t *testing.T) {
	count := 300
	if testing.Short() {
		count = 60
	}
	if text := os.Getenv(mutatedVariable); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		count = n
	}
	first := uint64(0)
	if text := os.Getenv(mutatedVariable + "_FROM"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		first = n
	}
	defer buf.SetLimit(buf.SetLimit(1 << 30))
	models := mutatedModels(t)
	ran := 0
	for i := range count {
		seed := first + uint64(i)
		model := models[int(seed)%len(models)]
		data, err := os.ReadFile(model)
		require.NoError(t, err)
		changed := mutate.File(rand.New(rand.NewPCG(seed, 0)), model, data)
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d%s", seed, filepath.Ext(model)))
		require.NoError(t, os.WriteFile(path, changed, 0o644))
		if keep := os.Getenv(mutatedVariable + "_KEEP"); keep != "" { // what was running when all ended
			require.NoError(t, os.WriteFile(filepath.Join(keep, "last"+filepath.Ext(model)), changed, 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(keep, "last.txt"), []byte(fmt.Sprint(seed, " ", model)), 0o644))
		}
		took, grown, err := runMutated(model, path)
		name := fmt.Sprintf("seed %d of %s", seed, model)
		if took > 10*time.Second {
			t.Errorf("%s took %v: %v", name, took, err)
		}
		if grown > 4<<30 {
			t.Errorf("%s took %d MiB: %v", name, grown>>20, err)
		}
		if err == nil {
			ran++
			continue
		}
		if testing.Verbose() && count <= 100 {
			t.Logf("%s: %v", name, err)
		}
		if text := err.Error(); strings.Contains(text, "\n") || strings.Contains(text, "BUG") || len(text) > 2000 {
			t.Errorf("%s: %.3000s", name, text)
		}
		require.NoError(t, os.Remove(path))
	}
	require.Greater(t, ran, count/20, "most changes should leave something to run")
	t.Logf("%d of %d changed files ran", ran, count)
}

// mutatedModels returns the models to change. The large ones are seldom.
func mutatedModels(t *testing.T) []string {
	list := []string{"testdata/mlp/model.pt", "testdata/lenet/model.pt", "../../mlir/importer/onnx/testdata/layer.onnx",
		"../../mlir/importer/onnx/testdata/reshape.onnx", "../../tensor/data/digits/model.pt"}
	for _, dir := range []string{"../../../shared/models", "../../../../shared/models"} {
		for _, kind := range []string{"*/model.onnx", "*/model.pt"} {
			found, err := filepath.Glob(filepath.Join(dir, kind))
			require.NoError(t, err)
			list = append(list, found...)
		}
	}
	return list
}

// runMutated runs a changed file on the inputs of the model that it was. A panic is an error with its
// stack, which is no line.
func runMutated(model, path string) (took time.Duration, grown uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		took = time.Since(start)
		runtime.ReadMemStats(&after)
		grown = after.TotalAlloc - before.TotalAlloc
	}()
	inputs, err := modelInputs(model, nil)
	if err != nil {
		return 0, 0, err
	}
	module, err := loadModuleFor(path, inputs)
	if err != nil {
		return 0, 0, err
	}
	dev, err := (&deviceFlags{"acap", "npu1"}).open()
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
	defer cancel()
	exe, err := dev.Compile(ctx, module)
	if err != nil {
		return 0, 0, err
	}
	defer exe.Close()
	_, err = exe.Run(ctx, inputs)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // there was much to compute
	}
	return 0, 0, err
}
