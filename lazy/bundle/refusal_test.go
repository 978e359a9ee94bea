package bundle_test

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy/bundle"
)

// archive writes a zip file of the given texts.
func archive(t *testing.T, files map[string]string) string {
	path := filepath.Join(t.TempDir(), "a.acap")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return path
}

// TestRefusals: one thing at a time is wrong, and the error says which.
func TestRefusals(t *testing.T) {
	const program = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }"
	about := func(text string) map[string]string { return map[string]string{"about.json": text} }
	good := map[string]string{"about.json": `{"format":1,"inputs":[{"dtype":"f32","shape":[2]}]}`, "program.mlir": program, "inputs/0": "\x00\x00\x80\x3f\x00\x00\x00\x40"}
	for want, change := range map[string]map[string]string{
		"": {}, "inputs/0 has more than 8 bytes": {"inputs/0": "123456789"}, "input 0: ": {"inputs/0": "1234567"},
		"a bundle of format 2; this program reads format 1": about(`{"format":2}`), "a bundle of format 0; this": about(`{}`),
		"about.json: byte 0: unexpected end of JSON input": about(`{`), "input 0: dtype: unknown element type \"f31\"": about(`{"format":1,"inputs":[{"dtype":"f31"}]}`),
		"input 0: extents must not be negative": about(`{"format":1,"inputs":[{"dtype":"f32","shape":[-1]}]}`),
		"input 0: tensor is too large":          about(`{"format":1,"inputs":[{"dtype":"f32","shape":[1099511627776,1024]}]}`),
		"inputs/1: file does not exist":         about(`{"format":1,"inputs":[{"dtype":"f32","shape":[2]},{"dtype":"f32","shape":[2]}]}`),
		"program.mlir:1:1: ":                    {"program.mlir": "}"}, "func.return": {"program.mlir": "func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> { return %a : tensor<2xf32> }"},
	} {
		files := map[string]string{}
		for _, list := range []map[string]string{good, change} {
			for name, text := range list {
				files[name] = text
			}
		}
		path := archive(t, files)
		b, err := bundle.Read(path)
		if want != "" {
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, path+": ")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []float32{1, 2}, buf.Slice[float32](b.Inputs[0]))
	}
	for _, name := range []string{"about.json", "program.mlir", "inputs/0"} {
		files := map[string]string{}
		for n, text := range good {
			if n != name {
				files[n] = text
			}
		}
		_, err := bundle.Read(archive(t, files))
		require.ErrorContains(t, err, name)
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	_, err := bundle.Read(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Error(t, sample(t).Write(filepath.Join(t.TempDir(), "none", "a.acap")))
}

// TestAboutIsKept: all that is known of a bundle comes back, with the types of the inputs and the format.
func TestAboutIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.acap")
	b := sample(t)
	b.About = bundle.About{Time: time.Unix(1e9, 0).UTC(), Go: "go1", System: "a/b", Device: "d", Machine: json.RawMessage(`{"a":1}`), Seed: 1<<64 - 1, Offset: 12,
		Setting: map[string]string{"ACAP_X": "1"}, Metrics: json.RawMessage(`[2]`), Note: "n", Format: 77}
	require.NoError(t, b.Write(path))
	got, err := bundle.Read(path)
	require.NoError(t, err)
	want := b.About
	want.Format = bundle.Format
	want.Inputs = []bundle.Type{{"bf16", []int{2, 3}}, {"i64", []int{}}}
	text, err := json.Marshal(want)
	require.NoError(t, err)
	have, err := json.Marshal(got.About)
	require.NoError(t, err)
	require.JSONEq(t, string(text), string(have))
	b.Inputs, b.About.Machine = nil, json.RawMessage(`{`)
	require.Error(t, b.Write(path), "what is no JSON is not written")
	_, err = bundle.Read(path)
	require.NoError(t, err, "the old file is whole")
}
