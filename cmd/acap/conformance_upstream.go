package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/go-acap/acap/cmd/acap/conformance"
)

// conformanceUpstream compares what programs compute here and with LLVM's tools.
func conformanceUpstream(args []string) error {
	var dev deviceFlags
	var u conformance.Upstream
	f := newFlags("conformance upstream", "[-models DIR] [-run TEXT] [-reference] [-v] [-json] [flags]")
	dev.Flags(f)
	f.StringVar(&u.Models, "models", "", "run the models in this `folder` rather than the samples of the operators")
	f.StringVar(&u.Only, "run", "", "only programs whose name contains this `text`")
	f.BoolVar(&u.Reference, "reference", false, "compute here with the reference evaluator, and compare bits")
	verbose := f.Bool("v", false, "name the programs that pass or are not supported, too")
	asJSON := f.Bool("json", false, "print a JSON line for each program")
	if _, err := parseBetween(f, args, 0, 0); err != nil {
		return err
	}
	d, err := dev.Open()
	if err != nil {
		return err
	}
	outcomes, err := u.Run(d)
	if err != nil {
		return err
	}
	count, reasons := map[string]int{}, map[string]int{}
	for _, o := range outcomes {
		count[o.Outcome]++
		switch {
		case *asJSON:
			json.NewEncoder(stdout).Encode(o)
		case o.Reason != "" && (*verbose || o.Outcome == "failed"):
			fmt.Fprintf(stdout, "%-11s %s: %s\n", o.Outcome, o.Name, o.Reason)
		case *verbose:
			fmt.Fprintf(stdout, "%-11s %s\n", o.Outcome, o.Name)
		case o.Outcome == "unsupported":
			reasons[o.Reason]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(stdout, "%-11s %d: %s\n", "unsupported", reasons[reason], reason)
	}
	if !*asJSON {
		fmt.Fprintf(stdout, "passed %d failed %d unsupported %d of %d\n", count["passed"], count["failed"],
			count["unsupported"], len(outcomes))
	}
	if count["failed"] > 0 {
		return fmt.Errorf("%d programs do not agree with upstream", count["failed"])
	}
	return nil
}
