package sweepplot_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/device/acap/sweep"
	"github.com/go-acap/acap/device/acap/sweep/sweepplot"
)

func ExamplePlot() {
	dir, err := os.MkdirTemp("", "sweepplot")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	points := []*sweep.Point{
		{Machine: "npu1", Cores: 8, Seconds: 0.003},
		{Machine: "npu2", Cores: 32, Seconds: 0.001},
	}
	path := filepath.Join(dir, "front.svg")
	if err := sweepplot.Plot(points, "time against cores", "cores", path); err != nil {
		log.Fatal(err)
	}
	picture, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"npu1", "npu2", "Pareto front"} {
		fmt.Println(name, strings.Contains(string(picture), name))
	}
	fmt.Println(sweepplot.Plot(points, "", "colour", path))
	// Output:
	// npu1 true
	// npu2 true
	// Pareto front true
	// no cost "colour"; there are cores, memory, bandwidth and joules
}
