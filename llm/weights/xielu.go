package weights

import (
	"fmt"
	"regexp"

	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/config"
)

// ofXIELU matches the tensors of a folder with the numbers of an activation.
var ofXIELU = regexp.MustCompile(`\.mlp\.act_fn\.(?:alpha_p|alpha_n|beta|eps)$`)

// xielu reads the numbers of a folder.
func (w *Folder) xielu(d *architecture.Description) error {
	if d.Activation != "xielu" {
		return nil
	}
	var err error
	failed := d.SetXIELU(func(name string) (list []float64) {
		for i := range d.Layers {
			tensor := fmt.Sprintf("model.layers.%d.mlp.act_fn.%s", i, name)
			if w.shapes[tensor] == nil {
				if len(list) > 0 {
					err = fmt.Errorf("there is no tensor %s, which another layer has", tensor)
				}
				return nil
			}
			b, e := w.file.Tensor(tensor)
			if e != nil {
				err = e
				return nil
			}
			values, e := config.Floats(b)
			if e != nil || len(values) != 1 {
				err = fmt.Errorf("%s has %d numbers, not one of floats", tensor, len(values))
				return nil
			}
			list = append(list, float64(values[0]))
		}
		return list
	})
	if err != nil {
		return err
	}
	return failed
}
