package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/tensor/opinfo"
)

func init() {
	register(command{"conformance", "run conformance tests: opinfo, " + otherSuites(), runConformance})
}

// suites are the commands of the recorded tests besides opinfo, by name.
var suites = map[string]func(args []string) error{
	"models":    outcomesOf("models", "DIR"),
	"onnx":      outcomesOf("onnx", "DIR"),
	"stablehlo": outcomesOf("stablehlo", "DIR|FILE..."),
	"texts":     outcomesOf("texts", "samples|DIR..."),
	"upstream":  conformanceUpstream,
}

// otherSuites lists the suites besides opinfo.
func otherSuites() string { return strings.Join(slices.Sorted(maps.Keys(suites)), ", ") }

func runConformance(args []string) error {
	if len(args) > 0 && suites[args[0]] != nil {
		return suites[args[0]](args[1:])
	}
	var dev deviceFlags
	f := newFlags("conformance", "opinfo DIR|ARCHIVE [-family F[,G]] [-oracles] [-v] [-json] [flags]\n"+
		"`acap conformance SUITE -h` shows what other suites take: "+otherSuites())
	dev.Flags(f)
	families := f.String("family", "", "only these `families`, separated by commas")
	verbose := f.Bool("v", false, "print every failure")
	exact := f.Bool("tile-exact", false, "run the array's programs tile by tile as well, and compare")
	asJSON := f.Bool("json", false, "print one JSON line a family")
	who := f.Bool("oracles", false, "print who computed the values of each operator instead")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	switch {
	case len(rest) > 0 && suites[rest[0]] != nil:
		return fmt.Errorf("%s stands before its flags: acap conformance %s", rest[0], rest[0])
	case len(rest) > 0 && rest[0] != "opinfo":
		fmt.Fprintf(f.Output(), "acap conformance: no suite %q: there are opinfo, %s\n", rest[0], otherSuites())
		return errUsage
	case len(rest) != 2:
		f.Usage()
		return errUsage
	}
	if *who {
		recorded, err := opinfo.Open(rest[1])
		if err != nil {
			return err
		}
		return oracles(recorded, *asJSON)
	}
	suite, err := conformance.Open("opinfo", rest[1:], *families)
	if err != nil {
		return err
	}
	d, err := dev.Open()
	if err != nil {
		return err
	}
	var walks *tileexact.Checker
	if *exact {
		if walks, err = checker(d); err != nil {
			return err
		}
		d = walks
	}
	failed, err := runFamilies(suite, d, *asJSON, *verbose)
	if err != nil {
		return err
	}
	if walks != nil {
		if err := walks.Report(stdout, "opinfo", *verbose); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d programs failed", failed)
	}
	return nil
}

// runFamilies runs the tests of a suite, prints them, and returns how many programs failed.
func runFamilies(suite conformance.Suite, d device.Device, asJSON, verbose bool) (failed int, err error) {
	passed, total := 0, 0
	line := newProgress("families", len(suite.Tests()))
	for i, name := range suite.Tests() {
		line.update(i, name)
		rows, err := suite.Run(d, name)
		if err != nil {
			return 0, err
		}
		line.finish()
		for _, row := range rows {
			t := row.(*conformance.Tally)
			passed, total = passed+t.Passed, total+t.Total
			printTally(t, asJSON, verbose)
		}
	}
	line.finish()
	if !asJSON {
		fmt.Fprintf(stdout, "%d of %d programs passed on %s\n", passed, total, d.Name())
	}
	return total - passed, nil
}

// printTally prints a family with failures, or every family if verbose.
func printTally(t *conformance.Tally, asJSON, verbose bool) {
	switch {
	case asJSON:
		json.NewEncoder(stdout).Encode(t)
		return
	case t.Passed == t.Total && !verbose:
		return
	}
	fmt.Fprintf(stdout, "%-40s %d/%d\n", t.Family, t.Passed, t.Total)
	for i, e := range t.Errors {
		if i > 0 && !verbose {
			break
		}
		fmt.Fprintln(stdout, "  "+e)
	}
}
