package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/deadlock"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// broken is what the -fault flags say: tiles that are declared dead, and faults
// that the mapper does not know of.
type broken struct {
	declared []machine.Coord
	faults   []event.Fault
	flips    bool
}

// parseFaults reads the values of -fault.
func parseFaults(list []string) (*broken, error) {
	b := new(broken)
	for _, text := range list {
		if err := b.parse(text); err != nil {
			return nil, commandline.Errorf("-fault %s: %w", text, err)
		}
	}
	return b, nil
}

func (b *broken) parse(text string) error {
	kind, rest, _ := strings.Cut(text, ":")
	words := strings.Split(rest, ",")
	need, ok := map[string]int{"dead": 2, "declared": 2, "slow": 2, "drop": 5, "stall": 5, "flip": 3}[kind]
	if !ok {
		return fmt.Errorf("no fault %q; there are dead, declared, slow, drop, stall and flip", kind)
	}
	if len(words) != need {
		return fmt.Errorf("want %d values", need)
	}
	var v [5]float64
	f := event.Fault{}
	for i, w := range words {
		if i == 2 && (kind == "drop" || kind == "stall") {
			switch w {
			case "in":
				f.Dir = program.S2MM
			case "out":
				f.Dir = program.MM2S
			default:
				return fmt.Errorf("%q is no direction; there are in and out", w)
			}
			continue
		}
		n, err := strconv.ParseFloat(w, 64)
		if err != nil || !(n >= 0 && n < 1e12) {
			return fmt.Errorf("%q is no number from 0 to 1e12", w)
		}
		if n != math.Trunc(n) && !(kind == "slow" && i == 1) {
			return fmt.Errorf("%q is no whole number", w)
		}
		v[i] = n
	}
	f.Tile = program.Coord{Col: int(v[0]), Row: int(v[1])}
	f.Channel = int(v[3])
	switch kind {
	case "declared":
		b.declared = append(b.declared, f.Tile)
		return nil
	case "dead":
		f.Kind = event.DeadTile
	case "slow":
		if v[1] < 1 {
			return fmt.Errorf("a slow column takes %s times as long; want 1 or more", words[1])
		}
		f.Kind, f.Tile.Row, f.Factor = event.SlowColumn, 0, v[1]
	case "drop":
		f.Kind, f.After = event.DropDMA, int64(v[4])
	case "stall":
		f.Kind, f.Cycles = event.StallDMA, v[4]
	case "flip":
		f.Kind, f.Bit = event.FlipBit, int64(v[2])
		b.flips = true
	}
	b.faults = append(b.faults, f)
	return nil
}

// check refuses faults of tiles and channels that the machine does not have.
func (b *broken) check(m *machine.Machine) error {
	for _, f := range b.faults {
		kind := m.KindAt(f.Tile)
		if kind == machine.NoTile {
			return commandline.Errorf("-fault: %s has no tile (%d, %d): it has %d columns and %d rows", m.Name,
				f.Tile.Col, f.Tile.Row, m.Grid.Cols, m.Grid.Rows())
		}
		if f.Kind != event.DropDMA && f.Kind != event.StallDMA {
			continue
		}
		t := m.TileAt(f.Tile)
		channels := t.Out.Int()
		if f.Dir == program.S2MM {
			channels = t.In.Int()
		}
		if f.Channel >= channels {
			return commandline.Errorf("-fault: the %v at (%d, %d) has %d %v channels, no channel %d", kind,
				f.Tile.Col, f.Tile.Row, channels, f.Dir, f.Channel)
		}
	}
	return nil
}

// runFaults maps a model around the tiles that are declared dead, runs it with
// the other faults, and names what it finds.
func (o *runFlags) runFaults(model string, dev device.Device, module *mlir.Operation,
	inputs []*buf.Buffer) error {
	array, ok := dev.(*acap.Array)
	if !ok {
		return commandline.Errorf("-fault is for the acap device")
	}
	b, err := parseFaults(o.faults)
	if err != nil {
		return err
	}
	m := *array.Machine()
	m.Grid.Dead = append(append([]machine.Coord(nil), m.Grid.Dead...), b.declared...)
	if err := m.Validate(); err != nil {
		return err
	}
	if err := b.check(&m); err != nil {
		return err
	}
	if b.flips {
		c := &tileexact.Checker{Machine: &m, Native: native.Compile, Faults: b.faults, Config: array.Config()}
		return flipBits(model, c, module, inputs)
	}
	exe, err := acap.New(&m).With(array.Config()).Compile(context.Background(), module)
	if err != nil {
		return inputfile.Named(model, err)
	}
	defer exe.Close()
	r := acap.ReportOf(exe).Layers() // faults are those of tiles of the whole array
	fmt.Fprint(stdout, r.Summary())
	fmt.Fprintln(stdout)
	stuck := 0
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && k.Choice != nil {
			if tryFaults(k, b.faults) {
				stuck++
			}
		}
	}
	if stuck > 0 {
		return fmt.Errorf("%d kernels do not finish", stuck)
	}
	return r.Err()
}

// tryFaults runs one kernel's program healthy and broken; it reports whether it
// no longer finishes.
func tryFaults(k *report.Kernel, faults []event.Fault) bool {
	healthy, err := k.Events(event.Options{})
	if err != nil {
		fmt.Fprintf(stdout, "%s: %v\n", k.Name, err)
		return false
	}
	p, err := k.Choice.Program()
	if err != nil {
		return false
	}
	used := event.Concern(p, faults)
	if len(used) == 0 {
		fmt.Fprintf(stdout, "%s: does not use what is broken\n", k.Name)
		return false
	}
	run, err := k.Events(event.Options{Faults: used})
	if err != nil {
		fmt.Fprintf(stdout, "%s: %v\n", k.Name, err)
		return false
	}
	switch {
	case run.Finished && run.Seconds == healthy.Seconds:
		fmt.Fprintf(stdout, "%s: %s, as without the fault\n", k.Name, report.Duration(run.Seconds))
	case run.Finished:
		fmt.Fprintf(stdout, "%s: %s instead of %s\n", k.Name, report.Duration(run.Seconds), report.Duration(healthy.Seconds))
	default:
		fmt.Fprintf(stdout, "%s: %v\n", k.Name, deadlock.Explain(p, run))
	}
	for _, f := range event.Diagnose(p, healthy, run) {
		fmt.Fprintf(stdout, "  found: %s %s\n", f.Agent.Describe(p), f.What)
	}
	return !run.Finished
}

// flipBits runs a model tile by tile with bits that flip, and names the kernels
// whose result they change.
func flipBits(model string, c *tileexact.Checker, module *mlir.Operation, inputs []*buf.Buffer) error {
	if err := runChecked(model, c, module, inputs); err != nil {
		return err
	}
	wrong, flips, walked := 0, 0, 0
	for _, k := range c.Kernels {
		if k.Runs == 0 {
			continue
		}
		fmt.Fprintln(stdout, k)
		flips += k.Flips
		if k.Skipped == "" {
			walked++
		}
		if k.Err != nil || k.Changed > 0 {
			wrong++
		}
		for _, at := range k.Wrong {
			fmt.Fprintf(stdout, "  found: core (%d, %d) gives wrong results\n", at.Col, at.Row)
		}
	}
	switch {
	case walked == 0:
		return fmt.Errorf("%s: no kernel was walked tile by tile", model)
	case wrong > 0:
		return fmt.Errorf("%d kernels give wrong results", wrong)
	case flips == 0:
		return commandline.Errorf("-fault: nothing arrives where a bit would flip")
	}
	return nil
}
