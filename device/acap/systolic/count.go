package systolic

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
)

// Product is M × K times K × N on Rows × Cols cells.
type Product struct {
	Flow       machine.Dataflow
	Rows, Cols int
	M, K, N    int
	// Input, Filter and Output are the sizes of the scratchpads in words: for M × K, for K × N and for results. Words
	// is how many words each scratchpad exchanges with the memory in a cycle.
	Input, Filter, Output int
	Words                 int
	// Image is the image from which M × K is made, if the product is a convolution; else nil.
	Image *Image
}

// Cycles are the cycles of a product.
type Cycles struct {
	Compute int64 `json:"compute_cycles"` // of the cells
	Stalls  int64 `json:"stall_cycles"`   // in which the cells wait for words
	Total   int64 `json:"total_cycles"`   // both
	// WithPrefetch is from the first word that is read to the last that is written.
	WithPrefetch int64 `json:"total_cycles_with_prefetch"`
	// InputReads, FilterReads and Writes are words of whole transfers.
	InputReads  int64 `json:"input_reads"`
	FilterReads int64 `json:"filter_reads"`
	Writes      int64 `json:"writes"`
}

// mostLines bounds what is counted line by line.
const mostLines = 1 << 28

// Count counts the cycles. Numbers that are not positive or are too large are an error, and so is an image that does
// not give the rows of the product.
func (p Product) Count() (Cycles, error) {
	for _, v := range []int{p.Rows, p.Cols, p.M, p.K, p.N, p.Input, p.Filter, p.Output, p.Words} {
		if v < 1 || v > 1<<24 {
			return Cycles{}, fmt.Errorf("systolic: %+v: want numbers from 1 to %d", p, 1<<24)
		}
	}
	w, err := p.walk()
	if err != nil {
		return Cycles{}, err
	}
	var windows *windows
	if p.Image != nil {
		if err := p.Image.check(p.M, p.K); err != nil {
			return Cycles{}, err
		}
		if windows, err = p.Image.windows(w.input, p.M, p.K, p.Flow != machine.OutputStationary); err != nil {
			return Cycles{}, err
		}
	}
	input, filter := newReads(p.Input, p.Words, w.input), newReads(p.Filter, p.Words, w.filter)
	input.windows = windows
	output := newWrites(p.Output, p.Words)
	var line, stalls, served int64
	for fc := range w.colFolds {
		for fr := range w.rowFolds {
			for l := range w.length {
				cycle := line + stalls
				stall := max(input.line(cycle, fc, fr, l), filter.line(cycle, fc, fr, l))
				wrote := output.line(cycle, w.results(fc, fr, l))
				served = max(served, wrote)
				stalls += max(stall, wrote-cycle)
				line++
			}
		}
	}
	end := output.flush(served)
	return Cycles{Compute: served - stalls, Stalls: stalls, Total: served, WithPrefetch: end + max(input.first, filter.first),
		InputReads: input.words, FilterReads: filter.words, Writes: output.words}, nil
}
