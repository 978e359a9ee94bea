package main

import (
	"encoding/json"
	"fmt"

	"github.com/go-acap/acap/tensor/opinfo"
)

// oracles prints, for every functional operator, how many programs have its values, by who
// computed them.
func oracles(suite *opinfo.Suite, asJSON bool) error {
	programs, err := suite.All()
	if err != nil {
		return err
	}
	var torch, scipy, reference, none int
	list := opinfo.Oracles(programs)
	if !asJSON {
		fmt.Fprintf(stdout, "%-44s %8s %8s %10s\n", "operator", "torch", "scipy", "reference")
	}
	for _, o := range list {
		mark := ""
		if o.Reference {
			mark = "yes"
			reference++
		}
		torch, scipy = torch+min(o.Torch, 1), scipy+min(o.SciPy, 1)
		if !o.Known() {
			none++
		}
		if asJSON {
			if err := json.NewEncoder(stdout).Encode(o); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(stdout, "%-44s %8d %8d %10s\n", o.Operator, o.Torch, o.SciPy, mark)
	}
	if !asJSON {
		fmt.Fprintf(stdout, "%d operators: %d by torch, %d by scipy, %d by reference, %d by none\n",
			len(list), torch, scipy, reference, none)
	}
	if none > 0 {
		return fmt.Errorf("%d operators have no oracle", none)
	}
	return nil
}
