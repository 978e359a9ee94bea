package plan

import (
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device/engine/code"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// Backend compiles a kernel.
type Backend = func(kernel.Kernel) (kernel.Code, error)

// Generate makes the code of the steps, on several cores unless the back end is the caller's. The error is the first
// one of the back end.
func (p *Plan) Generate(backend Backend) error {
	if backend == nil {
		parallel.For(len(p.Steps), func(i int) { p.Steps[i].generate(nil) })
	} else {
		for _, s := range p.Steps {
			s.generate(backend)
		}
	}
	return p.generated()
}

// generated waits for the code of all steps, and returns why one has none, the first if there are several.
func (p *Plan) generated() error {
	for _, s := range p.Steps {
		if s.shares != nil {
			s.Code, s.failed = s.shares.Wait()
		}
		if s.failed != nil {
			return &graph.Error{Op: s.From[0].Op, Loc: s.From[0].Loc, Message: s.failed.Error(), Cause: s.failed}
		}
	}
	return nil
}

// generate makes the code of a step that has a kernel, by the caller's back end if there is one. Otherwise it
// is there when [Plan.generated] returns: a goroutine that has to wait for it makes other code meanwhile.
func (s *Step) generate(backend Backend) {
	switch {
	case s.Kernel == nil || s.failed != nil:
	case backend != nil:
		s.Code, s.failed = backend(s.Kernel)
	default:
		near, begins := nearBegin(s.Kernel)
		s.shares, s.begins = code.Of(near), begins
	}
}

// Free ends the use of the step's code.
func (s *Step) Free() {
	switch {
	case s.shares != nil:
		s.shares.Release()
	case s.Code != nil:
		s.Code.Close()
	}
}
