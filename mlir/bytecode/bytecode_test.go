package bytecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
)

const upstream, unknown = "mlir-opt-19", "-allow-unregistered-dialect"

// recorded is the output of mlir-opt of LLVM 22 for testdata/llvm22.mlir:
//
//	mlir-opt-22 -emit-bytecode - <llvm22.mlir >llvm22.bc
func recorded(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/llvm22.bc")
	require.NoError(t, err)
	return data
}

func TestRecorded(t *testing.T) {
	module, err := bytecode.Read("llvm22.bc", recorded(t))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	text, err := os.ReadFile("testdata/llvm22.mlir")
	require.NoError(t, err)
	want, err := mlir.Parse("llvm22.mlir", text)
	require.NoError(t, err)
	require.Equal(t, unnamed(want), unnamed(module))
	require.Equal(t, mlirtest.Upstream(t, want.String(), upstream), mlirtest.Upstream(t, module.String(), upstream))
}

// texts are the modules of the dialects' tests.
func texts(t *testing.T) map[string]*mlir.Operation {
	t.Helper()
	paths, err := filepath.Glob("../dialect/testdata/*.mlir")
	require.NoError(t, err)
	out := map[string]*mlir.Operation{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_invalid.mlir") {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		module, err := mlir.Parse(path, text)
		require.NoError(t, err)
		out[strings.TrimSuffix(filepath.Base(path), ".mlir")] = module
	}
	return out
}

// unnamed is the text of a module without the names of values and blocks, which bytecode does not have.
func unnamed(module *mlir.Operation) string {
	module.Walk(func(op *mlir.Operation) {
		for _, v := range op.Results {
			v.Name = ""
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				b.Label = ""
				for _, v := range b.Args {
					v.Name = ""
				}
			}
		}
	})
	return module.Text(mlir.PrintOptions{})
}

// What is written reads as it was.
func TestWriteRead(t *testing.T) {
	for name, module := range texts(t) {
		var file bytes.Buffer
		require.NoError(t, bytecode.Write(&file, module))
		again, err := bytecode.Read(name, file.Bytes())
		require.NoError(t, err, name)
		if name != "generic" { // an operation that nobody knows has no properties here
			require.Equal(t, unnamed(module), unnamed(again), name)
		}
	}
}

// Upstream reads it as well: each version of mlir-opt that there is gives the same for the text and for the bytecode.
func TestWrite(t *testing.T) {
	for _, opt := range mlirtest.Optimizers() {
		written(t, opt)
	}
}

func written(t *testing.T, upstream string) {
	all, passed := texts(t), 0
	for name, module := range all {
		var file bytes.Buffer
		require.NoError(t, bytecode.Write(&file, module))
		again, err := bytecode.Read(name, file.Bytes())
		require.NoError(t, err, name)
		require.NoError(t, mlir.Verify(again), name)
		text := module.Text(mlir.PrintOptions{Generic: true})
		if upstream != mlirtest.Optimizers()[0] && !mlirtest.Accepts(t, text, upstream, unknown) {
			continue // an operation that has another name or form there
		}
		passed++
		want := mlirtest.Upstream(t, text, upstream, unknown)
		if name == "generic" { // names of attributes in place of properties, and blobs without alignment
			got := mlirtest.Upstream(t, file.String(), upstream, unknown)
			require.Contains(t, want, `blob: "0x40000000010203"`)
			require.Contains(t, got, `blob: "0x01000000010203"`)
			continue
		}
		require.Equal(t, want, mlirtest.Upstream(t, file.String(), upstream, unknown), name)
	}
	require.Greater(t, passed, len(all)*2/3, upstream)
}

// What upstream writes, with properties and encodings of its own, reads as the text does.
func TestRead(t *testing.T) {
	for name, module := range texts(t) {
		if name == "wide" { // integers of more than 64 bits
			continue
		}
		path := filepath.Join(t.TempDir(), name+".bc")
		text := module.Text(mlir.PrintOptions{Generic: true})
		mlirtest.Upstream(t, text, upstream, unknown, "-emit-bytecode", "-o", path)
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := bytecode.Read(name, file)
		require.NoError(t, err, name)
		require.NoError(t, mlir.Verify(got), name)
		if name == "generic" { // an operation that nobody knows has no properties here
			continue
		}
		require.Equal(t, mlirtest.Upstream(t, text, upstream, unknown),
			mlirtest.Upstream(t, got.Text(mlir.PrintOptions{Generic: true}), upstream, unknown), name)
	}
}
