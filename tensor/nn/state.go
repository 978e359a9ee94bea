package nn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/tensor"
)

// StateDict returns all tensors of a model by their paths, which are PyTorch's for the layers of this package. They are
// not copied.
func StateDict(m any) map[string]*tensor.Tensor {
	state := map[string]*tensor.Tensor{}
	walk(m, nil, func(name string, t *tensor.Tensor) { state[name] = t })
	return state
}

// LoadStateDict gives the tensors of a model the values of a state, converted to their
// element types and devices; handles and parameters stay. It changes nothing if a tensor
// is missing, has another shape, or is not of the model; the counts of batches that
// PyTorch keeps are ignored. A tensor with several names needs one of them. The error names all such tensors.
func LoadStateDict(m any, state map[string]*tensor.Tensor) error {
	if err := checkState(m, state); err != nil {
		return err
	}
	return tensor.Try(func() {
		own := StateDict(m)
		for _, name := range slices.Sorted(maps.Keys(own)) {
			if state[name] == nil { // it has another name
				continue
			}
			t, s := own[name], state[name].Detach()
			if s.DType() != t.DType() {
				s = tensor.Call("_to_copy", s, tensor.DType(t.DType()))[0]
			}
			t.Assign(s.To(t.Device()))
		}
	})
}

// checkState says what keeps a state from being loaded into a model.
func checkState(m any, state map[string]*tensor.Tensor) error {
	own := StateDict(m)
	given := map[*tensor.Tensor]bool{}
	for name, t := range own {
		given[t] = given[t] || state[name] != nil
	}
	var wrong []string
	for name, t := range own {
		switch s := state[name]; {
		case s == nil && given[t]:
		case s == nil:
			wrong = append(wrong, name+" is missing")
		case !shape.Equal(s.Shape(), t.Shape()):
			wrong = append(wrong, fmt.Sprintf("%s has the shape %s, not %s", name, shape.String(s.Shape()),
				shape.String(t.Shape())))
		}
	}
	for name := range state {
		if own[name] == nil && !strings.HasSuffix(name, "num_batches_tracked") {
			wrong = append(wrong, name+" is not of the model")
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("nn: %s", strings.Join(wrong, "; "))
	}
	return nil
}
