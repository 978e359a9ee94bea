package predict

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

var systolicDevice = regexp.MustCompile(`^(\d+)x(\d+) systolic`)

// machineName returns the preset that a row's device and workload name.
func machineName(r *Row) (string, error) {
	device := strings.ToLower(r.Device)
	switch {
	case strings.Contains(device, "dsp58"):
		return "", fmt.Errorf("device %q is not an array", r.Device)
	case strings.HasPrefix(device, "npu1"):
		return "npu1", nil
	case strings.HasPrefix(device, "npu2"):
		return "npu2", nil
	case strings.HasPrefix(device, "vck5000"):
		return "vck5000", nil
	case strings.HasPrefix(device, "vck190"), strings.Contains(device, "vc1902"):
		return "vck190", nil
	case strings.HasPrefix(device, "vek280"), strings.Contains(device, "ve2802"):
		return "vek280", nil
	}
	if g := systolicDevice.FindStringSubmatch(device); g != nil {
		flow := machine.WeightStationary
		for _, f := range []machine.Dataflow{machine.OutputStationary, machine.InputStationary} {
			if strings.Contains(" "+r.Workload+" ", " "+string(f)+" ") {
				flow = f
			}
		}
		return fmt.Sprintf("systolic-%sx%s-%s", g[1], g[2], flow), nil
	}
	if m, err := machine.Preset(device); err == nil {
		return m.Name, nil
	}
	return "", fmt.Errorf("unknown device %q", r.Device)
}

// Machines finds machines by preset name. The fit replaces presets by its own.
type Machines func(name string) (*machine.Machine, error)

// Presets returns a Machines that makes every preset once.
func Presets() Machines {
	made := make(map[string]*machine.Machine)
	return func(name string) (*machine.Machine, error) {
		if m := made[name]; m != nil {
			return m, nil
		}
		m, err := machine.Preset(name)
		if err == nil {
			made[name] = m
		}
		return m, err
	}
}
