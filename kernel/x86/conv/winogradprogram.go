package conv

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// part is what a call of the program does.
type part int

// The parts of the program.
const (
	transforming      part = iota // rows of tiles of the input
	transformingPairs             // pairs of these
	lifting                       // transforming filters
	multiplying
	parts
)

// Words of the call block. Word n is 1 for part n to run, else 0.
const (
	winogradFault = int(parts)
	operands      = int(parts) + 1 // of the part that runs, from this word on
	winogradWords = max(inputWords, productWords)
)

// program writes the parts that the units need.
func (g *winograd) program() *vector.Program {
	u := &g.winogradUnits
	b := vector.NewBuilder("winograd", g.lanes)
	write := func(p part, body func()) { b.When(b.Arg(int(p)), body) }
	if !g.paired() || g.blockRows%pairs > 0 {
		write(transforming, (&inputs{u, g.Convolution, 1, b}).write)
	}
	if g.paired() && g.blockRows >= pairs {
		write(transformingPairs, (&inputs{u, g.Convolution, pairs, b}).write)
	}
	ahead := 0
	if g.shared {
		write(lifting, func() { u.lift(b) })
		tiles := pieces(g.blockTiles(), g.tileHeight)
		ahead = pieces(taps*g.panelWidth()*f32, places*tiles)
	}
	write(multiplying, (&products{u, b, ahead}).write)
	p := b.Program()
	p.Optimise()
	return p
}

// words returns the call block of a call that runs a part.
func (g *winograd) words(args *kernel.Args, run part) []uintptr {
	words := unsafe.Slice((*uintptr)(args.Scratch), winogradWords)
	clear(words[:parts])
	words[run] = 1
	return words
}
