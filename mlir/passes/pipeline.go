package passes

import (
	"fmt"
	"io"
	"time"

	"github.com/go-acap/acap/mlir"
)

// Pipeline is a sequence of passes and how to run it.
type Pipeline struct {
	Passes []Pass
	// Before and After, if not nil, get the module's text before and after each pass.
	Before, After io.Writer
	Print         mlir.PrintOptions
	// Unverified leaves out the verification between passes.
	Unverified bool
	// Timings holds the time of each pass of the last run.
	Timings []Timing
}

// Timing is how long a pass took, its verification not included.
type Timing struct {
	Pass     string
	Duration time.Duration
}

// New returns a pipeline of passes.
func New(passes ...Pass) *Pipeline { return &Pipeline{Passes: passes} }

// Run verifies the module and runs the passes in order. The error names the pass
// that failed or after which the module is not valid.
func (p *Pipeline) Run(module *mlir.Operation) error {
	p.Timings = p.Timings[:0]
	if err := p.verify(module); err != nil {
		return err
	}
	for _, pass := range p.Passes {
		if err := p.dump(p.Before, "before", pass, module); err != nil {
			return err
		}
		start := time.Now()
		err := pass.Run(module)
		p.Timings = append(p.Timings, Timing{pass.Name, time.Since(start)})
		if err != nil {
			return fmt.Errorf("pass %s: %w", pass.Name, err)
		}
		if err := p.dump(p.After, "after", pass, module); err != nil {
			return err
		}
		if err := p.verify(module); err != nil {
			return fmt.Errorf("after pass %s: %w", pass.Name, err)
		}
	}
	return nil
}

func (p *Pipeline) verify(module *mlir.Operation) error {
	if p.Unverified {
		return nil
	}
	return mlir.Verify(module)
}

func (p *Pipeline) dump(w io.Writer, when string, pass Pass, module *mlir.Operation) error {
	if w == nil {
		return nil
	}
	if _, err := fmt.Fprintf(w, "// ----- %s %s -----\n", when, pass.Name); err != nil {
		return err
	}
	return mlir.Print(w, module, p.Print)
}
