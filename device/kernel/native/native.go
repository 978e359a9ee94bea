// Package native compiles kernels with the best back end of this machine.
//
// The back ends are avx512, avx2 and portable, in this order. The environment
// variable ACAP_KERNELS names one of them to use it and none above it; a kernel
// that a back end cannot compile goes to the next.
package native

import (
	"errors"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/portable"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/device/kernel/x86/nest"
)

// Compile turns a kernel into code for this machine.
func Compile(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, cpu.Detect()) }

// CompileFor turns a kernel into code that needs no more than the features of f.
func CompileFor(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	if n, ok := k.(*kernel.Nest); ok && f.Level > cpu.Portable {
		code, err := nest.Compile(n, f)
		if !errors.Is(err, nest.ErrUnsupported) {
			return code, err
		}
	}
	return portable.Compile(k)
}
