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
	name   string
	module func() (*mlir.Operation, error)
	inputs []*buf.Buffer
	want   []*buf.Buffer
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
	f := newFlags("e2e", "[-config CONFIG[,CONFIG]] [-serialized DIR] [-run TEXT] [-v] [-json]")
	configs := f.String("config", strings.Join(all, ","), "the `configs`, separated by commas")
	dir := f.String("serialized", "", "also run the folders of this `folder`: model.{mlir,pt,onnx,acap}, input_N.npy, output_N.npy")
	only := f.String("run", "", "only programs whose name contains this `text`")
	verbose := f.Bool("v", false, "name the programs that pass, too")
	asJSON := f.Bool("json", false, "print a JSON line for each program and configuration")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 0 {
		f.Usage()
		return errUsage
	}
	var chosen []e2eConfig
	for _, name := range strings.Split(*configs, ",") {
		at := slices.Index(all, strings.TrimSpace(name))
		if at < 0 {
			return fmt.Errorf("no configuration %q; there are %s", name, strings.Join(all, ", "))
		}
		chosen = append(chosen, e2eConfigs[at])
	}
	programs, expected, err := e2ePrograms(*dir)
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
			if slices.Contains(expected[c.name], p.name) {
				why, fails = "it is listed in "+expectedFile, true
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
	module, err := p.module()
	if err != nil {
		return err
	}
	got, err := c.run(module, p.inputs)
	if err != nil {
		return err
	}
	if len(got) < len(p.want) {
		return fmt.Errorf("%d outputs instead of %d", len(got), len(p.want))
	}
	for i, w := range p.want {
		if err := modelfile.Compare(got[i], w, conformance.ModelRelative, conformance.ModelAbsolute); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// expectedFile names, in a directory of serialized programs, those that must fail:
// {"configuration": ["program"]}.
const expectedFile = "expected_failures.json"

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
			p, err := serialized(path)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", path, err)
			}
			p.name = e.Name() + "/" + file
			list = append(list, p)
		}
	}
	return list, expected, nil
}

// serialized is a model with inputs and outputs beside it.
func serialized(path string) (p e2eProgram, err error) {
	if p.inputs, err = modelfile.Inputs(path, nil); err != nil {
		return p, err
	}
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf("output_%d.npy", i))
		if _, err := os.Stat(name); err != nil {
			break
		}
		w, err := npy.ReadFile(name)
		if err != nil {
			return p, err
		}
		p.want = append(p.want, w)
	}
	if len(p.want) == 0 {
		return p, errors.New("there is no output_0.npy")
	}
	p.module = func() (*mlir.Operation, error) { return modelfile.LoadFor(path, p.inputs) }
	return p, nil
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
	for _, t := range c.on(host.Device(), data) {
		b, err := t.Buffer(context.Background())
		if err != nil {
			return p, err
		}
		p.want = append(p.want, b)
	}
	var values []lazy.Value
	for _, t := range c.on(acap.Device(), data) {
		values = append(values, t)
	}
	text := string(lazy.GetMLIR(values...))
	p.name, p.inputs = c.name, lazy.Inputs(values...)
	p.module = func() (*mlir.Operation, error) { return mlir.Parse(c.name, []byte(text)) }
	return p, nil
}
