package conformance

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

type stablehloSuite struct{ files []string }

func openStableHLO(paths []string, only string) (Suite, error) {
	files, err := moduleFiles(paths, only)
	return &stablehloSuite{files}, err
}

func (s *stablehloSuite) Tests() []string { return s.files }

func (s *stablehloSuite) Run(d device.Device, path string) ([]Row, error) { return checkFile(d, path) }

// moduleFiles lists the .mlir files that are named or lie somewhere in the folders that are named.
func moduleFiles(paths []string, only string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		err = filepath.WalkDir(path, func(file string, _ fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(file) == ".mlir" {
				files = append(files, file)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	files = slices.DeleteFunc(files, func(path string) bool { return !strings.Contains(filepath.Base(path), only) })
	return files, nil
}

// checkFile runs the functions of a file that check something. Lines "// -----" part it into
// modules.
func checkFile(d device.Device, path string) ([]Row, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(filepath.Base(path), ".mlir")
	var outcomes []Row
	for i, part := range strings.Split(string(text), "\n// -----") {
		parse := func() (*mlir.Operation, error) { return mlir.Parse(path, []byte(part)) }
		module, err := parse()
		if err != nil {
			outcomes = append(outcomes, judged(fmt.Sprintf("%s/%d", base, i), err))
			continue
		}
		for n, function := range stablehlo.Checked(module) {
			if n > 0 {
				if module, err = parse(); err != nil {
					return nil, err
				}
			}
			name := base
			if function != "main" {
				name += "/" + function
			}
			outcomes = append(outcomes, judged(name, checkFunction(d, module, function)))
		}
	}
	return outcomes, nil
}

func judged(name string, err error) Outcome {
	switch {
	case err == nil:
		return Outcome{Name: name, Outcome: "passed"}
	case stablehlo.IsUnsupported(err):
		return Outcome{Name: name, Outcome: "unsupported", Reason: err.Error()}
	}
	return Outcome{Name: name, Outcome: "failed", Reason: err.Error()}
}

// checkFunction runs a function without inputs and compares what its checks name.
func checkFunction(d device.Device, module *mlir.Operation, function string) error {
	checks, err := stablehlo.Checks(module, function)
	if err != nil {
		return err
	}
	if err := stablehlo.Lower(module); err != nil {
		return err
	}
	if err := mlir.Verify(module); err != nil {
		return err
	}
	results, err := Compute(d, module, nil)
	if err != nil {
		return err
	}
	for _, c := range checks {
		if err := c.Compare(results); err != nil {
			return err
		}
	}
	return nil
}
