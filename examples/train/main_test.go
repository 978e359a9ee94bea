package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

func TestMain(m *testing.M) {
	if os.Getenv("TRAIN") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestLearns runs the program: the loss falls, almost all points are named right,
// and every step ran the program of the first.
func TestLearns(t *testing.T) {
	cmd := emulator.Again()
	cmd.Env = append(os.Environ(), "TRAIN=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	text := string(out)
	losses := regexp.MustCompile(`loss ([\d.]+)`).FindAllStringSubmatch(text, -1)
	require.Len(t, losses, 5)
	require.Less(t, number(t, losses[4][1]), number(t, losses[0][1])/10)
	accuracy := regexp.MustCompile(`accuracy ([\d.]+)%`).FindStringSubmatch(text)
	require.NotNil(t, accuracy, text)
	require.Greater(t, number(t, accuracy[1]), 97.0)
	require.Contains(t, text, "programs compiled: 1\n")
}

func number(t *testing.T, text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}
