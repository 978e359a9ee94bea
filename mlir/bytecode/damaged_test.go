package bytecode

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// A file that is damaged is an error with a place, or another module: never a crash. Files are what upstream writes,
// an artifact, and branches, whose operands are told apart by attributes.
func TestDamaged(t *testing.T) {
	recorded, err := os.ReadFile("testdata/llvm22.bc")
	require.NoError(t, err)
	branches, err := mlir.Parse("f.mlir", []byte(`func.func @f(%arg0: i32, %arg1: i1) -> i32 {
  cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb2
^bb1(%0: i32):
  cf.switch %0 : i32, [default: ^bb2, 1: ^bb1(%arg0 : i32)]
^bb2:
  cf.br ^bb3(%arg0 : i32)
^bb3(%1: i32):
  return %1 : i32
}`))
	require.NoError(t, err)
	var written bytes.Buffer
	require.NoError(t, Write(&written, branches))
	again, err := Read("f.bc", written.Bytes())
	require.NoError(t, err)
	require.Equal(t, branches.Text(mlir.PrintOptions{}), again.Text(mlir.PrintOptions{}))

	for name, file := range map[string][]byte{"recorded": recorded, "artifact": artifact(), "branches": written.Bytes()} {
		t.Run(name, func(t *testing.T) { damage(t, file) })
	}
	_, err = Read("x.bc", []byte("module {}"))
	require.ErrorContains(t, err, "this is no bytecode")
}

// TestNoSections: of several sections that are missing, the first is named each time.
func TestNoSections(t *testing.T) {
	for range 20 {
		_, err := Read("x.bc", append([]byte(magic), newest<<1|1, 'x', 0))
		require.ErrorContains(t, err, "there is no section of strings")
	}
}

// damage reads a file with each byte changed in turn, and each of its beginnings.
func damage(t *testing.T, file []byte) {
	for at := range file {
		for _, b := range []byte{0, 1, 3, 0xff, file[at] + 2} {
			damaged := bytes.Clone(file)
			damaged[at] = b
			if module, err := Read("x.bc", damaged); err == nil {
				_ = mlir.Verify(module)
				_ = module.Text(mlir.PrintOptions{})
			} else {
				require.ErrorContains(t, err, "x.bc: byte ")
			}
		}
		if at > len(magic) {
			_, err := Read("x.bc", file[:at])
			require.Error(t, err)
		}
	}
}

// TestLeftBytes: an entry is read to its end.
func TestLeftBytes(t *testing.T) {
	read := func(data ...byte) (mlir.Type, any) {
		r := &reader{types: []entry[mlir.Type]{{custom: true, dialect: "builtin", data: &cursor{data: data, base: 70}}}}
		var fault any
		typ := func() mlir.Type {
			defer func() { fault = recover() }()
			return r.typ(&cursor{data: []byte{1}})
		}()
		return typ, fault
	}
	index, failed := read(3)
	require.Nil(t, failed)
	require.Equal(t, mlir.Index, index)
	_, failed = read(3, 1)
	require.ErrorContains(t, failed.(fault).err, "byte 71: 1 bytes are left behind a type or attribute")
	_, failed = read(9*2+1, 1) // a complex type of itself
	require.NotNil(t, failed)
}
