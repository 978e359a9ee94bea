package panel

import "github.com/go-acap/acap/kernel/vector"

// Starts writes what sums of products of shifted bytes begin with: -128 times the sum of each column of a panel. These
// are the head of the panel, as 32 bits.
type Starts struct {
	Steps   int // of four bytes of each column
	Vectors int // of the cells of a step
}

// StartsCode is code of [Starts].
type StartsCode struct{ code }

// Build makes the code.
func (s Starts) Build(t vector.Backend) (*StartsCode, error) {
	c, err := build(t, func() *vector.Program { return s.program(t.VectorBytes() / 4) }, 1)
	return &StartsCode{c}, err
}

// Write writes the head of a panel.
func (c *StartsCode) Write(panel uintptr) { c.call(panel) }

func (s Starts) program(lanes int) *vector.Program {
	b := vector.NewBuilder("starts", lanes)
	panel, row := b.Arg(0), s.Vectors*4*lanes
	zero := b.Bits(vector.I32, 0)
	list := make([]vector.Val, s.Vectors, s.Vectors+1)
	for j := range list {
		list[j] = zero
	}
	ones := b.Bits(vector.I32, 0x80808080)
	list = b.Loop(b.Word(s.Steps), 1, append(list, b.Offset(panel, row)), func(_ vector.Val, list []vector.Val) []vector.Val {
		at := list[s.Vectors]
		next := make([]vector.Val, s.Vectors, s.Vectors+1)
		for j := range next {
			cells := b.Load(vector.I32, at, vector.Access{Offset: 4 * lanes * j})
			next[j] = b.Into(vector.DotMixed, vector.I32, 0, ones, cells, list[j])
		}
		return append(next, b.Offset(at, row))
	})
	for j, v := range list[:s.Vectors] {
		b.Store(b.Op(vector.Sub, zero, v), panel, vector.Access{Offset: 4 * lanes * j})
	}
	return b.Program()
}
