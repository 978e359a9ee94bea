package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap/machine"
)

func init() {
	register(command{
		name: "machines", summary: "list the arrays, or describe one with every constant's source",
		run: runMachines,
	})
}

func runMachines(args []string) error {
	flags := newFlags("machines", "[-json] [NAME | FILE.json]")
	asJSON := flags.Bool("json", false, "print as JSON")
	rest, err := parseBetween(flags, args, 0, 1)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return listMachines(*asJSON)
	}
	m, err := machine.Load(rest[0])
	if err != nil {
		return commandline.WrongName(rest[0], err)
	}
	if *asJSON {
		return m.WriteJSON(stdout)
	}
	describeMachine(m)
	return nil
}

func listMachines(asJSON bool) error {
	var all []*machine.Machine
	for _, name := range machine.Names() {
		m, err := machine.Preset(name)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	if asJSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	for _, m := range all {
		fmt.Fprintf(stdout, "%-9s %3d columns, %d rows of cores, %4d cores, %d rows of mem tiles  %s\n", m.Name,
			m.Grid.Cols, m.Grid.CoreRows, m.Grid.Cores(), m.Grid.MemRows, m.Title)
	}
	return nil
}

func describeMachine(m *machine.Machine) {
	fmt.Fprintf(stdout, "%s: %s\n\n%s\n", m.Name, m.Title, m.Picture())
	counts := make(map[machine.Evidence]int)
	var lines [][3]string
	m.Constants(func(path string, c *machine.Constant) {
		if *c == (machine.Constant{}) {
			return
		}
		counts[c.Evidence]++
		lines = append(lines, [3]string{path, c.String(), string(c.Evidence) + ": " + c.Source})
	})
	for _, l := range lines {
		fmt.Fprintf(stdout, "  %-38s %18s  %s\n", l[0], l[1], l[2])
	}
	fmt.Fprintf(stdout, "\n%d constants: %d from datasheets, %d fitted to measurements, %d assumed\n",
		len(lines), counts[machine.Datasheet], counts[machine.Fitted], counts[machine.Assumed])
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
