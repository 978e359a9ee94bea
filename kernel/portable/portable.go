package portable

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
)

// Compile prepares a kernel to run. A kernel that [kernel.Verify] refuses is
// refused here.
func Compile(k kernel.Kernel) (kernel.Code, error) {
	if err := kernel.Verify(k); err != nil {
		return nil, err
	}
	switch k := k.(type) {
	case *kernel.Nest:
		return compileNest(k), nil
	case *kernel.Contraction:
		return compileContraction(k), nil
	case *kernel.Convolution:
		return compileConvolution(k), nil
	case *kernel.Attention:
		return compileAttention(k), nil
	case *kernel.Scan:
		return compileScan(k), nil
	case *kernel.Sort:
		return compileSort(k), nil
	case *kernel.Scatter:
		return compileScatter(k), nil
	case *kernel.Random:
		return &randomCode{k}, nil
	case *kernel.Unpack:
		return &unpackCode{k}, nil
	}
	return nil, fmt.Errorf("portable: unknown kind of kernel %T", k)
}
