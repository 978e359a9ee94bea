package languagebench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadLlamaBench reads a table of llama-bench.
func TestReadLlamaBench(t *testing.T) {
	got, err := readLlamaBench("model,n_prompt,n_gen,avg_ts\n\"a\",\"128\",\"0\",\"81.5\"\n\"a\",\"0\",\"32\",\"35.25\"\n")
	require.NoError(t, err)
	require.Equal(t, Llama{81.5, 35.25}, got)
	_, err = readLlamaBench("nothing")
	require.Error(t, err)
}
