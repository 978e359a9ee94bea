package nn

import (
	"fmt"

	"github.com/go-acap/acap/tensor"
)

// Embedding takes indices to rows of a table.
type Embedding struct {
	Weight  *tensor.Tensor // [rows dim]
	Padding int            // index whose row gets no gradient; -1 for none
	hook
}

// NewEmbedding returns a table of numbers from the standard normal distribution.
func NewEmbedding(rows, dim int) *Embedding {
	return &Embedding{Weight: parameter(tensor.Randn(rows, dim)), Padding: -1}
}

// Forward takes integers […] to the rows that they number, [… dim].
func (e *Embedding) Forward(x *tensor.Tensor) *tensor.Tensor {
	return e.seen(tensor.Embedding(e.Weight, x, tensor.PaddingIdx(e.Padding)))
}

// String implements [fmt.Stringer].
func (e *Embedding) String() string {
	return fmt.Sprintf("Embedding(%d, %d)", e.Weight.Size(0), e.Weight.Size(1))
}

// BagMode is how an [EmbeddingBag] joins the rows of a bag.
type BagMode int

// The modes: sum, mean and maximum of the rows.
const (
	BagSum BagMode = iota
	BagMean
	BagMax
)

// EmbeddingBag takes bags of indices to the sum, the mean or the maximum of their rows.
type EmbeddingBag struct {
	Weight *tensor.Tensor // [rows dim]
	Mode   BagMode
	hook
}

// NewEmbeddingBag returns a table of numbers from the standard normal distribution.
func NewEmbeddingBag(rows, dim int, mode BagMode) *EmbeddingBag {
	return &EmbeddingBag{Weight: parameter(tensor.Randn(rows, dim)), Mode: mode}
}

// Forward takes indices [N] and where each bag begins [bags] to [bags dim].
func (e *EmbeddingBag) Forward(indices, offsets *tensor.Tensor) *tensor.Tensor {
	y, _, _, _ := tensor.EmbeddingBag(e.Weight, indices, offsets, tensor.With("mode", int(e.Mode)))
	return e.seen(y)
}

// String implements [fmt.Stringer].
func (e *EmbeddingBag) String() string {
	return fmt.Sprintf("EmbeddingBag(%d, %d)", e.Weight.Size(0), e.Weight.Size(1))
}
