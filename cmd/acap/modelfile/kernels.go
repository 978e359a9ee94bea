package modelfile

import (
	"context"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/mlir"
)

// configuredAs returns a device that compiles as an artifact was.
func configuredAs(path string, dev device.Configurable) (device.Device, error) {
	file, err := artifact.Open(path)
	if err != nil {
		return nil, err
	}
	config, err := file.Settings()
	if err != nil {
		return nil, inputfile.Named(path, err)
	}
	return device.Configure(dev, config)
}

// Kernels compiles the module of a model, or of an artifact as the artifact was compiled, and returns the kernels of a
// run. The kernels do not depend on the machine.
func Kernels(model string, module *mlir.Operation) (_ []report.Kernel, err error) {
	dev := device.Device(acap.Device())
	if IsArtifact(model) {
		if dev, err = configuredAs(model, acap.Device()); err != nil {
			return nil, err
		}
	}
	exe, err := dev.Compile(context.Background(), module)
	if err != nil {
		return nil, inputfile.Named(model, err)
	}
	defer exe.Close()
	var out []report.Kernel
	for _, k := range exe.(*acap.Program).Described() {
		if k.Work != nil && !k.Once {
			out = append(out, k)
		}
	}
	return out, nil
}
