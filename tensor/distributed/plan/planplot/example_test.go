package planplot_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/tensor/distributed/plan"
	"github.com/go-acap/acap/tensor/distributed/plan/planplot"
)

// The step of 30 ms on 2 to 64 ranks, by a ring and by a tree.
func ExamplePlot() {
	link := plan.Link{Latency: 5e-6, Bandwidth: 12.5e9}
	step := plan.Step{Forward: 0.01, Backward: 0.02, Bytes: 100e6, Bucket: 25e6}
	costs := append(step.UpTo(64, plan.Ring(link)), step.UpTo(64, plan.Tree(link))...)
	dir, err := os.MkdirTemp("", "planplot")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "step.svg")
	if err := planplot.Plot(step, costs, "a step over 100 Gbit/s", path); err != nil {
		log.Fatal(err)
	}
	picture, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range []string{"computing", "ring", "tree, no overlap"} {
		fmt.Println(line, strings.Contains(string(picture), line))
	}
	fmt.Println(planplot.Plot(step, nil, "", path))
	// Output:
	// computing true
	// ring true
	// tree, no overlap true
	// planplot: no costs to draw
}
