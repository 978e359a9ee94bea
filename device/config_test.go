package device_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor/dtype"
)

// Mixed precision is a pass behind those of the pipeline, and is read as it is written.
func TestConfigAutocast(t *testing.T) {
	c := device.Config{}.WithPipeline("inline").WithAutocast(dtype.BF16)
	require.Equal(t, "inline,autocast-bf16,cse", c.Passes())
	require.Equal(t, dtype.BF16, c.Autocast())
	read, err := device.ReadConfig(strings.NewReader(c.String()))
	require.NoError(t, err)
	require.Equal(t, c, read)
	require.True(t, c.WithPipeline("").WithAutocast(dtype.Invalid).IsZero())
	require.Panics(t, func() { c.WithAutocast(dtype.F32) })
	_, err = device.ReadConfig(strings.NewReader(`{"amp": "f32"}`))
	require.ErrorContains(t, err, "f32")
}

// Weights are packed behind mixed precision, whose products they are part of.
func TestConfigWeights(t *testing.T) {
	c := device.Config{}.WithAutocast(dtype.BF16).WithWeights(dtype.Q4)
	require.Equal(t, "autocast-bf16,cse,weights-q4,cse", c.Passes())
	require.Equal(t, dtype.Q4, c.Weights())
	read, err := device.ReadConfig(strings.NewReader(c.String()))
	require.NoError(t, err)
	require.Equal(t, c, read)
	require.True(t, c.WithAutocast(dtype.Invalid).WithWeights(dtype.Plain).IsZero())
	_, err = device.ReadConfig(strings.NewReader(`{"weights": "q5"}`))
	require.ErrorContains(t, err, "q5")
}
