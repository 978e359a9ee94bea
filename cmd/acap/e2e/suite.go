package e2e

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/tensor/npy"
)

// A suite of torch-mlir's is a folder of tests. A test is a folder with one program in several files, with what it is
// given and what PyTorch gives:
//
//	TEST/meta.json                      what is there: see suiteMeta
//	TEST/input_0.npy, expect_0.npy, …   the inputs and the outputs of the first call
//	TEST/model.pt, model.pt2, core.pt2  the program by TorchScript, torch.export, and that after run_decompositions()

// suiteMeta is the description of a test.
type suiteMeta struct {
	Inputs  []string          // the element types of the inputs
	Outputs []string          // and of the outputs; numbers of Python are pyint, pyfloat, pybool
	Saved   map[string]string // by pt, pt2, pt2d: how the file was written, or FAIL and why not
	Skip    string            // why the test cannot be given as files
}

// suiteFiles are the files of a test by the keys of Saved.
var suiteFiles = []struct{ kind, file string }{{"pt", "model.pt"}, {"pt2", "model.pt2"}, {"pt2d", "core.pt2"}, {"pt2y", "dynamic.pt2"}}

//go:embed suite_failures.txt
var suiteFailures string

// suiteExpected returns the programs of a suite that must fail, with the reasons: lines of a program, a colon and why.
func suiteExpected(text string) (map[string]string, error) {
	expected := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, why, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("line %d: %q has no reason behind a colon", n, line)
		}
		expected[name] = why
	}
	return expected, nil
}

// Suite returns the programs of a suite in files of the given kinds, pt, pt2, pt2d or pt2y, and the number of programs
// that torch cannot save. failing is a file of the programs that must fail, which lines name as TEST/FILE: REASON;
// without a file the programs that torch-mlir's own suite lists must fail.
func Suite(dir string, kinds []string, failing string) (programs []Program, unsaved int, e Expectation, err error) {
	text := []byte(suiteFailures)
	if failing != "" {
		if text, err = os.ReadFile(failing); err != nil {
			return nil, 0, nil, err
		}
	}
	expected, err := suiteExpected(string(text))
	if err != nil {
		return nil, 0, nil, fmt.Errorf("the expected failures: %w", err)
	}
	programs, unsaved, err = suitePrograms(dir, kinds)
	return programs, unsaved, func(_, program string) string { return expected[program] }, err
}

// suitePrograms returns the programs of a suite whose files were written, and how many could not be.
func suitePrograms(dir string, kinds []string) (programs []Program, unsaved int, err error) {
	tests, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, test := range tests {
		if !test.IsDir() {
			continue
		}
		path := filepath.Join(dir, test.Name())
		text, err := os.ReadFile(filepath.Join(path, "meta.json"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		var meta suiteMeta
		if err := json.Unmarshal(text, &meta); err != nil {
			return nil, 0, fmt.Errorf("%s/meta.json: %w", path, err)
		}
		for _, f := range suiteFiles {
			how, tried := meta.Saved[f.kind]
			switch {
			case !slices.Contains(kinds, f.kind) || !tried:
			case strings.HasPrefix(how, "FAIL") || meta.Skip != "":
				unsaved++
			default:
				programs = append(programs, suiteProgram(path, test.Name(), f.file, &meta))
			}
		}
	}
	return programs, unsaved, nil
}

// suiteProgram is a file of a test.
func suiteProgram(path, test, file string, meta *suiteMeta) Program {
	return Program{test + "/" + file, func() (o opened, err error) {
		if o.inputs, err = suiteTensors(path, "input", meta.Inputs); err != nil {
			return o, err
		}
		if o.want, err = suiteTensors(path, "expect", meta.Outputs); err != nil {
			return o, err
		}
		o.module, err = modelfile.LoadFor(filepath.Join(path, file), o.inputs)
		return o, err
	}}
}

// suiteTensors reads the tensors of a test. Types that .npy has not are written as f32.
func suiteTensors(path, name string, types []string) ([]*buf.Buffer, error) {
	list := make([]*buf.Buffer, len(types))
	for i, t := range types {
		b, err := npy.ReadFile(filepath.Join(path, fmt.Sprintf("%s_%d.npy", name, i)))
		if err != nil {
			return nil, err
		}
		if d, err := dtype.Parse(t); err == nil && d != b.DType && !npy.Has(d) {
			b = b.Cast(d)
		}
		list[i] = b
	}
	return list, nil
}
