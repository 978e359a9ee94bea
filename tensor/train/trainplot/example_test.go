package trainplot_test

import (
	"bytes"
	"fmt"

	"github.com/go-acap/acap/tensor/train"
	"github.com/go-acap/acap/tensor/train/trainplot"
)

// A history is an observer of a training run, and draws what it has seen.
func ExampleHistory() {
	var h trainplot.History
	for step, loss := range []float64{2, 1, 0.5} {
		if err := h.Observe(train.Record{Step: step + 1, Values: map[string]float64{"loss": loss}}); err != nil {
			panic(err)
		}
	}
	var svg bytes.Buffer
	err := h.Write(&svg, "svg")
	fmt.Println(bytes.Contains(svg.Bytes(), []byte(">loss<")), err)
	// Output: true <nil>
}
