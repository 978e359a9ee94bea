package winograd

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// part is what a call of the program does.
type part int

// The parts of the program.
const (
	transforming part = iota // the input
	lifting                  // transforming filters
	multiplying
	output // transforming sums: the first kind of block of results, behind which the others follow
	parts  = output + 4
)

// Words of the call block. Word n is 1 for part n to run, else 0.
const (
	faultWord  = int(parts)
	operands   = int(parts) + 1 // of the part that runs, from this word on
	fixedWords = max(inputWords, productWords, outputPorts)
)

// callWords is the number of words: of the transformation of sums as many as the epilogue has ports.
func (g *code) callWords() int { return max(fixedWords, outputPorts+len(g.Epilogue.Access)) }

// program writes the parts that the units need.
func (g *code) program() *vector.Program {
	u := &g.units
	b := vector.NewBuilder("winograd", g.lanes).For(g.target)
	write := func(p part, body func()) { b.When(b.Arg(int(p)), body) }
	write(transforming, (&inputs{u, g.Convolution, g.inputHeight(), b}).write)
	ahead := 0
	if g.shared {
		write(lifting, func() { u.lift(b) })
		tiles := kernel.Pieces(g.blockTiles(), g.tileHeight)
		ahead = kernel.Pieces(taps*g.panelWidth()*f32, places*tiles)
	}
	write(multiplying, (&products{u, b, ahead}).write)
	for n, tile := range g.outputs {
		write(output+part(n), (&outputs{u, g.Convolution, tile, b}).write)
	}
	return b.Optimised()
}

// words returns the call block of a call that runs a part.
func (g *code) words(args *kernel.Args, run part) []uintptr {
	words := unsafe.Slice((*uintptr)(args.Scratch), g.callWords())
	clear(words[:parts])
	words[run] = 1
	return words
}
