package llm

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestNumbers: goroutines that ask for the same count get the same tensor.
func TestNumbers(t *testing.T) {
	n := &network{device: acap.Device(), counts: map[int]*tensor.Tensor{}}
	var wait sync.WaitGroup
	lists := make([][]*tensor.Tensor, 4)
	for g := range lists {
		wait.Go(func() {
			for i := range 300 {
				lists[g] = append(lists[g], n.numbers(i+1))
			}
		})
	}
	wait.Wait()
	for _, list := range lists[1:] {
		for i, x := range list {
			assert.Same(t, lists[0][i], x)
		}
	}
	assert.Equal(t, []int64{0, 1, 2}, n.numbers(3).Int64s())
}

// TestSinksInPlace: attention with sinks is a kernel of each layer, which reads keys and values where they are.
func TestSinksInPlace(t *testing.T) {
	m, err := Load(folderOf(t, recordings(t)["gpt_oss"]), LoadOptions{Context: 64})
	require.NoError(t, err)
	defer m.Close()
	e, err := m.Explain(Pass{Sequences: 1, Tokens: 1, Seen: 64})
	require.NoError(t, err)
	layers, written := 0, false
	for _, k := range e.Kernels {
		switch k.Kind {
		case "scatter": // to the cache
			written = true
		case "attention":
			written = false
			layers++
		}
		if written {
			require.NotContains(t, k.Calls, "index_select", "a copy of keys or values")
		}
	}
	require.Equal(t, m.Layers, layers)
}
