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

// inOrder are those of kinds with sums, in a fixed order.
var inOrder = kernel.Table[func(kernel.Kernel) kernel.Code]{}

// registerFixed says how a kind of kernels is prepared in a fixed order.
func registerFixed[K kernel.Kernel](compile func(K) kernel.Code) {
	inOrder[kernel.Kind[K]()] = func(k kernel.Kernel) kernel.Code { return compile(k.(K)) }
}

// CompileFixed is [Compile] with sums in an order that only their own extents decide: see fixed.go.
func CompileFixed(k kernel.Kernel) (kernel.Code, error) {
	compile, ok := inOrder.Of(k)
	if !ok { // what has no sums, or one order of them
		return Compile(k)
	}
	if err := kernel.Verify(k); err != nil {
		return nil, err
	}
	return compile(k), nil
}
