package bundle_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/mlir"
)

func sample(t testing.TB) *bundle.Bundle {
	module, err := mlir.Parse("m.mlir", []byte(`func.func @main(%a: tensor<2x3xbf16>, %b: tensor<i64>) -> tensor<2x3xbf16> {
  %0 = "aten.neg"(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16> loc("m.go":7:0)
  return %0 : tensor<2x3xbf16>
}`))
	require.NoError(t, err)
	a, b := buf.New(dtype.BF16, []int{2, 3}), buf.New(dtype.I64, []int{})
	a.SetFloat64(4, -3)
	return &bundle.Bundle{Program: module, Inputs: []*buf.Buffer{a, b}, About: bundle.About{Device: "acap:npu1", Seed: 1 << 63}}
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.acap")
	want := sample(t)
	require.NoError(t, want.Write(path))
	got, err := bundle.Read(path)
	require.NoError(t, err)
	require.Equal(t, want.Program.String(), got.Program.String())
	require.Equal(t, 7, got.Program.Func("main").Body().Ops[0].Loc.Line)
	require.Len(t, got.Inputs, 2)
	for i, b := range want.Inputs {
		require.Equal(t, b.Bytes(), got.Inputs[i].Bytes())
		require.Equal(t, b.DType, got.Inputs[i].DType)
		require.Equal(t, b.Shape, got.Inputs[i].Shape)
	}
	require.Equal(t, want.About.Seed, got.About.Seed)
}

// Whatever is wrong with a file, reading it is an error.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.acap")
	require.NoError(t, sample(t).Write(path))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for n := 0; n < len(data); n += 7 {
		require.NoError(t, os.WriteFile(path, data[:n], 0o666))
		_, err := bundle.Read(path)
		require.Error(t, err)
	}
	for name, about := range map[string]string{
		"another format": `{"format": 99}`, "no JSON": `{`, "a huge input": `{"format":1,"inputs":[{"dtype":"f32","shape":[1099511627776,1024]}]}`,
		"a negative extent": `{"format":1,"inputs":[{"dtype":"f32","shape":[-1]}]}`,
		"an unknown type":   `{"format":1,"inputs":[{"dtype":"f31","shape":[1]}]}`,
		"missing data":      `{"format":1,"inputs":[{"dtype":"f32","shape":[1]}]}`,
	} {
		f, err := os.Create(path)
		require.NoError(t, err)
		z := zip.NewWriter(f)
		for entry, text := range map[string]string{"about.json": about, "program.mlir": "module {}"} {
			w, err := z.Create(entry)
			require.NoError(t, err)
			_, err = w.Write([]byte(text))
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		require.NoError(t, f.Close())
		_, err = bundle.Read(path)
		require.Error(t, err, name)
	}
}
