package build

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
)

// operand is how an operand of a product lies in memory: as elements, or as cells of a packed
// format, each a few words. The cells of a matrix lie as its elements would.
type operand struct {
	dtype    dtype.DType
	k, other int // values of a cell along the contracted dimension and the other one
	each     int // elements of a cell
}

func operandOf(o *workload.Operand) operand {
	k, other, bytes := o.Cell()
	if o.Format == dtype.Plain {
		return operand{o.DType, 1, 1, 1}
	}
	return operand{dtype.I32, k, other, bytes / workload.Word}
}

// left returns the rows and columns of elements of so much of A, M × K, and right of B, K × N.
func (o *operand) left(m, k int) (rows, cols int)  { return m / o.other, k / o.k * o.each }
func (o *operand) right(k, n int) (rows, cols int) { return k / o.k, n / o.other * o.each }
