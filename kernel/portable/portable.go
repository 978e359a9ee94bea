package portable

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
)

// Compile prepares a kernel to run. A kernel that [kernel.Verify] refuses is refused here.
func Compile(k kernel.Kernel) (kernel.Code, error) { return compile(k, false) }

// CompileFixed is [Compile] with sums in an order that only their own extents decide: see fixed.go.
func CompileFixed(k kernel.Kernel) (kernel.Code, error) { return compile(k, true) }

func compile(k kernel.Kernel, fixed bool) (kernel.Code, error) {
	if err := kernel.Verify(k); err != nil {
		return nil, err
	}
	compile, ok := compilers.Of(k)
	if !ok {
		return nil, fmt.Errorf("portable: unknown kind of kernel %T", k)
	}
	return compile(k, fixed), nil
}

// compilers are the functions that prepare the kinds of kernels.
var compilers = kernel.Table[func(k kernel.Kernel, fixed bool) kernel.Code]{}

// register says how a kind of kernels is prepared. Kinds without sums, or with one order of them, are the same if fixed.
func register[K kernel.Kernel](compile func(k K, fixed bool) kernel.Code) {
	compilers[kernel.Kind[K]()] = func(k kernel.Kernel, fixed bool) kernel.Code { return compile(k.(K), fixed) }
}

// described is the part of a code that says how it computes a kernel. The code needs no scratch memory.
type described struct {
	kernel.OnePhase
	how    string
	kernel fmt.Stringer
}

func (d *described) Scratch() int    { return 0 }
func (d *described) Close()          {}
func (d *described) Listing() string { return "portable: " + d.how + "\n" + d.kernel.String() }
