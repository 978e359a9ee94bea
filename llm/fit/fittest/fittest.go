package fittest

import (
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/llm/fit"
)

// TB is the part of [testing.TB] that the functions need.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Fits fails unless a language model fits in a memory such as "8G", and prints what takes the room. No weight is read.
func Fits(t TB, path, memory string, o fit.Options) {
	t.Helper()
	n, ok := environment.ParseBytes(memory)
	if !ok {
		t.Fatalf("a memory of %q, want a size in bytes such as 512M or 8G", memory)
		return
	}
	o.Memory = n
	r, err := fit.Model(path, o)
	switch {
	case err != nil:
		t.Fatalf("%v", err)
	case !r.Fits:
		t.Fatalf("%v", r)
	}
}
