package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// The program names at least 98 % of digits that it has not seen, and goes on from its
// checkpoints.
func TestLearns(t *testing.T) {
	dir := t.TempDir()
	var first, second bytes.Buffer
	require.NoError(t, run(&first, dir, "", 2, 4000))
	share := regexp.MustCompile(`accuracy ([\d.]+)%`).FindStringSubmatch(first.String())
	require.NotNil(t, share, first.String())
	v, err := strconv.ParseFloat(share[1], 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, v, 98.0, first.String())
	files, err := filepath.Glob(filepath.Join(dir, "*.safetensors"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	require.FileExists(t, filepath.Join(dir, "run.svg"))

	require.NoError(t, run(&second, dir, "", 2, 4000))
	require.Equal(t, "80 steps, accuracy "+share[1]+"%\n", second.String(), "nothing is left to train")
	require.Error(t, run(&second, dir, os.DevNull, 1, 0))
}

func TestNetworkHasNamedParts(t *testing.T) {
	require.Contains(t, nn.Summary(network(tensor.Zeros(1).Device())), "running_mean[16] (fixed)")
}
