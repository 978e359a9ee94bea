package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	machines "github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/translate/importer/mutate"
)

// mutatedVariable is the environment variable with the number of changed files that TestMutated runs.
const mutatedVariable = "ACAP_MUTATED"

// TestMutated changes the models, programs, arrays, pictures, tables and machines that are here, and the
// models of the folder in ACAP_MODELS, and does with what comes of them as the command does. Each gives a result or an
// error of one line within ten seconds of the processor, without a panic and without more memory than what is allowed.
func TestMutated(t *testing.T) {
	count := 150
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
		text := err.Error()
		switch filepath.Ext(path) { // a program or a machine may have several faults, each in its line
		case ".mlir":
			text = strings.ReplaceAll(text, "\n"+path, "; "+path)
		case ".json":
			text = severalFaults.ReplaceAllString(text, "; ")
		}
		if strings.Contains(text, "\n") || strings.Contains(text, "BUG") || strings.Contains(text, "%!") || len(text) > 2000 {
			t.Errorf("%s: %.3000s", name, text)
		}
		require.NoError(t, os.Remove(path))
	}
	require.GreaterOrEqual(t, ran, count/20, "most changes should leave something to run")
	t.Logf("%d of %d changed files ran", ran, count)
}

// mutatedModels returns the models to change. The large ones are seldom.
func mutatedModels(t *testing.T) []string {
	list := []string{"testdata/mlp/model.pt", "testdata/lenet/model.pt", "../../translate/importer/onnx/testdata/layer.onnx",
		"../../translate/importer/onnx/testdata/reshape.onnx", "../../tensor/data/digits/model.pt"}
	if dir := os.Getenv("ACAP_MODELS"); dir != "" {
		for _, kind := range []string{"*/model.onnx", "*/model.pt"} {
			found, err := filepath.Glob(filepath.Join(dir, kind))
			require.NoError(t, err)
			list = append(list, found...)
		}
	}
	for _, pattern := range []string{"../../tensor/data/digits/digit_0.png", "testdata/mlp/*.npy",
		"../../examples/mlir/layer.mlir", "../../translate/importer/stablehlo/testdata/*.mlir",
		"../../translate/passes/testdata/*.mlir"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		list = append(list, found...)
	}
	var machine bytes.Buffer
	m, err := machines.Preset("npu1")
	require.NoError(t, err)
	require.NoError(t, m.WriteJSON(&machine))
	path := filepath.Join(t.TempDir(), "npu1.json")
	require.NoError(t, os.WriteFile(path, machine.Bytes(), 0o644))
	list = append(list, path)
	list = append(list, firstRows(t))
	for _, name := range []string{"mlp", "lenet"} { // as text, without the weights
		path := filepath.Join("testdata", name, "model.pt")
		inputs, err := modelfile.Inputs(path, nil)
		require.NoError(t, err)
		module, err := modelfile.LoadFor(path, inputs)
		require.NoError(t, err)
		for _, stage := range []string{"aten", "linalg"} {
			if stage == "linalg" {
				require.NoError(t, compiler.Lower(module))
			}
			text := splatted.ReplaceAllString(module.Text(mlir.PrintOptions{ElideLargerThan: 16}), "dense<0.5>")
			path := filepath.Join(t.TempDir(), name+"."+stage+".mlir")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			list = append(list, path)
		}
	}
	return list
}

// firstRows writes the beginning of the table of measurements.
func firstRows(t *testing.T) string {
	file, err := os.Open("../../device/acap/predict/testdata/rows.csv.gz")
	require.NoError(t, err)
	defer file.Close()
	r, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "rows.csv")
	lines := bytes.SplitAfter(text, []byte("\n"))
	require.NoError(t, os.WriteFile(path, bytes.Join(lines[:min(30, len(lines))], nil), 0o644))
	return path
}

// severalFaults is the end of a line before another position.
var severalFaults = regexp.MustCompile(`\n\b`)

// splatted matches the text that stands for elements that were left out.
var splatted = regexp.MustCompile(`dense_resource<[^>]*>`)

// runMutated runs a changed file on the inputs of the model that it was. A panic is an error with its
// stack, which is no line. The time is the processor time of reading, importing and compiling; runs have a limit of
// their own.
func runMutated(model, path string) (took time.Duration, grown uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cputime.Used()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if took == 0 {
			took = cputime.Used() - start
		}
		runtime.ReadMemStats(&after)
		grown = after.TotalAlloc - before.TotalAlloc
	}()
	switch filepath.Ext(path) {
	case ".npy", ".png":
		_, err = modelfile.ReadInput(path, data.Picture{})
		return 0, 0, err
	case ".csv":
		file, err := os.Open(path)
		if err != nil {
			return 0, 0, err
		}
		defer file.Close()
		rows, err := predict.Read(file)
		if err == nil {
			predict.Rows(rows)
		}
		return 0, 0, err
	case ".json":
		_, err = (&deviceFlags{Name: "acap", Machine: path}).Open()
		return 0, 0, err
	}
	inputs, err := modelfile.Inputs(model, nil)
	if err != nil {
		return 0, 0, err
	}
	module, err := modelfile.LoadFor(path, inputs)
	if err != nil {
		return 0, 0, err
	}
	if filepath.Ext(path) == ".mlir" {
		inputs = nil // of whatever types the program has
		f := module.Func(compiler.Entry)
		if f == nil {
			return 0, 0, nil
		}
		for _, a := range f.Body().Args {
			t, ok := a.Type.(mlir.TensorType)
			if !ok {
				return 0, 0, nil
			}
			b, err := buf.NewChecked(mlir.DTypeOf(t.Elem), t.Shape)
			if err != nil {
				return 0, 0, err
			}
			inputs = append(inputs, b)
		}
	}
	dev, err := (&deviceFlags{Name: "acap", Machine: "npu1"}).Open()
	if err != nil {
		return 0, 0, err
	}
	exe, err := dev.Compile(context.Background(), module)
	if err != nil {
		return 0, 0, err
	}
	defer exe.Close()
	took = cputime.Used() - start
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
	defer cancel()
	_, err = exe.Run(ctx, inputs)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // there was much to compute
	}
	return took, 0, err
}
