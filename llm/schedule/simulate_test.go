package schedule

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// unit is a pass of a second.
func unit(Pass, bool) (seconds, joules float64, err error) { return 1, 2, nil }

// TestSimulationByHand: passes of a second. A reads its prompt while B comes; B's two pieces take turns with A's
// tokens.
func TestSimulationByHand(t *testing.T) {
	got, err := Simulation{Context: 1000, Sequences: 2, CacheTokens: EachContext, Cost: unit}.Simulate(context.Background(),
		[]Request{{Arrival: 1.5, Prompt: 600, Answer: 2}, {Arrival: 1, Prompt: 10, Answer: 4}, {Arrival: 9, Prompt: 1000, Answer: 1}})
	require.NoError(t, err)
	// 1-2 A's prompt and first token, 2-3 B's first piece (turn 2), 3-4 A, 4-5 B's second piece and first token, 5-6 A
	// and B, which ends, 6-7 A.
	require.Equal(t, []float64{2, 4, 6, 7}, got.Served[0].Tokens)
	require.Equal(t, []float64{5, 6}, got.Served[1].Tokens)
	require.Empty(t, got.Served[2].Tokens)
	require.Contains(t, got.Served[2].Refused, "a prompt of 1000 tokens")
	require.Equal(t, []float64{6}, got.Busy)
	require.Equal(t, 12.0, got.Joules)
}

// TestQueue: a single server of constant time under Poisson arrivals is M/D/1, whose mean wait is ρD/(2(1-ρ))
// (Pollaczek and Khinchin).
func TestQueue(t *testing.T) {
	for _, load := range []float64{0.3, 0.7} {
		random := rand.New(rand.NewPCG(7, 7))
		requests, at := make([]Request, 60000), 0.0
		for i := range requests {
			at += random.ExpFloat64() / load
			requests[i] = Request{Arrival: at, Prompt: 8, Answer: 1}
		}
		got, err := Simulation{Context: 32, Cost: unit}.Simulate(context.Background(), requests)
		require.NoError(t, err)
		wait := 0.0
		for _, s := range got.Served {
			wait += s.Tokens[0] - s.Arrival - 1
		}
		require.InEpsilon(t, load/2/(1-load), wait/float64(len(requests)), 0.03)
	}
}

// TestCopies: two copies serve two requests that come at once as one serves one, and each has half of the work.
func TestCopies(t *testing.T) {
	requests := make([]Request, 10)
	for i := range requests {
		requests[i] = Request{Prompt: 8, Answer: 3}
	}
	got, err := Simulation{Context: 32, Copies: 2, Cost: unit}.Simulate(context.Background(), requests)
	require.NoError(t, err)
	require.Equal(t, []float64{15, 15}, got.Busy)
	require.Equal(t, 15.0, got.Seconds)
}

// TestGuesses: of guesses that are all right a pass makes five tokens, of guesses that are all wrong one; a draft has a
// pass for each guess.
func TestGuesses(t *testing.T) {
	draft := func(Pass, bool) (float64, float64, error) { return 0.125, 0, nil }
	for accepted, want := range map[float64]float64{
		1: 1.125 + 4*1.5,                             // the prompt by both and its token, then five tokens four times
		0: 1.125 + 16*1.5 + 1.375 + 1.25 + 1.125 + 1, // one of four guesses 16 times, then there is room for 3, 2, 1 and none
	} {
		got, err := Simulation{Context: 64, Cost: unit, Draft: draft, DraftTokens: 4, Accepted: accepted}.Simulate(context.Background(), []Request{{Prompt: 20, Answer: 21}})
		require.NoError(t, err)
		require.Len(t, got.Served[0].Tokens, 21)
		require.Equal(t, want, got.Seconds)
	}
}

func TestSimulationRefuses(t *testing.T) {
	for _, o := range []Simulation{{}, {Context: 32}, {Context: 32, CacheTokens: -5, Cost: unit}, {Context: 32, Cost: unit, Draft: unit}} {
		_, err := o.Simulate(context.Background(), nil)
		require.ErrorContains(t, err, "a server with a context of")
	}
	_, err := Simulation{Context: 32, Cost: unit}.Simulate(context.Background(), []Request{{Prompt: 4}})
	require.ErrorContains(t, err, "request 0")
	over, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Simulation{Context: 32, Cost: unit}.Simulate(over, []Request{{Prompt: 4, Answer: 1}})
	require.ErrorIs(t, err, context.Canceled)
	got, err := Simulation{Context: 320, CacheTokens: 32, Cost: unit}.Simulate(context.Background(), []Request{{Prompt: 40, Answer: 1}})
	require.NoError(t, err)
	require.Contains(t, got.Served[0].Refused, "does not fit in a cache of 32")
}
