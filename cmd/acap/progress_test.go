package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPulse: a command that has printed nothing since a time says what it does, once; one that waits for a person is
// silent.
func TestPulse(t *testing.T) {
	p := &pulse{}
	start := time.Now()
	later := func() time.Time { return time.Now().Add(time.Second) }
	p.prints()
	p.does("reading %s", "a model")
	require.Empty(t, p.due(start), "it has just printed something")
	require.Equal(t, "reading a model", p.due(later()))
	require.Empty(t, p.due(start), "it has just said so")
	n := 0
	p.follows(func() string { n++; return "one more" })
	require.Zero(t, n)
	require.Equal(t, "one more", p.due(later()))
	p.rests()
	require.Empty(t, p.due(later()))
}
