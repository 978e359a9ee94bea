package main

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// The model learns the text, writes words of it, and needs two programs for each bucket.
func TestLearnsAndWrites(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(&out, sample, 150, 90, 0))
	losses := regexp.MustCompile(`loss ([\d.]+)`).FindAllStringSubmatch(out.String(), -1)
	first, err := strconv.ParseFloat(losses[0][1], 64)
	require.NoError(t, err)
	last, err := strconv.ParseFloat(losses[len(losses)-1][1], 64)
	require.NoError(t, err)
	require.Greater(t, first, 2.5)
	require.Less(t, last, first/2)
	tail := regexp.MustCompile(`(\d+) programs for (\d+) characters`).FindStringSubmatch(out.String())
	require.NotNil(t, tail, out.String())
	programs, _ := strconv.Atoi(tail[1])
	require.LessOrEqual(t, programs, 2*3, "91 characters are in three buckets")
	known := 0
	words := strings.Fields(out.String()[strings.LastIndex(out.String(), "loss"):])
	for _, w := range words[2:] {
		if strings.Contains(sample, w) {
			known++
		}
	}
	require.Greater(t, known, 6, out.String())
}

// A cache gives the scores that the whole text gives, over the end of a bucket, too.
func TestCacheIsExact(t *testing.T) {
	m := newModel(7, 48, 16, 2, 2)
	nn.To(m, acap.Device())
	var tokens []int64
	for i := range 40 {
		tokens = append(tokens, int64(i*i%7))
	}
	want := m.Forward(tensor.FromSlice(tokens, 1, 40).To(acap.Device()))
	c := &cache{}
	for i, token := range tokens {
		got := m.next(c, token)
		require.NoError(t, tensor.Sync(context.Background(), append(c.all(), got)...))
		require.InDeltaSlice(t, want.At(0, i).Float32s(), got.Float32s(), 1e-4, i)
	}
	require.Equal(t, 64, c.room)
}

func TestChoose(t *testing.T) {
	scores := []float32{0, 3, 1}
	require.Equal(t, int64(1), choose(scores, 0, 0.99))
	require.Equal(t, int64(0), choose(scores, 1, 0.01))
	require.Equal(t, int64(2), choose(scores, 1, 0.999))
}
