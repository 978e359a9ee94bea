package weights

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm/architecture"
)

// whole says which of the weights that the architecture has is not in the folder.
func (w *Folder) whole(d *architecture.Description, wanted []string) error {
	for i := range d.Layers {
		parts := d.Parts(i)
		for _, name := range wanted {
			part, _, _ := strings.Cut(name, ".")
			if _, ok := parts[part]; ok && w.Shape(architecture.WeightName(i, name)) == nil {
				return fmt.Errorf("there is no weight %s, which a %s has", architecture.WeightName(i, name), d.Architecture)
			}
		}
	}
	last := d.TopNorm()
	if d.Norm == "layer" && !slices.Contains(architecture.Unbiased, d.Architecture) && w.Shape(last+".bias") == nil {
		return fmt.Errorf("there is no weight %s.bias, which a %s has", last, d.Architecture)
	}
	if d.Architecture == "bert" && w.Shape("token_types.weight") == nil {
		return fmt.Errorf("there is no weight token_types.weight, which a %s has", d.Architecture)
	}
	return nil
}
