package proto

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTexts: a tensor of texts has as many as its shape says.
func TestTensorOfTexts(t *testing.T) {
	_, err := (&Tensor{Elem: ElemString, dims: []int64{3}, texts: []string{"a"}}).Strings()
	require.EqualError(t, err, `byte 0: tensor "": [3] of texts has 1 elements`)
}
