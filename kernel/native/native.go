package native

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/portable"
)

// Compile turns a kernel into code for this machine.
func Compile(k kernel.Kernel) (kernel.Code, error) { return CompileFor(k, cpu.Detect()) }

// Setting returns what is wrong with the environment variables ACAP_PROCESSOR, ACAP_KERNELS and ACAP_CODE, of type
// [*environment.Error].
func Setting() error {
	if err := cpu.Detect().Rejected; err != nil {
		return err
	}
	_, err := exec.Setting()
	return err
}

// GeneratorError is a mistake of a code generator, which panicked.
type GeneratorError struct {
	Kernel kernel.Kernel
	Panic  any
	Stack  []byte
}

func (e *GeneratorError) Error() string {
	return fmt.Sprintf("BUG: native: no code for this kernel: %v\n%s", e.Panic, e.Kernel)
}

// CompileFor turns a kernel into code that needs no more than the features of f, which is portable where the system
// cannot run generated code, or refuses to (see [Refused]). A panic of a generator is returned as a [*GeneratorError].
func CompileFor(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	if err := kernel.Verify(k); err != nil {
		return nil, err
	}
	if f.Fixed {
		return compileFixed(k, f)
	}
	if f.Level > cpu.Portable && exec.Supported && Refused() == nil {
		code, err := generate(k, f)
		if unsupported(err) {
			code, err = deferEpilogue(k, f)
		}
		if errors.Is(err, exec.ErrRefused) {
			refuse(err)
		} else if code != nil || err != nil && !unsupported(err) {
			return code, err
		}
	}
	return portable.Compile(k)
}
