package nn

import (
	"io"
	"maps"
	"slices"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// TorchScript is a model read from a .pt file of torch.jit.save or a .pt2 file of torch.export.save, callable on
// tensors. Its parameters live on one device. Several goroutines may call it at once: buffers and attributes that the
// program changes start from the file in every call.
type TorchScript struct{ *imported }

func newTorchScript(m *torchscript.Model, dev device.Device) *TorchScript {
	var state []weight
	named := map[string]bool{}
	for _, p := range m.Parameters() {
		named[p.Name] = true
		state = append(state, weight{name: p.Name, data: p.Data, trainable: !p.IsBuffer})
	}
	if all, err := m.State(); err == nil { // those that layers share have further names
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !named[name] {
				state = append(state, weight{name: name, data: all[name]})
			}
		}
	}
	return &TorchScript{newImported(m.Forward, state, dev)}
}

// LoadTorchScript reads a model that torch.jit.save or torch.export.save wrote and puts it on a device. Errors name the
// file and the place in it.
func LoadTorchScript(path string, dev device.Device) (*TorchScript, error) {
	m, err := torchscript.Load(path)
	if err != nil {
		return nil, err
	}
	return newTorchScript(m, dev), nil
}

// ReadTorchScript is [LoadTorchScript] for a file in memory or of another kind;
// name stands for it in messages. Errors are those of [LoadTorchScript].
func ReadTorchScript(r io.ReaderAt, size int64, name string, dev device.Device) (*TorchScript, error) {
	m, err := torchscript.Read(r, size, name)
	if err != nil {
		return nil, err
	}
	return newTorchScript(m, dev), nil
}
