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
	if code, err := machineCode(k, f); code != nil || err != nil {
		return code, err
	}
	return portable.Compile(k)
}

// machineCode generates the code of a kernel. The code is nil for a kernel that has to be portable.
func machineCode(k kernel.Kernel, f cpu.Features) (kernel.Code, error) {
	if f.Level == cpu.Portable || !exec.Supported || Refused() != nil {
		return nil, nil
	}
	code, err := generate(k, f)
	if unsupported(err) {
		code, err = deferEpilogue(k, f, err)
	}
	switch {
	case errors.Is(err, exec.ErrRefused):
		refuse(err)
		return nil, nil
	case unsupported(err):
		fallBack(k, f, err)
		return nil, nil
	}
	return code, err
}

// fallBack notes why a kernel becomes portable code.
func fallBack(k kernel.Kernel, f cpu.Features, why error) {
	if f.Fallbacks != nil && f.Level > cpu.Portable {
		*f.Fallbacks = append(*f.Fallbacks, fmt.Errorf("%s: %w", k.Account().What, why))
	}
}
