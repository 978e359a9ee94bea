package trace

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Scope names a region of a program, such as a layer. Scopes nest.
type Scope struct {
	Name   string
	Parent *Scope
	// Location, if known, is where the recorded calls come from; it takes the
	// place of the line of Go that recorded them.
	Location mlir.Location

	hash ops.Hash // of all this
}

// sealed completes a new scope.
func (s *Scope) sealed() *Scope {
	if s.Parent != nil {
		s.hash = s.Parent.hash
	}
	s.hash = hashLocation(s.hash.Text(s.Name), &s.Location)
	return s
}

func hashLocation(h ops.Hash, l *mlir.Location) ops.Hash {
	h = h.Text(l.File).Mix(uint64(l.Line)).Mix(uint64(l.Col)).Text(l.Name)
	for _, list := range [][]mlir.Location{l.Callers, l.Fused} {
		for i := range list {
			h = hashLocation(h, &list[i])
		}
		h = h.Mix(uint64(len(list)))
	}
	return h
}

// Within runs f in a scope: nodes that this goroutine records meanwhile carry it.
func Within(name string, f func()) {
	defer changeMode(func(m *mode) {
		m.place.scope = (&Scope{Name: name, Parent: m.place.scope}).sealed()
	})()
	f()
}

// SetLocation says where the calls that follow in the current scope of this
// goroutine come from: a place in the code of an imported model. It does nothing
// outside of scopes.
func SetLocation(l mlir.Location) {
	if currentMode().place.scope == nil {
		return
	}
	changeMode(func(m *mode) {
		s := *m.place.scope
		s.Location = l
		m.place.scope = s.sealed()
	})
}

// String returns the path, "net/layer1".
func (s *Scope) String() string {
	if s == nil {
		return ""
	}
	path := s.Name
	for p := s.Parent; p != nil; p = p.Parent {
		if p.Name != "" {
			path = p.Name + "/" + path
		}
	}
	return path
}
