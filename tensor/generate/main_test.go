package main

import (
	"go/format"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCurrent says whether somebody forgot go generate.
func TestCurrent(t *testing.T) {
	want, err := format.Source(generate())
	require.NoError(t, err)
	got, err := os.ReadFile("../zmethods.go")
	require.NoError(t, err)
	require.True(t, string(want) == string(got), "zmethods.go is out of date: run go generate ./tensor")
}
