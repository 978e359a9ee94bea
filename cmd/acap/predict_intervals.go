package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-acap/acap/device/acap/predict/spread"
)

// printCoverage prints how many rows of sources to which no constant was fitted lie in intervals that are made from the
// rows of other makers, each left out in turn, and how wide these are.
func printCoverage(scored spread.Kinds, asJSON bool) error {
	const share = 0.9
	if len(scored) == 0 {
		return errors.New("no row has an interval and a source to which no constant was fitted")
	}
	kinds, makers, all := scored.Coverages(share)
	if asJSON {
		return json.NewEncoder(stdout).Encode(struct {
			Kinds  []spread.Coverage `json:"kinds"`
			Makers []spread.Coverage `json:"makers"`
			All    spread.Coverage   `json:"all"`
		}{kinds, makers, all})
	}
	const format = "%-60s %7s %5s %8s %12s %15s\n"
	fmt.Fprintf(stdout, format, fmt.Sprintf("%.0f of 10 rows, each maker left out in turn", 10*share), "makers", "rows", "covered", "median width", "from  to")
	line := func(c spread.Coverage, spread string) {
		fmt.Fprintf(stdout, format, "  "+shortened(c.Name), fmt.Sprint(c.Makers), fmt.Sprint(c.Rows),
			fmt.Sprintf("%.0f%%", 100*float64(c.Covered)/float64(c.Rows)), fmt.Sprintf("%.2f times", c.Width), spread)
	}
	fmt.Fprintln(stdout, "by kind")
	for _, c := range kinds {
		line(c, fmt.Sprintf("1/%.2f  %.2f", c.Spread.Below, c.Spread.Above))
	}
	fmt.Fprintln(stdout, "by maker")
	for _, c := range makers {
		line(c, "")
	}
	fmt.Fprintln(stdout, "all")
	line(all, "")
	return nil
}
