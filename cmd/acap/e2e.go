package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/e2e"
)

func init() {
	register(command{"e2e", "run programs end to end under configurations", endToEnd})
}

func endToEnd(args []string) error {
	var all []string
	for _, c := range e2e.Configs {
		all = append(all, c.Name)
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
	var chosen []e2e.Config
	for _, name := range strings.Split(*configs, ",") {
		at := slices.Index(all, strings.TrimSpace(name))
		if at < 0 {
			return commandline.Errorf("no configuration %q; there are %s", name, strings.Join(all, ", "))
		}
		chosen = append(chosen, e2e.Configs[at])
	}
	if *dir != "" && *suite != "" {
		return commandline.Errorf("-serialized adds programs to acap's own, and -suite takes their place: leave one of them out")
	}
	var programs []e2e.Program
	var expected e2e.Expectation
	var err error
	if *suite == "" {
		programs, expected, err = e2e.Programs(*dir)
	} else {
		var unsaved int
		if programs, unsaved, expected, err = e2e.Suite(*suite, strings.Split(*files, ","), *failing); unsaved > 0 {
			fmt.Fprintf(stdout, "%d programs are not there, because torch cannot save them\n", unsaved)
		}
	}
	if err != nil {
		return err
	}
	programs = slices.DeleteFunc(programs, func(p e2e.Program) bool { return !strings.Contains(p.Name, *only) })
	if len(programs) == 0 {
		return errors.New("no programs there")
	}
	line := newProgress("programs", len(programs)*len(chosen))
	wrong := 0
	for n, c := range chosen {
		count := map[string]int{}
		for i, p := range programs {
			line.update(n*len(programs)+i, c.Name+" "+p.Name)
			why, fails := c.Fails[p.Name]
			if listed := expected(c.Name, p.Name); listed != "" {
				why, fails = listed, true
			}
			o := c.Outcome(p, why, fails)
			count[o.Outcome]++
			bad := o.Outcome == e2e.Failed || o.Outcome == e2e.Unexpected
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
				fmt.Fprintln(stdout, strings.TrimSuffix(fmt.Sprintf("%s %s: %s: %s", c.Name, p.Name, o.Outcome, o.Reason), ": "))
			}
		}
		line.finish()
		if !*asJSON {
			fmt.Fprintf(stdout, "%-15s %d passed, %d failed as expected, %d failed, %d passed unexpectedly, %d without tools\n", c.Name,
				count[e2e.Passed], count[e2e.Expected], count[e2e.Failed], count[e2e.Unexpected], count[e2e.Absent])
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d outcomes are not as expected", wrong)
	}
	return nil
}
