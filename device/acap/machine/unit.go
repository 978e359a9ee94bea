package machine

import "sync"

// units are the units of constants, by the paths that [Machine.Constants] gives.
var units = sync.OnceValue(func() map[string]string {
	list := make(map[string]string)
	for _, p := range presets {
		p.make().Constants(func(path string, c *Constant) {
			if c.Unit != "" {
				list[path] = c.Unit
			}
		})
	}
	return list
})

// checkUnits refuses constants in other units than the model of time reads them in.
func (m *Machine) checkUnits() error {
	v := &checker{machine: m.Name}
	m.Constants(func(path string, c *Constant) {
		want := units()[path]
		v.require(path, want == "" || c.Unit == "" || c.Unit == want, "is in %s, want a number of %s", c.Unit, want)
	})
	return v.error()
}
