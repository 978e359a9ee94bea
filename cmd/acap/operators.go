package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/torchoperators"
)

func init() {
	register(command{"operators", "list PyTorch's operators and what becomes of each", operators})
}

func operators(args []string) error {
	f := newFlags("operators", "[-status STATUS] [-json] [TEXT]")
	status := f.String("status", "", "only operators of this `status`: registered (computed as they are), expanded (written by others), "+
		"language (computed by the importers), refused (with the reason), missing")
	asJSON := f.Bool("json", false, "print a JSON line for each operator")
	rest, err := parseBetween(f, args, 0, 1)
	if err != nil {
		return err
	}
	var known []string
	for _, s := range torchoperators.Statuses() {
		known = append(known, string(s))
	}
	if *status != "" && !slices.Contains(known, *status) {
		return commandline.Errorf("-status %s: want one of %s", *status, strings.Join(known, ", "))
	}
	all, err := torchoperators.All()
	if err != nil {
		return err
	}
	count, listed := map[torchoperators.Status]int{}, 0
	for _, o := range all {
		count[o.Status]++
		if *status != "" && string(o.Status) != *status || len(rest) == 1 && !strings.Contains(o.Name, rest[0]) {
			continue
		}
		listed++
		if *asJSON {
			if err := json.NewEncoder(stdout).Encode(o); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(stdout, strings.TrimRight(fmt.Sprintf("%-11s %-50s %s", o.Status, o.Name, o.Reason), " "))
	}
	if len(rest) == 1 && listed == 0 {
		return fmt.Errorf("no operator of PyTorch 2.14 has %q in its name%s", rest[0], strings.TrimSuffix(" and the status "+*status, " and the status "))
	}
	if !*asJSON {
		fmt.Fprintf(stdout, "%d functional operators of PyTorch 2.14: %d registered, %d expanded, %d of the language, %d refused with a reason, %d missing\n",
			len(all), count[torchoperators.Registered], count[torchoperators.Expanded], count[torchoperators.Language],
			count[torchoperators.Refused], count[torchoperators.Missing])
	}
	return nil
}
