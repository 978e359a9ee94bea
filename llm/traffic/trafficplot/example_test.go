package trafficplot_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/traffic/trafficplot"
)

// How long two clients wait for a server whose passes take 10 ms.
func ExamplePlot() {
	server := llm.Simulation{Context: 64, Sequences: 2, CacheTokens: llm.EachContext,
		Cost: func(llm.Pass, bool) (seconds, joules float64, err error) { return 0.01, 0, nil }}
	t, err := server.Simulate(context.Background(), []llm.Request{{Prompt: 16, Answer: 3}, {Arrival: 0.005, Prompt: 16, Answer: 2}})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "trafficplot")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "waits.svg")
	if err := trafficplot.Plot(t, "waits", path); err != nil {
		log.Fatal(err)
	}
	picture, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range []string{"first token", "between tokens", "whole answer"} {
		fmt.Println(line, strings.Contains(string(picture), line))
	}
	fmt.Println(trafficplot.Plot(&llm.Traffic{}, "nobody", path))
	// Output:
	// first token true
	// between tokens true
	// whole answer true
	// trafficplot: no request was answered
}
