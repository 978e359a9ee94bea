package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/go-acap/acap/cmd/acap/conformance"
)

// outcomesOf is the command of a suite whose tests pass, fail or are not supported.
func outcomesOf(kind, usage string) func(args []string) error {
	return func(args []string) error { return conformanceOutcomes(kind, usage, args) }
}

func conformanceOutcomes(kind, usage string, args []string) error {
	var dev deviceFlags
	f := newFlags("conformance "+kind, usage+" [-run TEXT] [-v] [-json] [flags]")
	dev.Flags(f)
	only := f.String("run", "", "only tests whose name contains this `text`")
	verbose := f.Bool("v", false, "name the tests that pass, too")
	asJSON := f.Bool("json", false, "print a JSON line for each test")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		f.Usage()
		return errUsage
	}
	d, err := dev.Open()
	if err != nil {
		return err
	}
	suite, err := conformance.Open(kind, rest, *only)
	if err != nil {
		return err
	}
	count, total := map[string]int{}, 0
	line := newProgress("tests", len(suite.Tests()))
	for i, test := range suite.Tests() {
		line.update(i, filepath.Base(test))
		rows, err := suite.Run(d, test)
		if err != nil {
			return err
		}
		for _, row := range rows {
			o := row.(conformance.Outcome)
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
	if !*asJSON {
		fmt.Fprintf(stdout, "passed %d failed %d unsupported %d of %d on %s\n", count["passed"], count["failed"],
			count["unsupported"], total, d.Name())
	}
	if bad := total - count["passed"]; bad > 0 {
		return fmt.Errorf("%d tests did not pass", bad)
	}
	return nil
}
