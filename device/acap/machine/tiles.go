package machine

import "fmt"

// tiles is the architecture of the families of AI Engines: cores, mem tiles and interface tiles with programs and DMA
// channels. Only numbers differ from family to family, and upstream's name for an array.
type tiles struct {
	upstream func(m *Machine) string
}

// Upstream implements [Architecture].
func (t tiles) Upstream(m *Machine) string {
	if t.upstream == nil {
		return ""
	}
	return t.upstream(m)
}

// part is upstream's name for the first columns of an array, and for all of them.
func (m *Machine) part(name string, cols int) string {
	if m.Grid.Cols < cols {
		return fmt.Sprintf("%s_%dcol", name, m.Grid.Cols)
	}
	return name
}

func (tiles) named(string) *Machine               { return nil }
func (tiles) find(string, string) (string, error) { return "", nil }

func (tiles) check(v *checker, m *Machine) {
	v.grid(m, maxColumns)
	v.require("grid.shim_dma", len(m.Grid.ShimDMA) > 0, "is empty")
	v.require("systolic", m.Systolic == nil, "is only for the family %s", Grid2D)
	v.tile("core", &m.Core, true)
	if m.Grid.MemRows > 0 {
		v.tile("mem", &m.Mem, true)
	}
	v.tile("shim", &m.Shim, false)
	v.between("host.launch", m.Host.Launch, 0, 10)
}

func (tiles) row(m *Machine, row int) string {
	words := map[TileKind]string{ShimTile: "interface", MemTile: "memory", CoreTile: "cores"}
	return words[m.KindAt(Coord{0, row})]
}

// Changes implements [Architecture].
func (tiles) Changes() []Change {
	return []Change{
		bandwidth,
		{"twice the clock", func(m *Machine) { m.Clock.Value *= 2 }},
		{"twice the core memory", func(m *Machine) { m.Core.Memory.Value *= 2 }},
		{"half the columns", func(m *Machine) {
			m.Grid.Cols = max(1, m.Grid.Cols/2)
			var keep []int
			for _, c := range m.Grid.ShimDMA {
				if c < m.Grid.Cols {
					keep = append(keep, c)
				}
			}
			m.Grid.ShimDMA = keep
		}},
		{"half the cost of a launch", func(m *Machine) {
			m.Host.Launch.Value /= 2
			m.Host.Restart.Value /= 2
		}},
	}
}
