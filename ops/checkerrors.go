package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// wantRegular checks, if it is asked to, that a factorization reported no zero pivot.
func (h *HostCall) wantRegular(check bool, info int) error {
	if check && info != 0 {
		return h.ArgErrorf("the matrix is singular (info %d)", info)
	}
	return nil
}

// _linalg_check_errors fails if a factorization reported a number other than 0. The operator returns its operand, so
// that the check is not removed as unused.
func init() {
	register(&Op{
		Schema: "_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()",
		Infer:  inferSame,
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			for _, v := range view[int64](h.Buffer(0)) {
				if v != 0 {
					return nil, h.ArgErrorf("%s failed: the matrix is singular or not positive-definite "+
						"(info %d)", h.Args[1].Text(), v)
				}
			}
			return []*buf.Buffer{h.Buffer(0)}, nil
		},
		Samples: samplesOf(Sample{given(dtype.I32, []int{2}, 0, 0), "linalg.inv", true}),
	})
}
