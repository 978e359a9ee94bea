package trace

import "sync/atomic"

// Scope names a region of a program, such as a layer. Scopes nest.
type Scope struct {
	Name   string
	Parent *Scope
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

// String returns the path, "net/layer1".
func (s *Scope) String() string {
	if s == nil {
		return ""
	}
	path := s.Name
	for p := s.Parent; p != nil; p = p.Parent {
		path = p.Name + "/" + path
	}
	return path
}
