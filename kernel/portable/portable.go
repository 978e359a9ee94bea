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
	compile, ok := compilers.Of(k)
	if !ok {
		return nil, fmt.Errorf("portable: unknown kind of kernel %T", k)
	}
	return compile(k), nil
}

// compilers are the functions that prepare the kinds of kernels.
var compilers = kernel.Table[func(kernel.Kernel) kernel.Code]{}

// register says how a kind of kernels is prepared.
func register[K kernel.Kernel](compile func(K) kernel.Code) {
	compilers[kernel.Kind[K]()] = func(k kernel.Kernel) kernel.Code { return compile(k.(K)) }
}
