package kernel

// Lines are the dimensions of a dense tensor around one axis: element i of the line
// through (outer, inner) lies at (outer·N + i)·Inner + inner.
type Lines struct{ Outer, N, Inner int }

// Elements returns the elements of all lines.
func (l Lines) Elements() int { return l.Outer * l.N * l.Inner }

// With returns the lines of another length.
func (l Lines) With(n int) Lines { return Lines{l.Outer, n, l.Inner} }

func (l *Lines) form(f *form) { f.listOf("lines", &l.Outer, &l.N, &l.Inner) }
