package mapper

import "github.com/go-acap/acap/device/acap/machine"

// reason is a limit that a mapping can break.
type reason uint8

const (
	coreMemory reason = iota
	memTileMemory
	coreChannels
	memTileChannels
	shimChannels
	descriptorSize
	descriptorStep
	descriptorLength
	descriptors
	stagingMemory
	residentMemory
	parts
	programs
)

// String returns the limit in words.
func (r reason) String() string {
	return [...]string{
		"data memory of a core, bytes",
		"data memory of a mem tile, bytes",
		"DMA channels of a core",
		"DMA channels of a mem tile",
		"DMA channels of an interface tile",
		"size field of a DMA descriptor",
		"step field of a DMA descriptor",
		"length field of a DMA descriptor",
		"DMA descriptors",
		"staging memory, bytes",
		"budget for weights in a mem tile, bytes",
		"objects of an input of the epilogue on a stream that is parted",
		"limits of a tile that the program exceeds",
	}[r]
}

// limits are the machine's limits as integers.
type limits struct {
	core            int // bytes for buffers in a core
	mem             int // bytes in the mem tiles of a column, 0 for none
	coreIn, coreOut int
	memIn, memOut   int
	shimIn, shimOut int
	shimCols        int
	wrap, step      int // greatest size and step of an interface tile's descriptor, words
	length          int // words that a descriptor of a core moves at most
	memLength       int // one of a mem tile
	memBDs          int
	staging         int
	memRows         int
}

func newLimits(m *machine.Machine) limits {
	rows := m.Grid.MemRows
	return limits{
		core:   m.Core.Memory.Int() - m.Core.Stack.Int(),
		mem:    m.Mem.Memory.Int() * rows,
		coreIn: m.Core.In.Int(), coreOut: m.Core.Out.Int(),
		memIn: m.Mem.In.Int() * rows, memOut: m.Mem.Out.Int() * rows,
		shimIn: m.Shim.In.Int(), shimOut: m.Shim.Out.Int(),
		shimCols:  len(m.Grid.ShimDMA),
		wrap:      1<<m.Shim.WrapBits.Int() - 1,
		step:      1 << m.Shim.StepBits.Int(),
		length:    1<<m.Core.LengthBits.Int() - 1,
		memLength: 1<<m.Mem.LengthBits.Int() - 1,
		memBDs:    m.Mem.Descriptors.Int() * rows,
		staging:   m.Staging.Int(),
		memRows:   rows,
	}
}

func up(a, b int) int { return (a + b - 1) / b }
