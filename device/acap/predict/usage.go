package predict

import (
	"cmp"

	"github.com/go-acap/acap/device/acap/machine"
)

// Defaults says what a prediction assumes where rows say nothing.
type Defaults struct {
	// Setting is how machines were used. Where it does not say how bf16 is multiplied, that is machine.BF16Emulated on
	// machines that can do both, as published kernels do.
	machine.Setting
	Machines Machines // nil is the presets

	sources map[string]string
}

// Check refuses a setting that no machine of the rows has. A machine without multipliers of block floating point
// multiplies bf16 as it is, and says so beside each row.
func (d Defaults) Check(rows []Row) error {
	if d.BF16 == machine.BF16Emulated {
		d.BF16 = ""
	}
	if d.Machines == nil {
		d.Machines = Presets()
	}
	var refused error
	for _, r := range rows {
		r = r.plain()
		name, err := machineName(&r)
		if err != nil {
			continue
		}
		m, err := d.Machines(name)
		if err != nil {
			continue
		}
		if _, err = d.Setting.Of(m); err == nil {
			return nil
		}
		refused = cmp.Or(refused, err)
	}
	return refused
}

// dispatch returns the way to start kernels that a plain row names, "" for none.
func (r *Row) dispatch() string {
	for _, w := range dispatches {
		if w.said.MatchString(r.Workload + " " + r.Notes) {
			return w.name
		}
	}
	return ""
}

// sources returns the way to start kernels by source and device, for rows that name none: the way that all other rows
// of the source name, and no known way where those rows differ.
func sources(rows []Row) map[string]string {
	of := make(map[string]string)
	for _, r := range rows {
		r = r.plain()
		at := r.Source + "\n" + r.Device
		switch said, before := r.dispatch(), of[at]; {
		case said != "wall" && said != "queued" || before == said: // others are of a row
		case before == "":
			of[at] = said
		default:
			of[at] = "several"
		}
	}
	return of
}

// used returns the machine in the setting of a row, and remarks on what the row leaves open. A way to start kernels
// that the machine lacks counts as not said.
func (d *Defaults) used(m *machine.Machine, row *Row) (*machine.Machine, []string, error) {
	if d.Mode != "" {
		with, err := machine.Setting{Mode: d.Mode}.Of(m)
		if err != nil {
			return nil, nil, err
		}
		m = with
	}
	said := row.Workload + " " + row.DType + " " + row.Notes
	mode, dispatch := d.BF16, d.Dispatch
	for _, w := range modes {
		if w.said.MatchString(said) {
			mode = w.name
			break
		}
	}
	var remarks []string
	name := cmp.Or(row.dispatch(), d.sources[row.Source+"\n"+row.Device])
	if _, known := m.Host.Dispatch[name]; known {
		dispatch = name
	}
	if _, both := m.Compute.MACs[machine.BF16Emulated]; both {
		if mode == "" {
			mode = machine.BF16Emulated
		}
		with, err := m.WithBF16(mode)
		if err != nil {
			return nil, nil, err
		}
		m = with
	} else if d.BF16 == machine.BF16Emulated && mode == d.BF16 {
		remarks = append(remarks, m.Name+" multiplies bf16 as it is")
	}
	if dispatch != "" {
		with, err := m.Dispatched(dispatch)
		if err != nil {
			return nil, nil, err
		}
		m = with
		remarks = append(remarks, "dispatch "+dispatch)
	}
	return m, remarks, nil
}
