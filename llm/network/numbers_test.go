package network

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestNumbers: goroutines that ask for the same count get the same tensor.
func TestNumbers(t *testing.T) {
	n := &Network{device: acap.Device(), counts: map[int]*tensor.Tensor{}}
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
