package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/translate/importer/onnx"
)

// The tolerances of ONNX's own runner of backend tests (onnx/backend/test/runner). Half types get
// two units in the last place.
const nodeRelative, nodeAbsolute = 1e-3, 1e-7

// checkNodeTest runs a folder in the form of ONNX's backend tests: model.onnx, and inputs and outputs
// in test_data_set_N. Results of random operators are compared by type and shape.
func checkNodeTest(d device.Device, dir string) (err error) {
	defer CatchPanic(&err)
	m, err := onnx.Load(filepath.Join(dir, "model.onnx"))
	if err != nil {
		return err
	}
	sets, err := filepath.Glob(filepath.Join(dir, "test_data_set_*"))
	if err != nil {
		return err
	}
	if len(sets) == 0 {
		return fmt.Errorf("no test_data_set_0")
	}
	for _, set := range sets {
		if err := checkDataSet(d, m, set); err != nil {
			return err
		}
	}
	return nil
}

func checkDataSet(d device.Device, m *onnx.Model, set string) error {
	inputs, err := readValues(set, "input", m.ReadInput)
	if err != nil {
		return err
	}
	want, err := readValues(set, "output", m.ReadOutput)
	if err != nil {
		return err
	}
	bound, err := m.Bind(inputs, host.Run)
	if err != nil {
		return err
	}
	results, err := Compute(d, bound.Module, bound.Inputs)
	if err != nil {
		return err
	}
	have, err := bound.Results(results)
	if err != nil {
		return err
	}
	if len(want) > len(have) {
		return fmt.Errorf("%d outputs, expected %d", len(have), len(want))
	}
	for i, w := range want {
		if err := compareValues(have[i], w, m.IsRandom()); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// readValues reads NAME_0.pb, NAME_1.pb and so on.
func readValues(dir, name string, read func(i int, data []byte, name string) (onnx.Value, error)) ([]onnx.Value, error) {
	var values []onnx.Value
	for i := 0; ; i++ {
		path := filepath.Join(dir, fmt.Sprintf("%s_%d.pb", name, i))
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return values, nil
		}
		data, err := inputfile.Read(path)
		if err != nil {
			return nil, err
		}
		v, err := read(i, data, path)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
}

func compareValues(have, want onnx.Value, random bool) error {
	switch {
	case have.IsSequence != want.IsSequence || (have.Tensor == nil) != (want.Tensor == nil) ||
		(have.Texts == nil) != (want.Texts == nil) || (have.Map == nil) != (want.Map == nil):
		return fmt.Errorf("a tensor, texts, a map, a sequence or nothing stands where something else is expected")
	case want.Texts != nil:
		if !slices.Equal(have.Texts.Shape, want.Texts.Shape) || !slices.Equal(have.Texts.Elements, want.Texts.Elements) {
			return fmt.Errorf("texts are %q in %v, expected %q in %v", have.Texts.Elements, have.Texts.Shape,
				want.Texts.Elements, want.Texts.Shape)
		}
	case want.Map != nil:
		if err := compareValues(have.Map.Keys, want.Map.Keys, false); err != nil {
			return fmt.Errorf("keys: %w", err)
		}
		return compareValues(have.Map.Items, want.Map.Items, random)
	case len(have.Sequence) != len(want.Sequence):
		return fmt.Errorf("a sequence of %d, expected %d", len(have.Sequence), len(want.Sequence))
	case want.Tensor != nil && have.Tensor.DType != want.Tensor.DType:
		return fmt.Errorf("elements are %v, expected %v", have.Tensor.DType, want.Tensor.DType)
	case want.Tensor != nil && random:
		if !slices.Equal(have.Tensor.Shape, want.Tensor.Shape) {
			return fmt.Errorf("shape is %v, expected %v", have.Tensor.Shape, want.Tensor.Shape)
		}
	case want.Tensor != nil:
		relative := nodeRelative
		switch want.Tensor.DType {
		case dtype.F16:
			relative = max(relative, 2.0/(1<<10))
		case dtype.BF16:
			relative = max(relative, 2.0/(1<<7))
		}
		return modelfile.Compare(have.Tensor, want.Tensor, relative, nodeAbsolute)
	}
	for i, w := range want.Sequence {
		if err := compareValues(have.Sequence[i], w, random); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}
