package native

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
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

// recorder is a processor that notes the text of all programs.
type recorder struct {
	vector.Processor
	list *[]string
}

func (r recorder) Backend(f cpu.Features) vector.Backend {
	return recordingBackend{r.Processor.Backend(f), r.list}
}

func (r recorder) Parts(f cpu.Features, listed bool) vector.Parts {
	return recordingParts{r.Processor.Parts(f, listed), r.list}
}

type recordingBackend struct {
	vector.Backend
	list *[]string
}

func (r recordingBackend) Build(write func() *vector.Program, words, fault int) (*vector.Machine, error) {
	return record(r.Backend, r.list, write, words, fault)
}

type recordingParts struct {
	vector.Parts
	list *[]string
}

func (r recordingParts) Build(write func() *vector.Program, words, fault int) (*vector.Machine, error) {
	return record(r.Parts, r.list, write, words, fault)
}

// record builds a program, and notes the text of one that was built and differs from all before.
func record(b vector.Backend, list *[]string, write func() *vector.Program, words, fault int) (*vector.Machine, error) {
	m, err := b.Build(write, words, fault)
	if err != nil {
		return nil, err
	}
	if text := strings.TrimRight(write().String(), "\n"); !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
	return m, nil
}
