package native

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// Programs returns the vector programs of which the machine code of a kernel is made for a processor, in the text form that
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
