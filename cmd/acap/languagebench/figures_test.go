package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFiguresWithoutFile: figures of a model without a file of weights have no rows of the file.
func TestFiguresWithoutFile(t *testing.T) {
	printed := func(f languageFigures) string {
		var b strings.Builder
		before := stdout
		stdout = &output{file: &b}
		defer func() { stdout = before }()
		f.print()
		return b.String()
	}
	require.Contains(t, printed(languageFigures{ReadBandwidth: 1, FileBandwidth: 1}), "bandwidth of the file")
	without := printed(languageFigures{ReadBandwidth: 1})
	require.NotContains(t, without, "the file")
	require.NotContains(t, without, "Inf")
}
