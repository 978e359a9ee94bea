package engine

import (
	"bytes"
	"runtime"
	"weak"

	"github.com/go-acap/acap/base/buf"
)

// smallConstant is how many bytes a constant input may have to be known by its elements. Larger ones are known by
// their buffer: to compare them in every run would take as long as what they save.
const smallConstant = 4 << 10

// boundInput is a constant input as a binding knows it.
type boundInput struct {
	is      weak.Pointer[buf.Buffer] // the buffer that was seen last
	content []byte                   // of a small one
}

func boundTo(b *buf.Buffer) boundInput {
	in := boundInput{is: weak.Make(b)}
	if len(b.Bytes()) <= smallConstant {
		in.content = append([]byte{}, b.Bytes()...)
	}
	return in
}

// same reports whether a buffer is the input: the same one, or a small one with the same elements.
func (in *boundInput) same(b *buf.Buffer) bool {
	if in.is.Value() == b {
		return true
	}
	if in.content == nil || !bytes.Equal(in.content, b.Bytes()) {
		return false
	}
	in.is = weak.Make(b)
	return true
}

// gone reports whether the input can come no more.
func (in *boundInput) gone() bool { return in.content == nil && in.is.Value() == nil }

// of reports whether the binding is for the constant inputs of a run. The lock of the program is held.
func (b *binding) of(inputs []*buf.Buffer) bool { return b.other(inputs) < 0 }

// other returns the first input of a run that is another one than the binding's, or -1.
func (b *binding) other(inputs []*buf.Buffer) int {
	for k, i := range b.p.Deciding {
		if !b.inputs[k].same(inputs[i]) {
			return i
		}
	}
	return -1
}

// cleanUp has the bindings of a program forgotten when a constant input goes.
func cleanUp(b *buf.Buffer, p *Program) { runtime.AddCleanup(b, forgetGone, weak.Make(p)) }

// Binds reports whether the program has what it computes once for the constant inputs of a run. If not, other is the
// first input that is another one than in the last run, or -1 if there was none.
func (p *Program) Binds(inputs []*buf.Buffer) (bound bool, other int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bound(inputs) != nil {
		return true, -1
	}
	if len(p.bindings) == 0 {
		return false, -1
	}
	return false, p.bindings[0].other(inputs)
}
