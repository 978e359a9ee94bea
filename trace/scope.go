package trace

import (
	"sync/atomic"

	"github.com/go-acap/acap/mlir"
)

// Scope names a region of a program, such as a layer. Scopes nest.
type Scope struct {
	Name   string
	Parent *Scope
	// Location, if known, is where the recorded calls come from; it takes the
	// place of the line of Go that recorded them.
	Location mlir.Location
}

var currentScope atomic.Pointer[Scope]

// Enter opens a scope; nodes recorded until the returned function runs carry it.
// Scopes are global to the process: they are for programs that record from one
// goroutine.
func Enter(name string) (leave func()) {
	outer := currentScope.Load()
	currentScope.Store(&Scope{Name: name, Parent: outer})
	return func() { currentScope.Store(outer) }
}

// SetLocation says where the calls that follow in the current scope come from: a
// place in the code of an imported model.
func SetLocation(l mlir.Location) {
	s := Scope{}
	if outer := currentScope.Load(); outer != nil {
		s = *outer
	}
	s.Location = l
	currentScope.Store(&s)
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
