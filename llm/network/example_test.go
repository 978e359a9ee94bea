package network_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/network"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor/gguf"
)

// A text of three tokens goes through the layers at once, and each token gets a score for each token of the vocabulary.
func ExampleNetwork_LastRows() {
	path, remove := llmtest.Temporary(llmtest.Small)
	defer remove()
	f, err := gguf.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	d, err := architecture.FromGGUF(f)
	if err != nil {
		log.Fatal(err)
	}
	w, err := weights.OpenGGUF(f, d)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	n, err := network.New(d, w, network.Options{Device: acap.Device()})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := n.LastRows([]int{5, 17, 40})
	if err != nil {
		log.Fatal(err)
	}
	rows = rows.Narrow(0, 0, 3) // the program is for up to eight tokens
	fmt.Println(rows.Shape(), n.Scores(n.Normed(rows)).Shape())
	// Output:
	// [3 64] [3 320]
}
