package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/buf/npy"
)

func init() {
	suites["models"] = func(args []string) error { return conformanceFolders("models", args, nil) }
}

// The tolerances of the recorded results of models.
const modelRelative, modelAbsolute = 1e-3, 1e-4

// conformanceFolders runs the folders of a folder. A test is a folder for check; without one it is each
// model.pt and model.onnx in a folder.
func conformanceFolders(suite string, args []string, check func(d device.Device, dir string) error) error {
	var dev deviceFlags
	f := newFlags("conformance "+suite, "DIR [-run TEXT] [-v] [-json] [flags]")
	dev.flags(f)
	only := f.String("run", "", "only tests whose name contains this `text`")
	verbose := f.Bool("v", false, "name the tests that pass, too")
	asJSON := f.Bool("json", false, "print a JSON line for each test")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		f.Usage()
		return errUsage
	}
	d, err := dev.open()
	if err != nil {
		return err
	}
	tests, err := folders(rest[0], check == nil)
	if err != nil {
		return err
	}
	passed, total := 0, 0
	line := newProgress("tests", len(tests))
	for i, test := range tests {
		name, err := filepath.Rel(rest[0], test)
		if err != nil {
			return err
		}
		if !strings.Contains(name, *only) {
			continue
		}
		line.update(i, name)
		o := outcome{Name: name, Outcome: "passed"}
		if check != nil {
			err = check(d, test)
		} else {
			err = checkModel(d, test)
		}
		if total++; err == nil {
			passed++
		} else {
			o.Outcome, o.Reason = "failed", err.Error()
		}
		switch {
		case *asJSON:
			json.NewEncoder(stdout).Encode(o)
		case err != nil:
			line.finish()
			fmt.Fprintf(stdout, "failed %s: %s\n", name, o.Reason)
		case *verbose:
			line.finish()
			fmt.Fprintf(stdout, "passed %s\n", name)
		}
	}
	line.finish()
	if !*asJSON {
		fmt.Fprintf(stdout, "%d of %d tests passed on %s\n", passed, total, d.Name())
	}
	if total == 0 {
		return errors.New("no tests there")
	}
	if passed != total {
		return fmt.Errorf("%d tests failed", total-passed)
	}
	return nil
}

// folders lists the folders in a folder, or the models in them.
func folders(dir string, models bool) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		for _, model := range []string{"model.pt", "model.onnx"} {
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
	defer catchPanic(&err)
	inputs, err := modelInputs(model, nil)
	if err != nil {
		return err
	}
	module, err := loadModuleFor(model, inputs)
	if err != nil {
		return err
	}
	outputs, err := compute(d, module, inputs)
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
		if err := compare(outputs[i], want, modelRelative, modelAbsolute); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
}

// compute compiles a module and runs it once.
func compute(d device.Device, module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	ctx := context.Background()
	exe, err := d.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(ctx, inputs)
}
