package traffic_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/traffic"
)

// A server whose passes take 10 ms, whatever they compute.
func Example() {
	s := llm.Simulation{Context: 64, Sequences: 2, CacheTokens: llm.EachContext,
		Cost: func(llm.Pass, bool) (seconds, joules float64, err error) { return 0.01, 0.05, nil }}
	t, err := s.Simulate(context.Background(), []llm.Request{{Prompt: 16, Answer: 3}, {Arrival: 0.005, Prompt: 16, Answer: 2}})
	if err != nil {
		panic(err)
	}
	sum := traffic.Summarize(t)
	fmt.Printf("first tokens after %.1f ms at most, others after %.1f\n", sum.First.Most*1e3, sum.Between.Most*1e3)
	// Output: first tokens after 15.0 ms at most, others after 10.0
}
