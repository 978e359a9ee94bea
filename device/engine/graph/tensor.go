package graph

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// Tensor is flat memory that holds the elements of one or more values of the
// program. Every value is a view of a tensor.
type Tensor struct {
	Kind  TensorKind
	DType dtype.DType
	Size  int    // elements
	Index int    // of an argument
	Data  []byte // of a constant
	Bits  uint64 // of a splat
	// Writers fill the memory, in this order.
	Writers []*Node
	// reach is the end, along each dimension, of the boxes that the first boxed writers fill.
	reach []int
	boxed int
	// Stored is the tensor with the elements of a splat in memory, once needed.
	Stored *Tensor
	// Real is the tensor of an earlier piece of the function that this one stands for while the pieces are converted.
	Real *Tensor

	Readers int  // while kernels are ordered: clusters still to come that read it
	Varies  bool // from run to run: it depends on an input that is not constant
	Slot    int  // one more than the number of its slot; 0 if it has none
}

// TensorKind says where the elements of a tensor come from.
type TensorKind uint8

const (
	Temporary TensorKind = iota
	Empty                // unspecified contents
	Uniform              // every element is the same constant
	Argument             // an input of the program
	Constant             // data of the module
)

// Extend counts the box of the last writer. It reports whether the box lies behind the boxes of all earlier writers
// along some dimension.
func (t *Tensor) Extend(box [][3]int) (apart bool) {
	earlier := len(t.Writers) - 1
	if earlier != t.boxed || earlier > 0 && len(t.reach) != len(box) {
		return false // of a writer before the box is not known
	}
	t.boxed++
	if earlier == 0 {
		t.reach = make([]int, len(box))
	}
	for d, b := range box {
		apart = apart || b[0] >= t.reach[d]
		t.reach[d] = max(t.reach[d], b[0]+max(b[1]-1, 0)*b[2]+1)
	}
	return apart && earlier > 0
}

// Producer returns the node that alone computes a tensor, if it does.
func (t *Tensor) Producer() *Node {
	if t.Kind != Temporary || len(t.Writers) != 1 {
		return nil
	}
	return t.Writers[0]
}

func (t *Tensor) String() string { return fmt.Sprintf("%s[%d]", t.DType, t.Size) }
