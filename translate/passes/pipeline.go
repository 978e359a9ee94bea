package passes

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-acap/acap/mlir"
)

// Pipeline is a sequence of steps and how to run it.
type Pipeline struct {
	Steps []Step
	// Before and After, if not nil, get the text before and after the passes that
	// PrintsBefore and PrintsAfter choose; nil chooses all.
	Before, After             io.Writer
	PrintsBefore, PrintsAfter func(pass string) bool
	// OnlyChanges prints after a pass only if it changed something.
	OnlyChanges bool
	Print       mlir.PrintOptions
	// Unverified leaves out the verification between passes.
	Unverified bool
	// Timings holds the time of each pass of the last run.
	Timings []Timing
}

// Step is a pass, or steps that run on each operation of a name.
type Step struct {
	Pass   Pass
	Anchor string
	Steps  []Step
}

// String is the name of the pass, or the steps in the form that Parse reads, without options.
func (s Step) String() string {
	if s.Steps == nil {
		return s.Pass.Name
	}
	names := make([]string, len(s.Steps))
	for i, inner := range s.Steps {
		names[i] = inner.String()
	}
	return s.Anchor + "(" + strings.Join(names, ",") + ")"
}

// Timing is how long a pass took, its verification not included.
type Timing struct {
	Pass     string
	Duration time.Duration
}

// New returns a pipeline of passes.
func New(passes ...Pass) *Pipeline {
	p := &Pipeline{}
	for _, pass := range passes {
		if pass, err := pass.configured(""); err == nil {
			p.Steps = append(p.Steps, Step{Pass: pass})
		}
	}
	return p
}

// Error is an error of a pass, or of the verifier after a pass.
type Error struct {
	Pass  string
	After bool
	Err   error
}

func (e *Error) Error() string {
	if e.After {
		return "after pass " + e.Pass + ": " + e.Err.Error()
	}
	return "pass " + e.Pass + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Run verifies the module and runs the passes in order. The error names the pass
// that failed or after which the module is not valid.
func (p *Pipeline) Run(module *mlir.Operation) error {
	p.Timings = p.Timings[:0]
	if err := p.verify(module); err != nil {
		return err
	}
	return p.run(p.Steps, module, module)
}

// run runs steps on an operation of the module.
func (p *Pipeline) run(steps []Step, root, module *mlir.Operation) error {
	for _, s := range steps {
		if s.Steps == nil {
			if err := p.pass(s.Pass, root, module); err != nil {
				return err
			}
			continue
		}
		for _, op := range inside(root, s.Anchor) {
			if err := p.run(s.Steps, op, module); err != nil {
				return err
			}
		}
	}
	return nil
}

// inside returns the operations of a name that stand in the regions of another, not those inside of them.
func inside(root *mlir.Operation, name string) (list []*mlir.Operation) {
	for _, r := range root.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if op.Name == name {
					list = append(list, op)
				}
			}
		}
	}
	return list
}

func (p *Pipeline) pass(pass Pass, root, module *mlir.Operation) error {
	if p.PrintsBefore == nil || p.PrintsBefore(pass.Name) {
		if err := p.dump(p.Before, "Before", pass, root); err != nil {
			return err
		}
	}
	old := ""
	if p.OnlyChanges && p.After != nil {
		old = root.Text(p.Print)
	}
	start := time.Now()
	err := pass.Run(root)
	p.Timings = append(p.Timings, Timing{pass.Name, time.Since(start)})
	if err != nil {
		return &Error{pass.Name, false, err}
	}
	if (p.PrintsAfter == nil || p.PrintsAfter(pass.Name)) && (!p.OnlyChanges || p.After != nil && old != root.Text(p.Print)) {
		if err := p.dump(p.After, "After", pass, root); err != nil {
			return err
		}
	}
	if err := p.verify(module); err != nil {
		return &Error{pass.Name, true, err}
	}
	return nil
}

func (p *Pipeline) verify(module *mlir.Operation) error {
	if p.Unverified {
		return nil
	}
	return mlir.Verify(module)
}

func (p *Pipeline) dump(w io.Writer, when string, pass Pass, root *mlir.Operation) error {
	if w == nil {
		return nil
	}
	if _, err := fmt.Fprintf(w, "// -----// IR Dump %s %s //----- //\n", when, pass.Name); err != nil {
		return err
	}
	return mlir.Print(w, root, p.Print)
}
