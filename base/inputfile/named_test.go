package inputfile_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/inputfile"
)

func TestNamed(t *testing.T) {
	plain, placed := errors.New("no memory"), errors.New("a.mlir:2:8: unknown operator")
	require.EqualError(t, inputfile.Named("a.mlir", plain), "a.mlir: no memory")
	require.ErrorIs(t, inputfile.Named("a.mlir", plain), plain)
	require.EqualError(t, inputfile.Named("a.mlir", placed), "a.mlir:2:8: unknown operator")
	require.EqualError(t, inputfile.Named("b.mlir", placed), "b.mlir: a.mlir:2:8: unknown operator")
	opened := &fs.PathError{Op: "open", Path: "a.mlir", Err: fs.ErrNotExist}
	require.EqualError(t, inputfile.Named("a.mlir", opened), "open a.mlir: file does not exist")
	require.EqualError(t, inputfile.Named("b.mlir", opened), "b.mlir: open a.mlir: file does not exist")
}
