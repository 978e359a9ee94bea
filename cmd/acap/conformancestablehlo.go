package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/importer/stablehlo"
)

func init() { suites["stablehlo"] = conformanceStableHLO }

// outcome is what became of one module of a suite.
type outcome struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"` // passed, failed or unsupported
	Reason  string `json:"reason,omitempty"`
}

// conformanceStableHLO runs modules that check their own results.
func conformanceStableHLO(args []string) error {
	var dev deviceFlags
	f := newFlags("conformance stablehlo", "DIR|FILE... [-run TEXT] [-v] [-json] [flags]")
	dev.flags(f)
	only := f.String("run", "", "only modules whose name contains this `text`")
	verbose := f.Bool("v", false, "name the modules that pass, too")
	asJSON := f.Bool("json", false, "print a JSON line for each module")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		f.Usage()
		return errUsage
	}
	d, err := dev.open()
	if err != nil {
		return err
	}
	files, err := moduleFiles(rest, *only)
	if err != nil {
		return err
	}
	count, total := map[string]int{}, 0
	line := newProgress("modules", len(files))
	for i, path := range files {
		line.update(i, filepath.Base(path))
		outcomes, err := checkFile(d, path)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			total++
			count[o.Outcome]++
			switch {
			case *asJSON:
				json.NewEncoder(stdout).Encode(o)
			case o.Reason != "":
				line.finish()
				fmt.Fprintf(stdout, "%-11s %s: %s\n", o.Outcome, o.Name, o.Reason)
			case *verbose:
				line.finish()
				fmt.Fprintf(stdout, "%-11s %s\n", o.Outcome, o.Name)
			}
		}
	}
	line.finish()
	fmt.Fprintf(stdout, "passed %d failed %d unsupported %d of %d\n", count["passed"], count["failed"],
		count["unsupported"], total)
	if bad := total - count["passed"]; bad > 0 {
		return fmt.Errorf("%d modules did not pass", bad)
	}
	return nil
}

// moduleFiles lists the .mlir files that are named or lie in the folders that are named.
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
		found, err := filepath.Glob(filepath.Join(path, "*.mlir"))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	files = slices.DeleteFunc(files, func(path string) bool { return !strings.Contains(filepath.Base(path), only) })
	if len(files) == 0 {
		return nil, errors.New("no modules there")
	}
	return files, nil
}

// checkFile runs the functions of a file that check something. Lines "// -----" part it into
// modules.
func checkFile(d device.Device, path string) ([]outcome, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(filepath.Base(path), ".mlir")
	var outcomes []outcome
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

func judged(name string, err error) outcome {
	switch {
	case err == nil:
		return outcome{Name: name, Outcome: "passed"}
	case stablehlo.IsUnsupported(err):
		return outcome{Name: name, Outcome: "unsupported", Reason: err.Error()}
	}
	return outcome{Name: name, Outcome: "failed", Reason: err.Error()}
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
	results, err := compute(d, module, nil)
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
