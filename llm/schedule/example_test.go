package schedule_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/llm/schedule"
)

// Each pass takes a second here. The first pass reads the prompt and chooses a token, and each further pass chooses
// one.
func ExampleSimulation_Simulate() {
	server := schedule.Simulation{
		Context: 64,
		Cost:    func(schedule.Pass, bool) (seconds, joules float64, err error) { return 1, 2, nil },
	}
	traffic, err := server.Simulate(context.Background(), []schedule.Request{{Prompt: 10, Answer: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(traffic.Seconds, "seconds,", traffic.Joules, "joules")
	// Output: 3 seconds, 6 joules
}
