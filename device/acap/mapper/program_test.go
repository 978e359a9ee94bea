package mapper_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
)

// TestProgramIsShared simulates the program of one choice many times at once, as a report of
// equal kernels does.
func TestProgramIsShared(t *testing.T) {
	c, err := mapper.Map(machinetest.Preset(t, "vek280"), gemm(256, 256, 256, dtype.BF16, dtype.F32, dtype.BF16))
	require.NoError(t, err)
	times := make([]float64, 8)
	var wait sync.WaitGroup
	for i := range times {
		wait.Add(1)
		go func() {
			defer wait.Done()
			p, err := c.Program()
			if err != nil {
				return
			}
			if r, err := event.Run(p, event.Options{}); err == nil {
				times[i] = r.Seconds
			}
		}()
	}
	wait.Wait()
	for _, s := range times {
		require.Positive(t, s)
		require.Equal(t, times[0], s)
	}
}
