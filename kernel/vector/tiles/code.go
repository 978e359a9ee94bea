package tiles

import (
	"unsafe"

	"github.com/go-acap/acap/kernel/vector"
)

// Code is the code of tiles.
type Code struct {
	*vector.Machine
	t *Tiles
}

// Call says what a call computes: tiles below each other in panels side by side.
type Call struct {
	A, B   uintptr
	Panels int
	Tiles  int       // of all rows
	Low    int       // lower ones that follow
	First  bool      // the tile at the top packs its panel; otherwise an earlier call has done so
	Packed uintptr   // where
	Fetch  uintptr   // what is fetched first
	Sums   uintptr   // that wait, of the first tile
	Ports  []uintptr // of the epilogue, likewise
}

// Build makes the code. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (t *Tiles) Build(b vector.Backend) (*Code, error) {
	words := wordPorts + t.Ports()
	m, err := b.Build(func() *vector.Program { return t.program(b) }, words+1, words)
	return &Code{m, t}, err
}

// Run runs a call, in a call block of [vector.Machine.BlockBytes] bytes.
func (c *Code) Run(call *Call, block []uintptr) {
	if c.t.Packs != 0 && call.First && call.Tiles == 0 && !c.t.Alone || c.t.OnePanel && call.Panels != 1 || c.t.OneTile && call.Tiles != 1 {
		panic("BUG: tiles: a call of tiles that the code is not for")
	}
	block[wordA], block[wordB] = call.A, call.B
	block[wordPanels], block[wordTiles], block[wordLow] = uintptr(call.Panels), uintptr(call.Tiles), uintptr(call.Low)
	block[wordFirst], block[wordPacked], block[wordFetch], block[wordSums] = vector.Flag(call.First), call.Packed, call.Fetch, call.Sums
	copy(block[wordPorts:], call.Ports)
	c.Machine.Call(unsafe.Pointer(unsafe.SliceData(block)))
}
