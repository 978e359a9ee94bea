package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/tensor/opinfo"
)

func init() {
	register(command{"conformance", "run recorded conformance tests: opinfo, stablehlo, models, onnx", conformance})
}

// tally is the outcome of one family.
type tally struct {
	Family string   `json:"family"`
	Passed int      `json:"passed"`
	Total  int      `json:"total"`
	Errors []string `json:"errors,omitempty"`
}

// suites are the recorded tests besides opinfo, by name; each is a file that adds itself.
var suites = map[string]func(args []string) error{}

func conformance(args []string) error {
	if len(args) > 0 && suites[args[0]] != nil {
		return suites[args[0]](args[1:])
	}
	var dev deviceFlags
	f := newFlags("conformance", "opinfo DIR|ARCHIVE [-family F[,G]] [-oracles] [-v] [-json] [flags]")
	dev.flags(f)
	families := f.String("family", "", "only these families, separated by commas")
	verbose := f.Bool("v", false, "print every failure")
	exact := f.Bool("tile-exact", false, "run the array's programs tile by tile as well, and compare")
	asJSON := f.Bool("json", false, "print one JSON line a family")
	who := f.Bool("oracles", false, "print who computed the values of each operator instead")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 2 || rest[0] != "opinfo" {
		f.Usage()
		return errUsage
	}
	suite, err := opinfo.Open(rest[1])
	if err != nil {
		return err
	}
	if *who {
		return oracles(suite, *asJSON)
	}
	d, err := dev.open()
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
	names := strings.Split(*families, ",")
	if *families == "" {
		names = suite.Families()
	}
	passed, total := 0, 0
	line := newProgress("families", len(names))
	for i, name := range names {
		line.update(i, name)
		t, err := runFamily(suite, name, d)
		if err != nil {
			return err
		}
		passed, total = passed+t.Passed, total+t.Total
		line.finish()
		t.print(*asJSON, *verbose)
	}
	line.finish()
	if !*asJSON {
		fmt.Fprintf(stdout, "%d of %d programs passed on %s\n", passed, total, d.Name())
	}
	if walks != nil {
		if err := verdicts("opinfo", walks, *verbose); err != nil {
			return err
		}
	}
	if passed != total {
		return fmt.Errorf("%d programs failed", total-passed)
	}
	return nil
}

func runFamily(suite *opinfo.Suite, family string, d device.Device) (*tally, error) {
	programs, err := suite.Programs(family)
	if err != nil {
		return nil, err
	}
	t := &tally{Family: family, Total: len(programs)}
	for _, p := range programs {
		if err := p.Run(d); err != nil {
			t.Errors = append(t.Errors, p.Name+": "+err.Error())
		} else {
			t.Passed++
		}
	}
	return t, nil
}

func (t *tally) print(asJSON, verbose bool) {
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
