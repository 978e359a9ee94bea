package modelfile

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/report"
)

// Kernels compiles a model and returns the kernels of a run; the machine does not matter for what
// they are.
func Kernels(model string, inputs []string) ([]report.Kernel, error) {
	data, err := Inputs(model, inputs)
	if err != nil {
		return nil, err
	}
	module, err := LoadFor(model, data)
	if err != nil {
		return nil, err
	}
	exe, err := acap.Device().Compile(context.Background(), module)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	defer exe.Close()
	var out []report.Kernel
	for _, k := range acap.ReportOf(exe).Kernels {
		if k.Work != nil && !k.Once {
			out = append(out, k)
		}
	}
	return out, nil
}
