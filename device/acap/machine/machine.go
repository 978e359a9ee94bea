package machine

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

// Machine is one accelerator array.
type Machine struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Family Family `json:"family"`

	Grid Grid `json:"grid"`
	// Modes is other states of the clock, by name: see [Setting].
	Modes   map[string]Mode `json:"modes,omitempty"`
	Clock   Constant        `json:"clock"` // Hz of the array
	Core    Tile            `json:"core,omitzero"`
	Mem     Tile            `json:"mem,omitzero"`
	Shim    Tile            `json:"shim,omitzero"`
	Compute Compute         `json:"compute"`
	Stream  Stream          `json:"stream,omitzero"`
	DDR     DDR             `json:"ddr"`
	Host    Host            `json:"host"`
	Energy  Energy          `json:"energy"`
	// Staging is bytes of buffers between memory and array that are not mem
	// tiles: the programmable logic of a Versal device.
	Staging  Constant  `json:"staging,omitzero"`
	Systolic *Dataflow `json:"systolic,omitempty"` // set only on systolic machines
	// Scratchpads are the buffers of a systolic machine, whose cells wait where these are too small or the memory
	// outside is too slow. Without them operands are always there.
	Scratchpads Scratchpads `json:"scratchpads,omitzero"`
	// Arrays are the arrays like this one with which it shares the memory outside or the host; nil if it has both for
	// itself.
	Arrays *Arrays `json:"arrays,omitempty"`
}

// Grid is the shape of the array. Rows are counted from the interface row up.
type Grid struct {
	Cols     int   `json:"cols"`
	CoreRows int   `json:"core_rows"`
	MemRows  int   `json:"mem_rows"`
	ShimDMA  []int `json:"shim_dma"` // columns whose interface tile has a DMA
	// Checkerboard arrays have the data memory west of the core on even rows
	// and east of it on odd rows.
	Checkerboard bool `json:"checkerboard"`
	// VerticalCascade arrays pass accumulators south as well as along the row.
	VerticalCascade bool `json:"vertical_cascade"`
	// Dead lists core tiles that programs must not use.
	Dead []Coord `json:"dead,omitempty"`
}

// Coord is the place of a tile: column and row, row 0 being the interface row.
type Coord struct {
	Col int `json:"col"`
	Row int `json:"row"`
}

// Resize sets the number of columns. Columns that go take their interface tiles along; new
// ones have a DMA where all columns had one.
func (g *Grid) Resize(cols int) {
	all := len(g.ShimDMA) == g.Cols
	g.ShimDMA = slices.DeleteFunc(slices.Clone(g.ShimDMA), func(c int) bool { return c >= cols })
	for c := g.Cols; all && c < cols && c < maxColumns; c++ {
		g.ShimDMA = append(g.ShimDMA, c)
	}
	g.Cols = cols
}

// Rows returns the number of rows including the interface row.
func (g Grid) Rows() int { return 1 + g.MemRows + g.CoreRows }

// Cores returns the number of core tiles that are not declared dead.
func (g Grid) Cores() int { return g.Cols*g.CoreRows - len(g.Dead) }

// Place returns the lowest place where a grid of cols × rows cores has no dead tile: its first column and its first row
// of cores. It reports false if there is no such place.
func (g Grid) Place(cols, rows int) (col, row int, ok bool) {
	for row = 0; row+rows <= g.CoreRows; row++ {
		for col = 0; col+cols <= g.Cols; col++ {
			if g.alive(col, row, cols, rows) {
				return col, row, true
			}
		}
	}
	return 0, 0, false
}

// At returns the place of a grid of cols × rows cores that is right columns and above rows from the lowest place. It
// reports false if there is no such place.
func (g Grid) At(cols, rows, right, above int) (col, row int, ok bool) {
	col, row, ok = g.Place(cols, rows)
	if !ok || right == 0 && above == 0 {
		return col, row, ok
	}
	col, row = col+right, row+above
	return col, row, col >= 0 && row >= 0 && col+cols <= g.Cols && row+rows <= g.CoreRows &&
		g.alive(col, row, cols, rows)
}

func (g Grid) alive(col, row, cols, rows int) bool {
	for _, d := range g.Dead {
		c, r := d.Col-col, d.Row-g.CoreRow(row)
		if c >= 0 && c < cols && r >= 0 && r < rows {
			return false
		}
	}
	return true
}

// Tallest returns the most rows that a grid with cols columns of cores may have, 0 if there is no place for any.
func (g Grid) Tallest(cols int) (rows int) {
	for rows = g.CoreRows; rows > 0; rows-- {
		if _, _, ok := g.Place(cols, rows); ok {
			break
		}
	}
	return rows
}

// CoreRow returns the row of the i-th row of cores.
func (g Grid) CoreRow(i int) int { return 1 + g.MemRows + i }

// TileKind tells the three kinds of tiles apart.
type TileKind uint8

// The kinds of tiles.
const (
	NoTile TileKind = iota
	ShimTile
	MemTile
	CoreTile
)

// String returns the word used in messages.
func (k TileKind) String() string {
	return [...]string{"no tile", "shim", "mem tile", "core"}[k]
}

// KindAt returns the kind of the tile at c; NoTile outside the grid.
func (m *Machine) KindAt(c Coord) TileKind {
	switch {
	case c.Col < 0 || c.Col >= m.Grid.Cols || c.Row < 0 || c.Row >= m.Grid.Rows():
		return NoTile
	case c.Row == 0:
		return ShimTile
	case c.Row <= m.Grid.MemRows:
		return MemTile
	}
	return CoreTile
}

// TileAt returns the resources of the tile at c, nil outside the grid.
func (m *Machine) TileAt(c Coord) *Tile { return m.TileOf(m.KindAt(c)) }

// TileOf returns the resources of the tiles of a kind, nil of no kind.
func (m *Machine) TileOf(k TileKind) *Tile {
	switch k {
	case ShimTile:
		return &m.Shim
	case MemTile:
		return &m.Mem
	case CoreTile:
		return &m.Core
	}
	return nil
}

// Tile is what one tile of a kind has.
type Tile struct {
	Memory      Constant `json:"memory"`              // bytes of data memory
	Program     Constant `json:"program,omitzero"`    // bytes of program memory
	Stack       Constant `json:"stack"`               // bytes of data memory kept for the stack
	Banks       Constant `json:"banks"`               // banks of data memory
	BankBytes   Constant `json:"bank_bytes,omitzero"` // bytes that a bank reads or writes in a cycle; 0 where that is not known
	Access      Constant `json:"access,omitzero"`     // bytes of a bank that a channel takes for a cycle; 0 for bank_bytes
	Locks       Constant `json:"locks"`               // locks
	LockMax     Constant `json:"lock_max"`            // greatest value of a lock
	In          Constant `json:"in"`                  // stream-to-memory DMA channels
	Out         Constant `json:"out"`                 // memory-to-stream DMA channels
	Descriptors Constant `json:"descriptors"`         // DMA buffer descriptors
	Dims        Constant `json:"dims"`                // address dimensions of a descriptor
	LengthBits  Constant `json:"length_bits"`         // width of a descriptor's length, words
	WrapBits    Constant `json:"wrap_bits"`           // width of a dimension's size field
	StepBits    Constant `json:"step_bits"`           // width of a dimension's step field
	IterBits    Constant `json:"iter_bits"`           // width of the iteration count
	Queue       Constant `json:"queue"`               // tasks that a channel holds, with the one it runs; 0 for no limit
	Repeat      Constant `json:"repeat,omitzero"`     // times that a task runs a chain of descriptors at most; 0 for once
	ChannelRate Constant `json:"channel_bytes"`       // bytes a DMA channel moves in a cycle
	Switch      Switch   `json:"switch,omitzero"`     // nothing where any number of streams passes
}

// Switch is how many streams the switch of a tile can pass on to each neighbour.
type Switch struct {
	North Constant `json:"north"`
	South Constant `json:"south"`
	Side  Constant `json:"side"` // east, and as many west
}

// Compute is what a core does.
type Compute struct {
	// MACs is multiply-accumulates per cycle, by operand types ("bf16", or
	// "i16xi8" where they differ), among which are packed formats ("bfp16", "i8xi4"). A type that is absent
	// is not supported.
	MACs map[string]Constant `json:"macs"`
	// Shapes is the M, K, N of the matrix instruction, by operand types; tiles
	// are padded to it. "" is the default.
	Shapes map[string][3]int `json:"shapes"`
	// Convert is operations of a lane that turn a value of a packed format into an element, or an element
	// into a packed one, by format: cores convert what their multipliers do not take as it comes. A
	// format that is absent is not supported.
	Convert map[string]Constant `json:"convert,omitempty"`
	// Lanes is elementwise operations per cycle, by type.
	Lanes map[string]Constant `json:"lanes"`
	// Styles is how contraction kernels are written: see [Style].
	Styles map[string]Style `json:"styles"`
	// Routines is the cost of kernels that are not contractions, by name.
	Routines map[string]Routine `json:"routines"`

	// Emulate says that kernels convert operands of bf16 to block floating point in registers, and multiply these: see
	// [Machine.WithBF16].
	Emulate bool `json:"emulate,omitempty"`

	// MeasuredBanks is the banking of the core on which kernels were measured. On a core with another banking, the
	// waits of kernels for banks are scaled. The zero value means the machine's own.
	MeasuredBanks Banking `json:"measured_banks,omitzero"`

	// FreeBanks says that nobody waits for banks of a core's memory: kernels take as much less as they were
	// measured to take with such waits.
	FreeBanks bool `json:"free_banks,omitempty"`

	// Code is the bytes of a kernel in a core's program memory.
	Code Constant `json:"code,omitzero"`

	LoadBytes    Constant `json:"load_bytes"`    // bytes loaded in a cycle, all ports
	StoreBytes   Constant `json:"store_bytes"`   // bytes stored in a cycle
	CascadeBytes Constant `json:"cascade_bytes"` // bytes passed to the next core in a cycle
}

// Banking is how a core's memory is divided.
type Banking struct {
	Banks Constant `json:"banks"`
	Bytes Constant `json:"bytes"` // that a bank reads or writes in a cycle
}

// Routine is the cost of a kernel that is not a contraction.
type Routine struct {
	Element Constant `json:"element"`       // cycles per element
	Row     Constant `json:"row,omitzero"`  // cycles per row
	Call    Constant `json:"call,omitzero"` // cycles per tile
	Load    Constant `json:"load,omitzero"` // seconds to load the kernel before its launch
	// Amid is the array's time for the kernel among other kernels of a program, as a multiple of its time when the
	// kernel runs again and again; 0 means 1.
	Amid Constant `json:"amid,omitzero"`
	// Read is the largest share of the memory's rate at which attention reads keys and values of bf16; 0 means 1.
	Read Constant `json:"read,omitzero"`
}

// MACRate returns the multiply-accumulates of one core in one cycle for
// operands of types a and b. Types that no multiplier takes are multiplied and added
// element by element; false when the machine does not do that either.
func (m *Machine) MACRate(a, b dtype.DType) (float64, bool) {
	name := a.String()
	if a != b {
		name = a.String() + "x" + b.String()
	}
	c, ok := m.Compute.MACs[name]
	if !ok && a != b {
		c, ok = m.Compute.MACs[b.String()+"x"+a.String()]
	}
	if !ok {
		c, ok = m.Compute.MACs["any"]
	}
	if !ok {
		if b.Size() > a.Size() {
			a = b
		}
		lanes, known := m.LaneRate(a)
		return lanes / 2, known
	}
	return c.Value, ok
}

// Shape returns the M, K and N of the matrix instruction for operands of type t.
func (m *Machine) Shape(t dtype.DType) (mm, kk, nn int) { return m.ShapeOf(t.String()) }

// ShapeOf is Shape by the name of a type or of a packed format.
func (m *Machine) ShapeOf(name string) (mm, kk, nn int) {
	s, ok := m.Compute.Shapes[name]
	if !ok {
		s, ok = m.Compute.Shapes[""]
	}
	if !ok {
		return 1, 1, 1
	}
	return s[0], s[1], s[2]
}

// LaneRate returns the elementwise operations of one core in one cycle.
func (m *Machine) LaneRate(t dtype.DType) (float64, bool) {
	c, ok := m.Compute.Lanes[t.String()]
	if !ok {
		c, ok = m.Compute.Lanes["any"]
	}
	return c.Value, ok
}

// Stream is the network between tiles.
type Stream struct {
	Hop     Constant `json:"hop"`      // cycles of one switch
	BDSetup Constant `json:"bd_setup"` // cycles a channel needs between descriptors
}

// DDR is the memory outside, as the array sees it.
type DDR struct {
	Read  Constant `json:"read"`  // bytes/s, all columns together
	Write Constant `json:"write"` // bytes/s, all columns together
	// Total is bytes/s, reads and writes together; 0 where they take turns, each at
	// its own rate.
	Total   Constant `json:"total,omitzero"`
	PerShim Constant `json:"per_shim"` // bytes/s through one interface tile, one direction
	// Start is how long the memory takes to begin; nothing where that is not known.
	Start Start `json:"start,omitzero"`
	// Burst is the share of the rate that contiguous runs of at least a number of bytes reach, longest first.
	Burst []Burst `json:"burst,omitempty"`
	// Page is the bytes that one activation of the memory opens. Parts of rows that are no farther apart count as one
	// run.
	Page Constant `json:"page,omitzero"`
	// Pitch is the share of the rate that many rows reach that lie exactly a number of bytes apart and so fall on the
	// same banks.
	Pitch []Pitch `json:"pitch,omitempty"`
	// Chips describes the chips of the memory; the zero value where they are not known.
	Chips Chips `json:"chips,omitzero"`
}

// Start is cycles of the array's clock that the memory outside takes beside its rate, once for a launch: transfers that
// wait in a queue of an interface tile are asked for while the one before them moves.
type Start struct {
	Read  Constant `json:"read"`  // from the first request to the first word
	Write Constant `json:"write"` // from the last word to the answer that it has been written
}

// Both returns the seconds that reads and writes take together, in bytes, by the
// limit that they share.
func (d *DDR) Both(read, write float64) float64 {
	if d.Turns() {
		return read/d.Read.Value + write/d.Write.Value
	}
	return (float64(read) + float64(write)) / d.Total.Value // which may be products
}

// Turns reports whether reads and writes take turns.
func (d *DDR) Turns() bool { return d.Total.Value == 0 }

// RowsShare returns the share of the rate for rows of some bytes each, which start apart bytes from each other: the
// share of contiguous runs of that length, bounded by the memory channels on which the rows lie.
func (d *DDR) RowsShare(rows, bytes, apart int) float64 {
	channels := 1.0
	if rows > 1 && d.Chips.Interleave.Value > 0 {
		channels = min(1, d.Chips.channelsShare(bytes, apart)*d.Chips.Bus.Value/d.Read.Value)
	}
	if bytes >= apart || apart <= d.Page.Int() {
		bytes = rows * apart
	}
	return min(channels, d.BurstShare(bytes))
}

// BurstShare returns the share of the rate that runs of n contiguous bytes get: what was measured, and no more
// than the chips allow.
func (d *DDR) BurstShare(n int) float64 {
	share := d.Chips.share(n, d.Page.Int())
	for _, b := range d.Burst {
		if n >= b.Bytes {
			return min(share, b.Share.Value)
		}
	}
	return share
}

// PitchShare returns the share of the rate that rows get whose starts are apart bytes from one another.
func (d *DDR) PitchShare(rows, apart int) float64 {
	for _, p := range d.Pitch {
		if apart == p.Bytes && rows > p.Rows {
			return p.Share.Value
		}
	}
	return 1
}

// Burst is one step of the burst rule.
type Burst struct {
	Bytes int      `json:"bytes"`
	Share Constant `json:"share"`
}

// Pitch is one step of the row pitch rule.
type Pitch struct {
	Bytes int      `json:"bytes"`
	Rows  int      `json:"rows,omitempty"` // most rows that have banks of their own
	Share Constant `json:"share"`
}

// Host has the costs of the host's part of a launch.
type Host struct {
	Launch Constant `json:"launch"` // seconds from the call to the first byte, and back
	// Dispatch is other ways to start a kernel and to wait for it, by name: see [Machine.Dispatched].
	Dispatch map[string]Dispatch `json:"dispatch,omitempty"`
	// Restart is seconds from the last result of a set of DMA tasks to the first byte
	// of the next.
	Restart Constant `json:"restart"`
	// Context is seconds more that a call takes where the program of the call before was
	// another one.
	Context Constant `json:"context,omitzero"`
	// Switch is seconds for every core of a launch that follows another one in a program:
	// to load it anew, with its descriptors.
	Switch Constant `json:"switch,omitzero"`
	// Write is bytes per second at which the host hands over inputs: copies them and
	// cleans its caches.
	Write Constant `json:"write,omitzero"`
	// Copy is bytes per second at which the host's program passes tensors on between
	// programs of the array: slices, views and transposes.
	Copy Constant `json:"copy,omitzero"`
}

// Energy is picojoules per event; estimates.
type Energy struct {
	MAC    map[string]Constant `json:"mac"`
	Op     Constant            `json:"op"`
	L1     Constant            `json:"l1"`     // per byte
	L2     Constant            `json:"l2"`     // per byte
	Stream Constant            `json:"stream"` // per byte and hop
	DDR    Constant            `json:"ddr"`    // per byte
	Static Constant            `json:"static"` // watts of the array at rest
	// Tile is watts more of a core that takes part, while it does.
	Tile Constant `json:"tile,omitzero"`
	// Spread is how many times as much, or as little, the whole may be: the uncertainty of
	// the other numbers.
	Spread Constant `json:"spread,omitzero"`
}
