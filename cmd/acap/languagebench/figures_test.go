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

// TestShares: keys and values that are read beside the weights add to the share of the bandwidth in proportion.
func TestShares(t *testing.T) {
	f := &Figures{WeightsRead: 100e9, CacheRead: 20e9, ReadBandwidth: 400e9, ReadShare: 0.5}
	require.Regexp(t, `share of the read bandwidth +0\.50`, f.String())
	require.Regexp(t, `the same with keys and values +0\.60`, f.String())
}

// TestClients: figures of one client have no rows of several.
func TestClients(t *testing.T) {
	f := &Figures{Prompt: 8, Answer: 4, Clients: &Clients{Count: 3, Alone: 20, Together: 50, Times: 2.5, ProcessorTimes: 2}}
	for _, row := range []string{`prompt of 8, tokens a second +0\.0`, `answer of 4, tokens a second +0\.0`, `one client, tokens a second +20\.0`,
		`3 clients, tokens a second +50\.0`, `times one client's +2\.50`, `the same of processor time +2\.00`} {
		require.Regexp(t, row, f.String())
	}
	f.Clients = nil
	require.NotContains(t, f.String(), "client")
}
