package modelfile_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/modelfile"
)

func TestNamed(t *testing.T) {
	plain, placed := errors.New("no memory"), errors.New("a.mlir:2:8: unknown operator")
	require.EqualError(t, modelfile.Named("a.mlir", plain), "a.mlir: no memory")
	require.ErrorIs(t, modelfile.Named("a.mlir", plain), plain)
	require.EqualError(t, modelfile.Named("a.mlir", placed), "a.mlir:2:8: unknown operator")
	require.EqualError(t, modelfile.Named("b.mlir", placed), "b.mlir: a.mlir:2:8: unknown operator")
}
