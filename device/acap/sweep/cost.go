package sweep

import "fmt"

// costs are the quantities that time can be set against.
var costs = map[string]struct {
	label string
	of    func(*Point) float64
}{
	"cores":     {"cores", func(p *Point) float64 { return float64(p.Cores) }},
	"memory":    {"memory on the array, MiB", func(p *Point) float64 { return float64(p.Memory) / (1 << 20) }},
	"bandwidth": {"memory bandwidth, GB/s", func(p *Point) float64 { return p.Bandwidth / 1e9 }},
	"joules":    {"energy, mJ (estimate)", func(p *Point) float64 { return p.Joules * 1e3 }},
}

// Cost returns the name of a cost with its unit, and the function that returns it for a point. There are cores, memory,
// bandwidth and joules; another name is an error.
func Cost(name string) (label string, of func(*Point) float64, err error) {
	c, ok := costs[name]
	if !ok {
		return "", nil, fmt.Errorf("no cost %q; there are cores, memory, bandwidth and joules", name)
	}
	return c.label, c.of, nil
}
