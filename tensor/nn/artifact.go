package nn

import (
	"context"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/tensor"
)

// Artifact is a compiled model of an .acap file, callable on tensors of the types for which it was
// compiled. It has no parameters and no gradients. Several goroutines may call it at once.
type Artifact struct {
	exe device.Executable
	dev device.Device
	// Notice says why the model was compiled again, if it was: the file is from another version, for
	// another processor or with another configuration.
	Notice string
}

// LoadArtifact reads a compiled model for a device; nil is the device that the model was made for. A damaged file is an
// error, and so is a file of another machine that cannot be compiled again.
func LoadArtifact(path string, dev device.Device) (*Artifact, error) {
	f, err := artifact.Open(path)
	if err != nil {
		return nil, err
	}
	if dev == nil {
		if dev, err = f.OwnDevice(); err != nil {
			return nil, err
		}
	}
	exe, notice, err := f.Load(context.Background(), dev)
	if err != nil {
		return nil, err
	}
	return &Artifact{exe: exe, dev: dev, Notice: notice}, nil
}

// Forward computes the model at once. The error names what is wrong with the inputs.
func (a *Artifact) Forward(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error) {
	ctx := context.Background()
	data := make([]*buf.Buffer, len(inputs))
	for i, x := range inputs {
		b, err := x.Buffer(ctx)
		if err != nil {
			return nil, err
		}
		data[i] = b
	}
	results, err := a.exe.Run(ctx, data)
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Tensor, len(results))
	for i, b := range results {
		out[i] = tensor.FromBuffer(b).To(a.dev)
	}
	return out, nil
}

// Executable returns the program, for who wants its memory, its text or its report.
func (a *Artifact) Executable() device.Executable { return a.exe }

// Close ends the use of the model.
func (a *Artifact) Close() { a.exe.Close() }
