package onnx

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// A small file can ask for much: loops are unrolled, and shapes are numbers. These bound what one
// evaluation does; a model that needs more is refused.
const (
	// maxSteps bounds the nodes that are executed and the calls that they make, beyond those that
	// the model's own nodes need once, whose number the file's size limits.
	maxSteps = 20_000
	// stepsPerNode are those that a node of the file may take.
	stepsPerNode = 64
	// maxCalls bounds the nesting of functions and subgraphs that run.
	maxCalls = 200
	// maxWork bounds the elements that are computed here, and the comparisons of elements.
	maxWork = 1 << 27
)

// step counts the execution of nodes and calls.
func (ev *evaluator) step(n int) {
	if ev.steps += n; ev.steps > ev.maxSteps {
		failf("the model runs more than %d nodes and calls", ev.maxSteps)
	}
}

// work counts elements that are computed here.
func (ev *evaluator) work(n int) {
	if n < 0 || n > maxWork-ev.worked {
		failf("more than %d elements of constants are computed before the model runs", maxWork)
	}
	ev.worked += n
}

// numbers returns a known tensor of whole numbers.
func (n *node) numbers(d dtype.DType, dims []int, f func(i int) int) *buf.Buffer {
	b := n.buffer(d, dims)
	for i := range b.Len() {
		b.SetInt64(i, int64(f(i)))
	}
	return b
}

// buffer returns memory for a tensor that is computed here.
func (n *node) buffer(d dtype.DType, dims []int) *buf.Buffer {
	if err := shape.Check(dims); err != nil {
		failf("%w", err)
	}
	n.ev.work(shape.Size(dims))
	return buf.New(d, dims)
}
