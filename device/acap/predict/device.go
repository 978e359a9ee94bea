package predict

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

// machineName returns the preset that a plain row's device and workload name.
func machineName(r *Row) (string, error) {
	if m, err := machine.Preset(r.Device); err == nil {
		return m.Name, nil
	}
	if strings.Contains(r.Device, "dsp58") {
		return "", fmt.Errorf("device %q is not an array", r.Device)
	}
	name, err := machine.Find(r.Device, r.Workload)
	if err != nil {
		return "", err
	}
	if name == "" {
		return "", fmt.Errorf("unknown device %q", r.Device)
	}
	return name, columns(r.Device, name)
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

// Machines finds machines by preset name. The fit replaces presets by its own.
type Machines func(name string) (*machine.Machine, error)

// Presets returns a Machines that makes every preset once.
func Presets() Machines {
	m, _ := Machines(machine.Preset).With("")
	return m
}

// With returns machines and the machines of files, whose names are separated by commas. A file's machine takes the
// place of a machine of the same name. A file that is no machine is an error, and so is a machine that takes the place
// of none.
func (find Machines) With(files string) (Machines, error) {
	own := make(map[string]*machine.Machine)
	for _, file := range strings.FieldsFunc(files, func(r rune) bool { return r == ',' }) {
		if !strings.EqualFold(filepath.Ext(file), ".json") {
			return nil, fmt.Errorf("-machine %s: files of machines are wanted, whose names end in .json; a preset takes the place of nothing", file)
		}
		m, err := machine.Load(file)
		if err != nil {
			return nil, err
		}
		if _, err := find(m.Name); err != nil {
			return nil, fmt.Errorf("-machine %s: rows are of presets, and the file takes the place of none: %w", file, err)
		}
		own[m.Name] = m.Shared()
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
