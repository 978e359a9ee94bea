package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/e2e"
)

func init() {
	register(command{"e2e", "run programs end to end under configurations", endToEnd})
}

// endToEndFlags are the flags of e2e.
type endToEndFlags struct {
	configs, dir, suite, files, failing, only string
	verbose, json                             bool
}

func endToEnd(args []string) error {
	var o endToEndFlags
	f := newFlags("e2e", "[-config CONFIG[,CONFIG]] [-serialized DIR | -suite DIR [-files KIND[,KIND]] [-expected FILE]] [-run TEXT] [-v] [-json]")
	f.StringVar(&o.configs, "config", strings.Join(e2e.Names(), ","), "the `configs`, separated by commas")
	f.StringVar(&o.dir, "serialized", "", "also run the folders of this `folder`: model.{mlir,pt,onnx,acap}, input_N.npy, output_N.npy")
	f.StringVar(&o.suite, "suite", "", "run the tests of this `folder` instead, which torch-mlir's were written to: TEST/meta.json and model.pt, model.pt2, core.pt2")
	f.StringVar(&o.files, "files", "pt,pt2", "the `kinds` of the suite's files: pt, pt2, pt2d (decomposed to core.pt2), pt2y (dynamic.pt2)")
	f.StringVar(&o.failing, "expected", "", "a `file` of the suite's programs that must fail, TEST/FILE: REASON (default the list of torch-mlir's)")
	f.StringVar(&o.only, "run", "", "only programs whose name contains this `text`")
	f.BoolVar(&o.verbose, "v", false, "name the programs that pass, too")
	f.BoolVar(&o.json, "json", false, "print a JSON line for each program and configuration")
	if _, err := parseBetween(f, args, 0, 0); err != nil {
		return err
	}
	configs, err := e2e.Choose(o.configs)
	if err != nil {
		return commandline.Wrong(err)
	}
	if o.dir != "" && o.suite != "" {
		return commandline.Errorf("-serialized adds programs to acap's own, and -suite takes their place: leave one of them out")
	}
	programs, expected, err := o.programs()
	if err != nil {
		return err
	}
	return o.run(configs, programs, expected)
}

// programs returns the programs that the flags name, and which of them have to fail.
func (o *endToEndFlags) programs() (programs []e2e.Program, expected e2e.Expectation, err error) {
	if o.suite == "" {
		programs, expected, err = e2e.Programs(o.dir)
	} else {
		var unsaved int
		if programs, unsaved, expected, err = e2e.Suite(o.suite, strings.Split(o.files, ","), o.failing); unsaved > 0 {
			fmt.Fprintf(stdout, "%d programs are not there, because torch cannot save them\n", unsaved)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	count := len(programs)
	programs = slices.DeleteFunc(programs, func(p e2e.Program) bool { return !strings.Contains(p.Name, o.only) })
	if len(programs) == 0 {
		return nil, nil, fmt.Errorf("none of %d programs has a name that contains %q", count, o.only)
	}
	return programs, expected, nil
}

// run runs the programs under the configurations, and counts what came of them.
func (o *endToEndFlags) run(configs []e2e.Config, programs []e2e.Program, expected e2e.Expectation) error {
	line := newProgress("programs", len(programs)*len(configs))
	wrong := 0
	for n, c := range configs {
		count := map[string]int{}
		for i, p := range programs {
			line.update(n*len(programs)+i, c.Name+" "+p.Name)
			why, fails := c.Fails[p.Name]
			if listed := expected(c.Name, p.Name); listed != "" {
				why, fails = listed, true
			}
			result := c.Outcome(p, why, fails)
			count[result.Outcome]++
			bad := result.Outcome == e2e.Failed || result.Outcome == e2e.Unexpected
			if bad {
				wrong++
			}
			switch {
			case o.json:
				if err := json.NewEncoder(stdout).Encode(result); err != nil {
					return err
				}
			case bad || o.verbose:
				line.finish()
				fmt.Fprintln(stdout, strings.TrimSuffix(fmt.Sprintf("%s %s: %s: %s", c.Name, p.Name, result.Outcome, result.Reason), ": "))
			}
		}
		line.finish()
		if !o.json {
			fmt.Fprintf(stdout, "%-15s %d passed, %d failed as expected, %d failed, %d passed unexpectedly, %d without tools\n", c.Name,
				count[e2e.Passed], count[e2e.Expected], count[e2e.Failed], count[e2e.Unexpected], count[e2e.Absent])
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d outcomes are not as expected", wrong)
	}
	return nil
}
