package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/npy"
)

// ModelRelative and ModelAbsolute are the tolerances of the recorded results of models.
const ModelRelative, ModelAbsolute = 1e-3, 1e-4

// foldersSuite is a folder with a test in every folder.
type foldersSuite struct {
	root  string
	names []string
	check func(d device.Device, path string) error
}

// openFolders lists the models in the folders of a folder, or those folders.
func openFolders(paths []string, only string, models bool, check func(d device.Device, path string) error) (Suite, error) {
	root, err := onePath(paths)
	if err != nil {
		return nil, err
	}
	tests, err := folders(root, models)
	if err != nil {
		return nil, err
	}
	s := &foldersSuite{root: root, check: check}
	for _, test := range tests {
		name, err := filepath.Rel(root, test)
		if err != nil {
			return nil, err
		}
		if strings.Contains(name, only) {
			s.names = append(s.names, name)
		}
	}
	return s, nil
}

func (s *foldersSuite) Tests() []string { return s.names }

func (s *foldersSuite) Run(d device.Device, name string) ([]Row, error) {
	o := Outcome{Name: name, Outcome: "passed"}
	if err := s.check(d, filepath.Join(s.root, name)); err != nil {
		o.Outcome, o.Reason = "failed", err.Error()
	}
	return []Row{o}, nil
}

// folders lists the folders in a folder, or the models in them.
func folders(dir string, models bool) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		for _, model := range []string{"model.pt", "model.pt2", "model.onnx"} {
			path := filepath.Join(dir, e.Name(), model)
			if _, err := os.Stat(path); err != nil {
				continue
			}
			if !models {
				path = filepath.Dir(path)
			}
			list = append(list, path)
		}
	}
	return list, nil
}

// checkModel runs a model on the inputs beside it and compares with the outputs beside it.
func checkModel(d device.Device, model string) (err error) {
	defer CatchPanic(&err)
	inputs, err := modelfile.Inputs(model, nil)
	if err != nil {
		return err
	}
	module, err := modelfile.LoadFor(model, inputs)
	if err != nil {
		return err
	}
	outputs, err := Compute(d, module, inputs)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		path := filepath.Join(filepath.Dir(model), fmt.Sprintf("output_%d.npy", i))
		if _, err := os.Stat(path); err != nil {
			if i == 0 {
				return errors.New("there is no output_0.npy")
			}
			return nil
		}
		want, err := npy.ReadFile(path)
		if err != nil {
			return err
		}
		if i >= len(outputs) {
			return fmt.Errorf("%d outputs, and there is %s", len(outputs), filepath.Base(path))
		}
		if err := modelfile.Compare(outputs[i], want, ModelRelative, ModelAbsolute); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
}

// Compute compiles a module and runs it once.
func Compute(d device.Device, module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	ctx := context.Background()
	exe, err := d.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(ctx, inputs)
}
