package predict

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

// devices are words in the name of a device and the preset that they stand for; the
// first that is found counts.
var devices = [...]struct{ word, preset string }{
	{"npu1", "npu1"}, {"npu2", "npu2"},
	{"xdna2", "npu2"}, {"xdna 2", "npu2"}, {"strix", "npu2"}, {"krackan", "npu2"},
	{"xdna", "npu1"}, {"phoenix", "npu1"}, {"hawk point", "npu1"},
	{"vck5000", "vck5000"}, {"vck190", "vck190"}, {"vc1902", "vck190"},
	{"vek280", "vek280"}, {"ve2802", "vek280"},
}

var (
	systolicSize = regexp.MustCompile(`\b(\d+)x(\d+)\b`)
	partition    = regexp.MustCompile(`npu[12]_(\d)col`)
)

// machineName returns the preset that a plain row's device and workload name.
func machineName(r *Row) (string, error) {
	if m, err := machine.Preset(r.Device); err == nil {
		return m.Name, nil
	}
	if strings.Contains(r.Device, "dsp58") {
		return "", fmt.Errorf("device %q is not an array", r.Device)
	}
	if strings.Contains(r.Device, "systolic") {
		return systolicName(r)
	}
	for _, d := range devices {
		if strings.Contains(r.Device, d.word) {
			return d.preset, columns(r.Device, d.preset)
		}
	}
	return "", fmt.Errorf("unknown device %q", r.Device)
}

// columns refuses a part of an array: there is no preset for it.
func columns(device, preset string) error {
	g := partition.FindStringSubmatch(device)
	if g == nil {
		return nil
	}
	m, err := machine.Preset(preset)
	if err == nil && g[1] != strconv.Itoa(m.Grid.Cols) {
		err = fmt.Errorf("device %q is %s columns of %s, which has %d", device, g[1], preset,
			m.Grid.Cols)
	}
	return err
}

// systolicName returns the name of an array of cells: its size and its dataflow.
func systolicName(r *Row) (string, error) {
	g := systolicSize.FindStringSubmatch(r.Device)
	if g == nil {
		return "", fmt.Errorf("device %q has no size", r.Device)
	}
	for _, w := range strings.Fields(r.Workload) {
		switch machine.Dataflow(w) {
		case machine.OutputStationary, machine.WeightStationary, machine.InputStationary:
			return fmt.Sprintf("systolic-%sx%s-%s", g[1], g[2], w), nil
		}
	}
	return "", fmt.Errorf("the row names no dataflow (os, ws or is)")
}

// Machines finds machines by preset name. The fit replaces presets by its own.
type Machines func(name string) (*machine.Machine, error)

// Presets returns a Machines that makes every preset once.
func Presets() Machines {
	m, _ := Machines(machine.Preset).With("")
	return m
}

// With returns machines with those of files, separated by commas, in the place of others of their names.
func (find Machines) With(files string) (Machines, error) {
	own := make(map[string]*machine.Machine)
	for _, file := range strings.FieldsFunc(files, func(r rune) bool { return r == ',' }) {
		m, err := machine.Load(file)
		if err != nil {
			return nil, err
		}
		own[m.Name] = m
	}
	return func(name string) (*machine.Machine, error) {
		if m := own[name]; m != nil {
			return m, nil
		}
		m, err := find(name)
		if err == nil {
			own[name] = m
		}
		return m, err
	}, nil
}

// Machine returns the name of the preset that most rows name, "" if none names any.
func Machine(rows []Row) string {
	counts, best := make(map[string]int), ""
	for _, r := range rows {
		r = r.plain()
		name, err := machineName(&r)
		if err != nil {
			continue
		}
		if counts[name]++; counts[name] > counts[best] {
			best = name
		}
	}
	return best
}
