package report

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
)

// Sparsity is the products of a run with constant weights of which two of every four neighbours along the sum are zero.
type Sparsity struct {
	Products int   `json:"products"` // with constant weights of 8 or 16 bits
	Skipped  int   `json:"skipped"`  // whose zeros are neither stored nor multiplied
	Kept     int   `json:"kept"`     // whose zeros are: the machine has no multipliers that skip them, or cells would take no less
	Bytes    int64 `json:"bytes"`    // of the weights whose zeros are skipped, masks included
	Dense    int64 `json:"dense"`    // of the same weights with their zeros
}

// Sparsity counts them.
func (r *Report) Sparsity() (s Sparsity) {
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Once || k.Work == nil || k.Work.Kind != workload.KindContraction {
			continue
		}
		c := &k.Work.Contraction
		if !c.B.Constant || c.B.DType.Size() > 2 {
			continue
		}
		s.Products++
		switch {
		case c.B.Zeros:
			s.Kept++
		case c.B.Format == dtype.Sparse24:
			batch := int64(c.Batch)
			if c.B.Shared {
				batch = 1
			}
			s.Skipped++
			s.Bytes += batch * int64(c.B.Bytes(c.K, c.N))
			s.Dense += batch * int64(c.K*c.N*c.B.DType.Size())
		}
	}
	return s
}

// sparsityLine is the line of the summary about sparse products, "" if there are none.
func (r *Report) sparsityLine() string {
	s, text := r.Sparsity(), ""
	if s.Skipped > 0 {
		text = fmt.Sprintf("sparse weights: of %s with constant weights of 8 or 16 bits %d have two zeros of every four along the sum, "+
			"which are not multiplied; weights and masks take %s instead of %s\n", count(s.Products, "product"), s.Skipped, Bytes(s.Bytes), Bytes(s.Dense))
	}
	if s.Kept > 0 {
		text += fmt.Sprintf("sparse weights: %s with two zeros of every four along the sum are computed as dense ones: %s has no rate for "+
			"products that skip zeros, or masks would take more than that saves\n", count(s.Kept, "product"), r.Machine.Name)
	}
	return text
}
