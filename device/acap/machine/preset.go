package machine

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var presets = map[string]func() *Machine{
	"vck190":  vck190,
	"vck5000": vck5000,
	"vek280":  vek280,
	"npu1":    npu1,
	"npu2":    npu2,
	"systolic": func() *Machine {
		m := Systolic(32, 32, OutputStationary)
		m.Name = "systolic"
		return m
	},
}

// Names lists the presets, small arrays of today first.
func Names() []string {
	return []string{"npu1", "npu2", "vek280", "vck190", "vck5000", "systolic"}
}

var systolicName = regexp.MustCompile(`^systolic-(\d{1,5})x(\d{1,5})-(os|ws|is)$`)

// Preset returns a fresh copy of the named machine, which the caller may
// change. Besides the names of [Names] it knows "systolic-RxC-os", "-ws" and
// "-is" for any size.
func Preset(name string) (*Machine, error) {
	if f, ok := presets[name]; ok {
		return f(), nil
	}
	if g := systolicName.FindStringSubmatch(name); g != nil {
		r, _ := strconv.Atoi(g[1])
		c, _ := strconv.Atoi(g[2])
		if r > 0 && c > 0 {
			return Systolic(r, c, Dataflow(g[3])), nil
		}
	}
	return nil, fmt.Errorf("no machine %q; known are %s and systolic-RxC-os|ws|is",
		name, strings.Join(Names(), ", "))
}
