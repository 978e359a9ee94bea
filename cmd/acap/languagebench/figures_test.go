package languagebench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFiguresWithoutFile: figures of a model without a file of weights have no rows of the file.
func TestFiguresWithoutFile(t *testing.T) {
	require.Contains(t, (&Figures{ReadBandwidth: 1, FileBandwidth: 1}).String(), "bandwidth of the file")
	without := (&Figures{ReadBandwidth: 1}).String()
	require.NotContains(t, without, "the file")
	require.NotContains(t, without, "Inf")
}
