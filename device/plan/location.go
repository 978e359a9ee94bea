package plan

import (
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/mlir"
)

// mostNested bounds how deep locations nest.
const mostNested = 64

// Location codes a location, with what its text leaves out.
func Location(c *wire.Coder, l *mlir.Location) { location(c, l, mostNested) }

func location(c *wire.Coder, l *mlir.Location, depth int) {
	if depth < 0 && c.Reading() {
		c.Fail("locations nest too deep")
		return
	}
	if depth == 0 && !c.Reading() {
		l = &mlir.Location{File: l.File, Line: l.Line, Col: l.Col, Name: l.Name} // the rest is left out
	}
	c.String(&l.File)
	c.Int(&l.Line)
	c.Int(&l.Col)
	c.String(&l.Name)
	c.Int(&l.Serial)
	c.String(&l.Operator)
	for _, list := range []*[]mlir.Location{&l.Callers, &l.Fused} {
		wire.Slice(c, list, func(inner *mlir.Location) { location(c, inner, depth-1) })
	}
}
