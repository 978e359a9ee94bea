package kernel

import "github.com/go-acap/acap/base/wire"

// Lines are the dimensions of a dense tensor around one axis: element i of the line
// through (outer, inner) lies at (outer·N + i)·Inner + inner.
type Lines struct{ Outer, N, Inner int }

// Elements returns the elements of all lines.
func (l Lines) Elements() int { return l.Outer * l.N * l.Inner }

// With returns the lines of another length.
func (l Lines) With(n int) Lines { return Lines{l.Outer, n, l.Inner} }

func (l Lines) list() list { return list{l.Outer, l.N, l.Inner} }

func (d *decoder) lines(it *item) Lines {
	e := d.ints(it, "lines", 3)
	return Lines{e[0], e[1], e[2]}
}

func (l *Lines) fields(c *wire.Coder) { ints(c, &l.Outer, &l.N, &l.Inner) }
