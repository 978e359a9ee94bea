package onnx

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestErrorIsOneLine writes names that a damaged file may have.
func TestErrorIsOneLine(t *testing.T) {
	err := errors.New("it does not work")
	for want, e := range map[string]*Error{
		`node 0 (Add): it does not work`:                   {Op: "Add"},
		`node 3 "sum" (Größe.Add): it does not work`:       {Index: 3, Name: "sum", Op: "Größe.Add"},
		`then: node 1 "\n" ("\x05.Add"): it does not work`: {Graph: "then", Index: 1, Name: "\n", Op: "\x05.Add"},
		`"a\nb": node 0 ("Add\xff"): it does not work`:     {Graph: "a\nb", Op: "Add\xff"},
	} {
		e.Err = err
		require.Equal(t, want, e.Error())
	}
}
