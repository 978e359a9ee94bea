package mapping

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// mostDepth bounds the buffers of a FIFO, and mostStages the blocks that are staged along one extent.
const (
	mostDepth  = 64
	mostStages = 1 << 20
)

// Whole returns the one mapping of a kernel on a machine without programs, and false for other machines.
func Whole(m *machine.Machine, w *workload.Kernel) (Mapping, bool) {
	f, ok := m.Fixed()
	if !ok {
		return Mapping{}, false
	}
	return Mapping{Kind: w.Kind, Cols: m.Grid.Cols, Rows: m.Grid.CoreRows, Style: f.Style(m)}, true
}

// Check returns an error if a mapping cannot be one of the kernel: its kind is not the kernel's, the machine does not
// have its cores, or a number is out of range for tiles, parts or memories. Whether the mapping fits the machine's
// memories and channels is for package program to say. A mapping that Check accepts can be timed and built, wherever it
// is from.
func (g Mapping) Check(m *machine.Machine, w *workload.Kernel) error {
	if g.Kind != w.Kind {
		return fmt.Errorf("mapping of a %v for a %v", g.Kind, w.Kind)
	}
	if whole, ok := Whole(m, w); ok {
		if g != whole {
			return fmt.Errorf("mapping %v for an array that has one mapping: %v", g, whole)
		}
		return nil
	}
	tile := 2 * max(m.Core.Memory.Int(), m.Mem.Memory.Int()) // elements of 4 bits
	if tile == 0 {
		tile = extent // of a machine that says nothing of its memories
	}
	channels := 1 // of a group of a convolution
	if g.Kind == workload.KindConvolution {
		channels = max(1, w.Convolution.C/max(1, w.Convolution.Groups))
	}
	for _, field := range g.bounds(m, tile, channels) {
		if field.value < field.from || field.value > field.to {
			return fmt.Errorf("mapping of %s: %s %d, not from %d to %d", w.Name, field.name, field.value, field.from, field.to)
		}
	}
	if err := g.checkMemTiles(w); err != nil {
		return err
	}
	switch g.Kind {
	case workload.KindContraction, workload.KindConvolution:
		return g.checkProduct(m)
	case workload.KindAttention:
		return g.checkAttention(tile)
	}
	if g.Tile < 1 {
		return fmt.Errorf("mapping %v has an empty tile", g)
	}
	return nil
}

// extent is more than the elements of any array.
const extent = 1 << 31

// bounded is a field of a mapping that must be from one number to another.
type bounded struct {
	name            string
	value, from, to int
}

// bounds returns the fields of a mapping on a machine whose memories hold so many elements of 4 bits, for a kernel with
// so many channels in a group.
func (g Mapping) bounds(m *machine.Machine, tile, channels int) []bounded {
	return []bounded{

		{"columns", g.Cols, 1, m.Grid.Cols}, {"rows", g.Rows, 1, m.Grid.CoreRows},
		{"column", g.Col, 0, m.Grid.Cols}, {"row", g.Row, 0, m.Grid.CoreRows},
		{"tile", g.TM, 0, tile}, {"tile", g.TN, 0, tile}, {"tile", g.TK, 0, tile}, {"tile", g.Tile, 0, tile},
		{"positions", g.OutRows, 0, tile}, {"positions", g.OutCols, 0, tile}, {"channel tiles", g.ChannelTiles, 0, channels},
		{"parts", g.PartsM, 0, m.Grid.Cols * m.Grid.CoreRows}, {"parts", g.PartsN, 0, m.Grid.Cols * m.Grid.CoreRows},
		{"cascade", g.Cascade, 0, max(m.Grid.Cols, m.Grid.CoreRows)}, {"slice", g.KL2, 0, extent}, {"strips", g.Hold, 0, mostDepth},
		{"stages", g.StageM, 0, mostStages}, {"stages", g.StageN, 0, mostStages},
		{"parts of a shared stream", g.FanOutA, 0, m.Grid.CoreRows * m.Grid.Cols}, {"parts of a shared stream", g.FanOutB, 0, m.Grid.CoreRows * m.Grid.Cols},
		{"heads", g.Heads, 0, m.Grid.Cols * m.Grid.CoreRows}, {"heads of a shared stream", g.FanOut, 0, m.Grid.Cols * m.Grid.CoreRows},
		{"lanes", g.Lanes, 0, mostDepth}, {"depth", g.Depth, 0, mostDepth}, {"depth of results", g.OutDepth, 0, mostDepth},
		{"row of mem tiles", g.Resident, 0, m.Grid.MemRows}, {"row of mem tiles", g.In.Row, 0, m.Grid.MemRows},
		{"row of mem tiles", g.Out.Row, 0, m.Grid.MemRows}, {"address", g.In.Address, 0, extent}, {"address", g.Out.Address, 0, extent},
		{"input", g.In.Input, 0, mostDepth}, {"input", g.Out.Input, 0, 0},
	}
}

// checkMemTiles says which mapping keeps in mem tiles what its kernel has not, and which has no buffers.
func (g Mapping) checkMemTiles(w *workload.Kernel) error {
	product := g.Kind == workload.KindContraction || g.Kind == workload.KindConvolution
	equal := g.Kind == workload.KindPointwise || g.Kind == workload.KindNormalize
	switch {
	case g.Resident > 0 && !product:
		return fmt.Errorf("mapping %v of a %v has weights in mem tiles", g, g.Kind)
	case g.In.Row+g.Out.Row > 0 && !product && !equal:
		return fmt.Errorf("mapping %v of a %v keeps arrays in mem tiles", g, g.Kind)
	case g.In.Row+g.Out.Row > 0 && g.Kind == workload.KindNormalize && g.TK > 0:
		return fmt.Errorf("mapping %v takes rows in pieces, and keeps arrays in mem tiles", g)
	case g.In.Row > 0 && g.In.Input >= len(w.Inputs()):
		return fmt.Errorf("mapping %v keeps input %d of %d", g, g.In.Input, len(w.Inputs()))
	case g.Depth < 1 && equal:
		return fmt.Errorf("mapping of %s: no buffers", w.Name)
	}
	return nil
}

// checkAttention holds the tiles and cores of attention; memories hold tile elements of 4 bits.
func (g Mapping) checkAttention(tile int) error {
	if least := min(g.Tile, g.TK, g.TN, g.Heads, g.Cascade, g.Depth); least < 1 {
		return fmt.Errorf("mapping %v of attention has a tile, heads, cascade or depth of %d", g, least)
	}
	if most := max(g.TK, g.TN); g.Tile > tile/most {
		return fmt.Errorf("mapping %v of attention has a tile of %d queries by %d, which no memory holds", g, g.Tile, most)
	}
	if g.Rows%g.Cascade != 0 || g.Cores() < g.Heads*g.Cascade || g.FanOut > g.Heads {
		return fmt.Errorf("mapping %v has %d cores for %d heads, %d of them on one stream, in cascades of %d", g, g.Cores(), g.Heads, g.FanOut, g.Cascade)
	}
	return nil
}

// checkProduct is Check of what products and convolutions alone have.
func (g Mapping) checkProduct(m *machine.Machine) error {
	if least := min(g.TM, g.TN, g.TK, g.PartsM, g.PartsN, g.Cascade, g.StageM, g.StageN, g.Depth, g.OutDepth); least < 1 {
		return fmt.Errorf("mapping %v of a product has a tile, part, stage, cascade or depth of %d", g, least)
	}
	if positions := g.OutRows * g.OutCols; positions > 0 && positions != g.TM || positions == 0 && g.OutRows+g.OutCols > 0 {
		return fmt.Errorf("mapping %v has %d x %d positions in a tile of %d", g, g.OutRows, g.OutCols, g.TM)
	}
	rows, cols := g.Rows, g.Cols
	if m.Grid.VerticalCascade {
		rows /= g.Cascade
	} else {
		cols /= g.Cascade
	}
	if rows*cols*g.Cascade != g.Cores() || !g.Stacked() && (g.PartsM != rows || g.PartsN != cols) && (g.PartsM != cols || g.PartsN != rows) {
		return fmt.Errorf("mapping %v has %d x %d parts in cascades of %d on %d x %d cores", g, g.PartsM, g.PartsN, g.Cascade, g.Cols, g.Rows)
	}
	if (g.In.Row > 0 || g.Out.Row > 0) && !g.ByRows(m.Grid.VerticalCascade) {
		return fmt.Errorf("mapping %v retains an array that does not lie by rows", g)
	}
	if a, b := g.FanOuts(); g.PartsM%a != 0 || g.PartsN%b != 0 {
		return fmt.Errorf("mapping %v joins %d of %d and %d of %d parts", g, a, g.PartsM, b, g.PartsN)
	}
	return nil
}
