package sweep_test

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/sweep"
)

// Of three machines the one with 16 cores is no faster than the one with 8.
func ExampleFront() {
	points := []*sweep.Point{
		{Cores: 16, Seconds: 0.003},
		{Cores: 8, Seconds: 0.003},
		{Cores: 32, Seconds: 0.001},
	}
	for _, p := range sweep.Front(points, func(p *sweep.Point) float64 { return float64(p.Cores) }) {
		fmt.Println(p.Cores, p.Seconds)
	}
	// Output:
	// 8 0.003
	// 32 0.001
}
