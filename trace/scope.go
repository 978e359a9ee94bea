package trace

import "github.com/go-acap/acap/mlir"

// Scope names a region of a program, such as a layer. Scopes nest.
type Scope struct {
	Name   string
	Parent *Scope
	// Location, if known, is where the recorded calls come from; it takes the
	// place of the line of Go that recorded them.
	Location mlir.Location
}

// Enter opens a scope: nodes that this goroutine records carry it until it calls
// the returned function.
func Enter(name string) (leave func()) {
	return changeMode(func(m *mode) { m.scope = &Scope{Name: name, Parent: m.scope} })
}

// SetLocation says where the calls that follow in the current scope of this
// goroutine come from: a place in the code of an imported model.
func SetLocation(l mlir.Location) {
	changeMode(func(m *mode) {
		s := Scope{}
		if m.scope != nil {
			s = *m.scope
		}
		s.Location = l
		m.scope = &s
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
