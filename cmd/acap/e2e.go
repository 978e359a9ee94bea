package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/upstream"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/npy"
)

func init() {
	register(command{"e2e", "run programs end to end under configurations", e2e})
}

// e2eProgram is a program with inputs and what it should compute.
type e2eProgram struct {
	name string
	open func() (e2eOpened, error)
}

// e2eOpened is a program that has been read.
type e2eOpened struct {
	module       *mlir.Operation
	inputs, want []*buf.Buffer
}

// e2eOutcome is what became of a program under a configuration: passed, failed, "failed as
// expected", "passed unexpectedly", or absent for want of tools.
type e2eOutcome struct {
	Config  string  `json:"config"`
	Name    string  `json:"name"`
	Outcome string  `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Seconds float64 `json:"seconds"`
}

const (
	e2ePassed     = "passed"
	e2eFailed     = "failed"
	e2eExpected   = "failed as expected"
	e2eUnexpected = "passed unexpectedly"
	e2eAbsent     = "absent"
)

func e2e(args []string) error {
	var all []string
	for _, c := range e2eConfigs {
		all = append(all, c.name)
	}
	f := newFlags("e2e", "[-config CONFIG[,CONFIG]] [-serialized DIR | -suite DIR [-files KIND[,KIND]] [-expected FILE]] [-run TEXT] [-v] [-json]")
	configs := f.String("config", strings.Join(all, ","), "the `configs`, separated by commas")
	dir := f.String("serialized", "", "also run the folders of this `folder`: model.{mlir,pt,onnx,acap}, input_N.npy, output_N.npy")
	suite := f.String("suite", "", "run the tests of this `folder` instead, which torch-mlir's were written to: TEST/meta.json and model.pt, model.pt2, core.pt2")
	files := f.String("files", "pt,pt2", "the `kinds` of the suite's files: pt, pt2, pt2d (decomposed to core.pt2), pt2y (dynamic.pt2)")
	failing := f.String("expected", "", "a `file` of the suite's programs that must fail, TEST/FILE: REASON (default the list of torch-mlir's)")
	only := f.String("run", "", "only programs whose name contains this `text`")
	verbose := f.Bool("v", false, "name the programs that pass, too")
	asJSON := f.Bool("json", false, "print a JSON line for each program and configuration")
	if _, err := parseBetween(f, args, 0, 0); err != nil {
		return err
	}
	var chosen []e2eConfig
	for _, name := range strings.Split(*configs, ",") {
		at := slices.Index(all, strings.TrimSpace(name))
		if at < 0 {
			return commandline.Errorf("no configuration %q; there are %s", name, strings.Join(all, ", "))
		}
		chosen = append(chosen, e2eConfigs[at])
	}
	programs, expected, err := e2eChosen(*dir, *suite, *files, *failing)
	if err != nil {
		return err
	}
	programs = slices.DeleteFunc(programs, func(p e2eProgram) bool { return !strings.Contains(p.name, *only) })
	if len(programs) == 0 {
		return errors.New("no programs there")
	}
	line := newProgress("programs", len(programs)*len(chosen))
	wrong := 0
	for n, c := range chosen {
		count := map[string]int{}
		for i, p := range programs {
			line.update(n*len(programs)+i, c.name+" "+p.name)
			why, fails := c.fails[p.name]
			if listed := expected(c.name, p.name); listed != "" {
				why, fails = listed, true
			}
			o := c.outcome(p, why, fails)
			count[o.Outcome]++
			bad := o.Outcome == e2eFailed || o.Outcome == e2eUnexpected
			if bad {
				wrong++
			}
			switch {
			case *asJSON:
				if err := json.NewEncoder(stdout).Encode(o); err != nil {
					return err
				}
			case bad || *verbose:
				line.finish()
				fmt.Fprintln(stdout, strings.TrimSuffix(fmt.Sprintf("%s %s: %s: %s", c.name, p.name, o.Outcome, o.Reason), ": "))
			}
		}
		line.finish()
		if !*asJSON {
			fmt.Fprintf(stdout, "%-15s %d passed, %d failed as expected, %d failed, %d passed unexpectedly, %d without tools\n", c.name,
				count[e2ePassed], count[e2eExpected], count[e2eFailed], count[e2eUnexpected], count[e2eAbsent])
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d outcomes are not as expected", wrong)
	}
	return nil
}

// outcome runs a program.
func (c *e2eConfig) outcome(p e2eProgram, why string, fails bool) e2eOutcome {
	start := time.Now()
	err := c.check(p)
	o := e2eOutcome{Config: c.name, Name: p.name, Outcome: e2ePassed, Seconds: time.Since(start).Seconds()}
	switch {
	case errors.Is(err, upstream.ErrAbsent):
		o.Outcome, o.Reason = e2eAbsent, err.Error()
	case err != nil && fails:
		o.Outcome, o.Reason = e2eExpected, why
	case err != nil:
		o.Outcome, o.Reason = e2eFailed, err.Error()
	case fails:
		o.Outcome, o.Reason = e2eUnexpected, "it should fail: "+why
	}
	return o
}

func (c *e2eConfig) check(p e2eProgram) (err error) {
	defer conformance.CatchPanic(&err)
	o, err := p.open()
	if err != nil {
		return err
	}
	got, err := c.run(o.module, o.inputs)
	if err != nil {
		return err
	}
	if len(got) != len(o.want) {
		return fmt.Errorf("%d outputs instead of %d", len(got), len(o.want))
	}
	for i, w := range o.want {
		relative, absolute := conformance.ModelRelative, conformance.ModelAbsolute
		if got[i].DType.IsFloat() && got[i].DType.Size() < 4 {
			relative, absolute = halfRelative, halfAbsolute
		}
		if err := modelfile.Compare(got[i], w, relative, absolute); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// halfRelative and halfAbsolute are the tolerances of results with less than 32 bits.
const halfRelative, halfAbsolute = 1e-2, 1e-3

// expectedFile names, in a directory of serialized programs, those that must fail:
// {"configuration": ["program"]}.
const expectedFile = "expected_failures.json"

// e2eChosen returns the programs that the flags choose, and why one of them must fail under a configuration; empty if it
// must not.
func e2eChosen(dir, suite, files, failing string) ([]e2eProgram, func(config, program string) string, error) {
	if suite == "" {
		programs, expected, err := e2ePrograms(dir)
		return programs, func(config, program string) string {
			if slices.Contains(expected[config], program) {
				return "it is listed in " + expectedFile
			}
			return ""
		}, err
	}
	text := []byte(suiteFailures)
	if failing != "" {
		var err error
		if text, err = os.ReadFile(failing); err != nil {
			return nil, nil, err
		}
	}
	expected, err := suiteExpected(string(text))
	if err != nil {
		return nil, nil, fmt.Errorf("the expected failures: %w", err)
	}
	programs, unsaved, err := suitePrograms(suite, strings.Split(files, ","))
	if unsaved > 0 {
		fmt.Fprintf(stdout, "%d programs are not there, because torch cannot save them\n", unsaved)
	}
	return programs, func(_, program string) string { return expected[program] }, err
}

// e2ePrograms returns the suite's programs and those of a directory, with the expected failures that
// the directory lists.
func e2ePrograms(dir string) ([]e2eProgram, map[string][]string, error) {
	var list []e2eProgram
	for i := range e2eCases {
		p, err := e2eCases[i].program(uint64(i))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", e2eCases[i].name, err)
		}
		list = append(list, p)
	}
	if dir == "" {
		return list, nil, nil
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
			list = append(list, e2eProgram{e.Name() + "/" + file, func() (e2eOpened, error) { return serialized(path) }})
		}
	}
	return list, expected, nil
}

// serialized is a model with inputs and outputs beside it.
func serialized(path string) (o e2eOpened, err error) {
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

// program records a case and computes what it should give, call by call on the host.
func (c *e2eCase) program(seed uint64) (p e2eProgram, err error) {
	defer conformance.CatchPanic(&err)
	r := rand.New(rand.NewPCG(seed, 5))
	var data []*tensor.Tensor
	for _, dims := range c.inputs {
		t := tensor.Zeros(dims...)
		x := tensor.Data[float32](t)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		data = append(data, tensor.FromSlice(x, dims...))
	}
	var want []*buf.Buffer
	for _, t := range c.on(host.Device(), data) {
		b, err := t.Buffer(context.Background())
		if err != nil {
			return p, err
		}
		want = append(want, b)
	}
	var values []lazy.Value
	for _, t := range c.on(acap.Device(), data) {
		values = append(values, t)
	}
	text := string(lazy.GetMLIR(values...))
	inputs := lazy.Inputs(values...)
	p.name = c.name
	p.open = func() (e2eOpened, error) {
		module, err := mlir.Parse(c.name, []byte(text))
		return e2eOpened{module, inputs, want}, err
	}
	return p, nil
}
