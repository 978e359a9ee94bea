package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/npy"
)

// TestGuardedArtifact: x[mask] of a traced model is compiled for one mask. The artifact, and the text that emit prints,
// are right for other x, refuse another mask, and show what they are for; the model itself takes each.
func TestGuardedArtifact(t *testing.T) {
	const model = "../../tensor/nn/testdata/masks/rows.pt" // sin(3 x[m])
	dir := t.TempDir()
	file := func(name string, b *buf.Buffer) string {
		path := filepath.Join(dir, name)
		require.NoError(t, npy.WriteFile(path, b))
		return path
	}
	x := buf.New(buf.From([]float32{0}, 1).DType, []int{4, 3})
	ones := file("ones.npy", x)
	for i := range x.Len() {
		x.SetFloat64(i, float64(i)/3)
	}
	steps := file("steps.npy", x)
	mask := file("mask.npy", buf.From([]bool{true, false, false, true}, 4))
	other := file("other.npy", buf.From([]bool{true, false, true, true}, 4))
	want := file("want.npy", buf.From([]float32{0, 0.841471, 0.909297, 0.412118, -0.544021, -0.99999}, 2, 3))

	artifact, text := filepath.Join(dir, "m.acap"), filepath.Join(dir, "m.mlir")
	out, errs, code := invoke(t, "compile", model, "-o", artifact, "-input", ones, "-input", mask)
	require.Zero(t, code, errs)
	require.Contains(t, out, "the mask (input m) at ")
	out, errs, code = invoke(t, "inspect", artifact)
	require.Zero(t, code, errs)
	require.Regexp(t, `only for +the mask \(input m\) at \S+:\d+:\d+: \[true false false true\]`, out)
	out, errs, code = invoke(t, "emit", model, "-input", ones, "-input", mask, "-stage", "linalg")
	require.Zero(t, code, errs)
	require.NoError(t, os.WriteFile(text, []byte(out), 0o644))
	paths := []string{artifact, text}
	for name, flags := range map[string][]string{"torch.mlir": {"-stage", "torch"}, "stablehlo.mlir": {"-stage", "stablehlo"},
		"portable.mlirbc": {"-stage", "stablehlo", "-portable", "1.0.0"}} {
		out, errs, code = invoke(t, append([]string{"emit", model, "-input", ones, "-input", mask}, flags...)...)
		require.Zero(t, code, errs)
		paths = append(paths, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(paths[len(paths)-1], []byte(out), 0o644))
	}
	again := filepath.Join(dir, "again.acap")
	_, errs, code = invoke(t, "compile", artifact, "-o", again)
	require.Zero(t, code, errs)

	for _, path := range append(paths, again) {
		_, errs, code = invoke(t, "run", path, "-input", steps, "-input", mask, "-expect", want)
		require.Zero(t, code, errs)
		_, errs, code = invoke(t, "run", path, "-input", steps, "-input", other)
		require.NotZero(t, code, path)
		require.Contains(t, errs, "element [2] of the mask (input m) at ")
		require.Contains(t, errs, "was false, and is true")
	}
	_, errs, code = invoke(t, "run", model, "-input", steps, "-input", mask, "-expect", want)
	require.Zero(t, code, errs)
	out, errs, code = invoke(t, "run", model, "-input", steps, "-input", other)
	require.Zero(t, code, errs)
	require.Contains(t, out, "-0.2794", "sin 6 is in the row that the other mask adds")

	m, err := nn.LoadArtifact(artifact, nil)
	require.NoError(t, err)
	defer m.Close()
	_, err = m.Forward(tensor.Ones(4, 3), tensor.Of([]bool{true, true, true, true}))
	require.ErrorContains(t, err, "element [1] of the mask")
}
