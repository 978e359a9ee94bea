package llm

import (
	"fmt"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/llm/lora"
)

// Adapter is a LoRA adapter of a model: its file or folder, and what it is multiplied by beside its own scale.
type Adapter struct {
	Path  string
	Scale float64
}

// Adapters are the adapters that the model was loaded with.
func (m *Model) Adapters() []Adapter { return m.adapters }

// adapt adds adapters with their scales, which are 1 if there are none.
func (m *Model) adapt(paths []string, scales []float64) error {
	if len(scales) > 0 && len(scales) != len(paths) {
		return fmt.Errorf("LoadOptions has %d AdapterScales for %d Adapters", len(scales), len(paths))
	}
	for i, path := range paths {
		scale := 1.0
		if len(scales) > 0 {
			scale = scales[i]
		}
		if err := lora.Adapt(m.network, path, scale); err != nil {
			return fmt.Errorf("adapter: %w", inputfile.Named(path, err))
		}
		m.adapters = append(m.adapters, Adapter{path, scale})
	}
	return nil
}
