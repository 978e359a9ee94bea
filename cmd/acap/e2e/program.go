package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/npy"
)

// Program is a program with inputs and what it should compute.
type Program struct {
	Name string
	open func() (opened, error)
}

// opened is a program that has been read.
type opened struct {
	module       *mlir.Operation
	inputs, want []*buf.Buffer
}

// Expectation says why a program must fail under a configuration; it is empty if the program must not.
type Expectation func(config, program string) (why string)

// expectedFile names, in a directory of serialized programs, those that must fail:
// {"configuration": ["program"]}.
const expectedFile = "expected_failures.json"

// Programs returns the programs of this package and those of a directory, with the expected failures that the directory
// lists. An empty name stands for no directory.
func Programs(dir string) ([]Program, Expectation, error) {
	var list []Program
	for i := range cases {
		p, err := cases[i].program(uint64(i))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", cases[i].name, err)
		}
		list = append(list, p)
	}
	if dir == "" {
		return list, func(string, string) string { return "" }, nil
	}
	expected := map[string][]string{}
	text, err := os.ReadFile(filepath.Join(dir, expectedFile))
	if err == nil {
		err = json.Unmarshal(text, &expected)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: %w", expectedFile, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		for _, file := range []string{"model.mlir", "model.pt", "model.pt2", "model.onnx", "model.acap"} {
			path := filepath.Join(dir, e.Name(), file)
			if _, err := os.Stat(path); err != nil {
				continue
			}
			list = append(list, Program{e.Name() + "/" + file, func() (opened, error) { return serialized(path) }})
		}
	}
	return list, func(config, program string) string {
		if slices.Contains(expected[config], program) {
			return "it is listed in " + expectedFile
		}
		return ""
	}, nil
}

// serialized is a model with inputs and outputs beside it.
func serialized(path string) (o opened, err error) {
	if o.inputs, err = modelfile.Inputs(path, nil); err != nil {
		return o, err
	}
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf("output_%d.npy", i))
		if _, err := os.Stat(name); err != nil {
			break
		}
		w, err := npy.ReadFile(name)
		if err != nil {
			return o, err
		}
		o.want = append(o.want, w)
	}
	if len(o.want) == 0 {
		return o, fmt.Errorf("%s: there is no output_0.npy", path)
	}
	o.module, err = modelfile.LoadFor(path, o.inputs)
	return o, err
}
