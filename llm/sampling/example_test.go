package sampling_test

import (
	"fmt"

	"github.com/go-acap/acap/llm/sampling"
)

func ExampleSampler() {
	s, err := sampling.New(sampling.Options{RepeatPenalty: 2, Bias: map[int]float64{0: -3}}, nil) // without a temperature: the most likely token
	if err != nil {
		panic(err)
	}
	l := sampling.Logits{Scores: []float32{4, 3, 2}}
	seen := []int{1} // the prompt
	s.Adjust(l, seen, 1, 10, nil)
	token := s.Choose(l, seen)
	fmt.Println(token, l.Scores)
	p, likely := l.Logprobs(token, 1)
	fmt.Printf("%.3f %d\n", p, likely[0].Token)
	// Output:
	// 2 [1 1.5 2]
	// -0.680 2
}
