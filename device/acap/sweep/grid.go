package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

// fields are the short names of -set and the paths that they stand for.
var fields = map[string][]string{
	"cols":   {"grid.cols"},
	"rows":   {"grid.core_rows"},
	"l1":     {"core.memory"},
	"l2":     {"mem.memory"},
	"clock":  {"clock"},
	"ddr":    {"ddr.read", "ddr.write", "ddr.total"},
	"shim":   {"ddr.per_shim"},
	"launch": {"host.launch"},
	"stream": {"core.channel_bytes", "mem.channel_bytes", "shim.channel_bytes"},
}

func shortNames() []string {
	var names []string
	for n := range fields {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// paths are the places of a setting in a machine. The number of a constant may be named beside the constant.
func paths(name string) []string {
	if list := fields[name]; list != nil {
		return list
	}
	return []string{strings.TrimSuffix(name, ".value")}
}

// maxPoints bounds the machines of a sweep.
const maxPoints = 100_000

// setting is a field with the values it takes.
type setting struct {
	name   string
	values []float64
}

// parseSetting reads "name=values": numbers separated by commas, each a number
// with an optional k, m or g, or large letters (of 1024), or a range first:last[:step].
func parseSetting(text string) (setting, error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return setting{}, fmt.Errorf("-set %s: want name=values", text)
	}
	s := setting{name: name}
	for _, part := range strings.Split(list, ",") {
		var ends []float64
		for _, t := range strings.Split(part, ":") {
			v, err := parseSize(t)
			if err != nil {
				return s, fmt.Errorf("-set %s: %w", text, err)
			}
			ends = append(ends, v)
		}
		step := 1.0
		switch len(ends) {
		case 1:
			s.values = append(s.values, ends[0])
			continue
		case 2:
		case 3:
			step = ends[2]
		default:
			return s, fmt.Errorf("-set %s: a range is first:last or first:last:step", text)
		}
		if step > 0 && (ends[1]-ends[0])/step > maxPoints {
			return s, fmt.Errorf("-set %s: more than %d values: give a longer step, as in first:last:step", text, maxPoints)
		}
		if step <= 0 || ends[1] < ends[0] {
			return s, fmt.Errorf("-set %s: a step of %v does not lead from %v to %v", text, step, ends[0], ends[1])
		}
		for v := ends[0]; v <= ends[1]*(1+1e-12); v += step {
			s.values = append(s.values, v)
		}
	}
	if len(s.values) == 0 {
		return s, fmt.Errorf("-set %s: no values", text)
	}
	return s, nil
}

func parseSize(t string) (float64, error) {
	factor := 1.0
	switch {
	case strings.HasSuffix(t, "k"), strings.HasSuffix(t, "K"):
		factor = 1 << 10
	case strings.HasSuffix(t, "M"), strings.HasSuffix(t, "m"):
		factor = 1 << 20
	case strings.HasSuffix(t, "G"), strings.HasSuffix(t, "g"):
		factor = 1 << 30
	}
	if factor > 1 {
		t = t[:len(t)-1]
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil || v != v || v-v != 0 {
		return 0, fmt.Errorf("%q is no number", t)
	}
	return v * factor, nil
}

// Grid is every combination of machines and settings.
type Grid struct {
	machines []base
	settings []setting
	names    []string
}

// base is a machine that settings vary, in JSON.
type base struct {
	name string
	text []byte
}

// NewGrid returns the combinations of machines, which are presets or JSON files, with settings
// "name=values". Of each setting the first and the last value are tried; machines between them that cannot
// be are errors of [Grid.Evaluate].
func NewGrid(machines, set []string) (*Grid, error) {
	return NewGridIn(machine.Setting{}, machines, set)
}

// NewGridIn is [NewGrid] with all machines in a setting. Errors are those of [NewGrid], and a setting that a machine
// does not have.
func NewGridIn(in machine.Setting, machines, set []string) (*Grid, error) {
	g := &Grid{}
	count := len(machines)
	for _, text := range set {
		s, err := parseSetting(text)
		if err != nil {
			return nil, err
		}
		for _, name := range g.names {
			for _, path := range paths(name) {
				if slices.Contains(paths(s.name), path) {
					return nil, fmt.Errorf("-set %s: %s is set twice, as %s and as %s", text, path, name, s.name)
				}
			}
		}
		g.settings = append(g.settings, s)
		g.names = append(g.names, s.name)
		if count *= len(s.values); count > maxPoints {
			return nil, fmt.Errorf("a sweep has at most %d machines", maxPoints)
		}
	}
	for _, name := range machines {
		m, err := machine.Load(name)
		if err != nil {
			return nil, err
		}
		if m, err = in.Of(m); err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := m.WriteJSON(&text); err != nil {
			return nil, err
		}
		g.machines = append(g.machines, base{m.Name, text.Bytes()})
	}
	return g, g.try()
}

// try makes the machines that differ from the first of a base in one value.
func (g *Grid) try() error {
	points := g.Len() / max(1, len(g.machines))
	for i := range g.machines {
		step := points
		for _, s := range g.settings {
			step /= len(s.values)
			for _, k := range []int{0, len(s.values) - 1} {
				if _, _, err := g.machine(i*points + k*step); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Len is the number of points.
func (g *Grid) Len() int {
	n := len(g.machines)
	for _, s := range g.settings {
		n *= len(s.values)
	}
	return n
}

// Names are the fields that vary.
func (g *Grid) Names() []string { return g.names }

// machine makes the machine of a point; the last setting varies fastest.
func (g *Grid) machine(i int) (*Point, *machine.Machine, error) {
	p := &Point{Set: make(map[string]float64)}
	for k := len(g.settings) - 1; k >= 0; k-- {
		s := g.settings[k]
		p.Set[s.name] = s.values[i%len(s.values)]
		i /= len(s.values)
	}
	base := g.machines[i]
	p.Machine = base.name
	m, err := vary(base.text, g.names, p.Set)
	if err != nil {
		err = fmt.Errorf("%s: %w", base.name, err)
	}
	return p, m, err
}

// vary changes fields of a machine in JSON.
func vary(text []byte, names []string, set map[string]float64) (*machine.Machine, error) {
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	cols := 0 // of another number, with the interface tiles that belong to them
	for _, name := range names {
		for i, path := range paths(name) {
			if i > 0 && !has(tree, path) {
				continue // such as a rate for reads and writes together, of a memory where they take turns
			}
			if v := set[name]; path == "grid.cols" && v == math.Trunc(v) && v >= 1 && v < 1<<30 {
				cols = int(v)
				continue
			}
			if err := assign(tree, path, set[name]); err != nil {
				return nil, err
			}
		}
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	m := new(machine.Machine)
	if err := json.Unmarshal(out, m); err != nil {
		return nil, err
	}
	if cols > 0 {
		m.Grid.Resize(cols)
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m.Shared(), nil
}

// has reports whether there is something at a path.
func has(tree map[string]any, path string) bool {
	for {
		key, rest, more := strings.Cut(path, ".")
		child, ok := tree[key]
		if !ok || !more {
			return ok
		}
		if tree, ok = child.(map[string]any); !ok {
			return false
		}
		path = rest
	}
}

// assign sets the number, or the value of the constant, at a path.
func assign(tree map[string]any, path string, v float64) error {
	parts := strings.Split(path, ".")
	for i, key := range parts {
		child, ok := tree[key]
		if !ok {
			short := ""
			if i == 0 {
				short = "; short names are " + strings.Join(shortNames(), ", ")
			}
			return fmt.Errorf("a machine has no field %s; there are %s%s", strings.Join(parts[:i+1], "."), strings.Join(slices.Sorted(maps.Keys(tree)), ", "), short)
		}
		object, isObject := child.(map[string]any)
		if i < len(parts)-1 {
			if !isObject {
				return fmt.Errorf("%s has no fields", strings.Join(parts[:i+1], "."))
			}
			tree = object
			continue
		}
		if isObject {
			if _, constant := object["value"]; !constant {
				return fmt.Errorf("%s is no number", path)
			}
			object["value"] = v
			return nil
		}
		if _, number := child.(float64); !number {
			return fmt.Errorf("%s is no number", path)
		}
		// Only counts are plain numbers; all others are constants.
		if v != math.Trunc(v) {
			return fmt.Errorf("%s is %v, want a whole number", path, v)
		}
		tree[key] = v
	}
	return nil
}
