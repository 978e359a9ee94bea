package nn

import (
	"io"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/importer/torchscript"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/trace"
)

// TorchScript is a model read from a .pt file, callable on tensors. Its
// parameters live on one device. Several goroutines may call it at once.
type TorchScript struct {
	model   *torchscript.Model
	runtime *lazy.Runtime

	mu     sync.Mutex
	leaves map[*buf.Buffer]ops.Value
}

// LoadTorchScript reads a model that torch.jit.save wrote and puts it on a device.
func LoadTorchScript(path string, dev device.Device) (*TorchScript, error) {
	m, err := torchscript.Load(path)
	if err != nil {
		return nil, err
	}
	return newTorchScript(m, dev), nil
}

// ReadTorchScript is [LoadTorchScript] for a file in memory or of another kind;
// name stands for it in messages.
func ReadTorchScript(r io.ReaderAt, size int64, name string, dev device.Device) (*TorchScript, error) {
	m, err := torchscript.Read(r, size, name)
	if err != nil {
		return nil, err
	}
	return newTorchScript(m, dev), nil
}

func newTorchScript(m *torchscript.Model, dev device.Device) *TorchScript {
	return &TorchScript{model: m, runtime: lazy.For(dev), leaves: map[*buf.Buffer]ops.Value{}}
}

// Forward records (or, on the host, runs) the model's forward. The inputs must
// be on the model's device. The error names the place in the model's code.
func (t *TorchScript) Forward(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error) {
	values := make([]ops.Value, len(inputs))
	for i, x := range inputs {
		_, values[i] = x.To(t.runtime.Device()).Trace()
	}
	defer trace.Enter("")()
	results, err := t.model.Forward(recorder{t.runtime, t}, values)
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Tensor, len(results))
	for i, v := range results {
		out[i] = tensor.FromTrace(t.runtime, v)
	}
	return out, nil
}

// recorder records a model's computation in the trace of its device.
type recorder struct {
	*lazy.Runtime
	t *TorchScript
}

// Constant implements [importer.Builder]. A parameter is one leaf, however
// often it is used.
func (r recorder) Constant(name string, data *buf.Buffer) ops.Value {
	r.t.mu.Lock()
	defer r.t.mu.Unlock()
	if v := r.t.leaves[data]; v != nil {
		return v
	}
	v := trace.Constant(data)
	if name != "" {
		r.t.leaves[data] = v
	}
	return v
}

// SetLocation implements [importer.Builder].
func (r recorder) SetLocation(l mlir.Location) { trace.SetLocation(l) }
