package native

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// Programs returns the vector programs that a kernel's machine code for a processor is made from, in the text form that
// [vector.Parse] reads: one for each way in which elements are packed or computed. Code that is portable Go has none.
func Programs(k kernel.Kernel, f cpu.Features) ([]string, error) {
	var list []string
	f.Programs = &list
	code, err := CompileFor(k, f)
	if err != nil {
		return nil, err
	}
	code.Close()
	return list, nil
}
