// Package native compiles kernels with the best back end of this machine.
//
// The back ends are avx512, avx2 and portable, in this order. The environment
// variable ACAP_KERNELS names one of them to use it and none above it; a kernel
// that a back end cannot compile goes to the next.
package native

import (
	"errors"
	"slices"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/portable"
	"github.com/go-acap/acap/device/kernel/x86/attention"
	"github.com/go-acap/acap/device/kernel/x86/conv"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/device/kernel/x86/gemm"
	"github.com/go-acap/acap/device/kernel/x86/nest"
)

// Compile turns a kernel into code for this machine.
func Compile(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, cpu.Detect()) }

// CompileFor turns a kernel into code that needs no more than the features of f.
func CompileFor(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	if err := kernel.Verify(k); err != nil {
		return nil, err
	}
	if f.Level > cpu.Portable {
		if code, err := generate(k, f); !unsupported(err) {
			return code, err
		}
	}
	return portable.Compile(k)
}

// generate compiles a kernel to machine code.
func generate(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	nests := func(n *kernel.Nest) (kernel.Code, error) { return nest.Compile(n, f) }
	switch k := k.(type) {
	case *kernel.Nest:
		return nests(k)
	case *kernel.Contraction:
		return gemm.Compile(k, f, nests)
	case *kernel.Convolution:
		code, err := conv.Compile(k, f, nests)
		if errors.Is(err, conv.ErrUnsupported) && !plain(k) {
			return deferConvolution(k, f)
		}
		return code, err
	case *kernel.Attention:
		return attention.Compile(k, f, func(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, f) })
	}
	return nil, nest.ErrUnsupported
}

// plain reports whether a convolution stores its sums as they are, densely: there
// is then nothing to defer.
func plain(c *kernel.Convolution) bool {
	e := &c.Epilogue
	return len(e.Body) == 2 && len(e.Access) == 1 && e.Access[0].Offset == 0 &&
		slices.Equal(e.Access[0].Outer, []int{c.K * c.P * c.Q, c.P * c.Q, c.Q, 1})
}

// unsupported reports whether err says that a kernel has to go to another back end.
func unsupported(err error) bool {
	return errors.Is(err, nest.ErrUnsupported) || errors.Is(err, gemm.ErrUnsupported) ||
		errors.Is(err, conv.ErrUnsupported) || errors.Is(err, attention.ErrUnsupported)
}
