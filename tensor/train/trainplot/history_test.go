package trainplot

import (
	"errors"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/train"
)

// records are the records of two epochs of three batches.
func records() (list []train.Record) {
	for epoch := range 2 {
		for batch := range 3 {
			list = append(list, train.Record{Step: 3*epoch + batch + 1, Epoch: epoch, Epochs: 2, Batch: batch + 1, Batches: 3,
				Values: map[string]float64{"loss": float64(10*epoch + batch)}, Took: 2 * time.Second})
		}
		list = append(list, train.Record{Step: 3*epoch + 3, Epoch: epoch, Epochs: 2, Batch: 3, Batches: 3, EndOfEpoch: true,
			Values: map[string]float64{"b": math.NaN(), "a": 0.25}, Took: time.Second})
	}
	return list
}

// TestHistory: curves have what is finite, at its steps, each in a colour of its own, and are drawn after each epoch.
func TestHistory(t *testing.T) {
	var h History
	require.Equal(t, "trainplot: nothing to draw yet", h.SimpleRender()["text/plain"])
	path := filepath.Join(t.TempDir(), "run.SVG")
	draw := Plot(path)
	for i, r := range records() {
		require.NoError(t, h.Observe(r))
		require.NoError(t, draw(r))
		_, err := os.Stat(path)
		require.Equal(t, i >= 3, err == nil, "drawn at the end of the epoch")
	}
	require.Equal(t, []float64{0, 1, 2, 10, 11, 12}, h.Values("loss"))
	require.Equal(t, []float64{0.25, 0.25}, h.Values("a"))
	require.Empty(t, h.Values("b"))
	for i, p := range h.curves["loss"] {
		require.Equal(t, float64(i+1), p.X)
	}
	seen := map[color.Color]bool{}
	for _, c := range curveColors {
		seen[c] = true
	}
	require.Len(t, seen, len(curveColors))
	require.Equal(t, "a plot of the run", h.SimpleRender()["text/plain"])
	require.Error(t, Plot(filepath.Join(t.TempDir(), "none", "run.svg"))(records()[3]))
}

// failing is a writer that has no room.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestHistoryFails(t *testing.T) {
	var h History
	require.NoError(t, h.Observe(records()[3]))
	require.Error(t, h.Write(failing{}, "svg"))
	require.Error(t, h.WriteFile(filepath.Join(t.TempDir(), "run.what")))
}
