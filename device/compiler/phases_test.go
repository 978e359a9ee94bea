package compiler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/parallel"
)

// On one goroutine the phases of a program and of its groups follow each other: each phase is listed, and their sum is
// most of the time of compiling.
func TestCompileTimes(t *testing.T) {
	t.Setenv(parallel.Variable, "1")
	start := time.Now()
	exe := compile(t, manyGroups(9, -1))
	took := time.Since(start)
	var sum time.Duration
	of := map[string][]string{}
	for _, c := range exe.CompileTimes() {
		require.GreaterOrEqual(t, c.Took, time.Duration(0))
		sum += c.Took
		of[c.Group] = append(of[c.Group], c.Phase)
	}
	require.Equal(t, []string{"unaffected", "decompose", "partition", "lower-to-linalg"}, of[""])
	require.Len(t, of, 1+len(exe.Groups()))
	for _, g := range exe.Groups() {
		require.Equal(t, []string{"convert", "rewrite", "fuse", "emit", "generate", "place"}, of[g.Name])
	}
	require.Positive(t, sum)
	require.LessOrEqual(t, sum, took)
}
