package conformance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/upstream"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/expand"
	"github.com/go-acap/acap/translate/passes/group"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// Upstream compares what programs compute here with what they compute when LLVM's tools lower and
// run them. They are run together, as starting the tools is slow.
type Upstream struct {
	// Models is a folder whose folders hold models; "" means the samples of all operators.
	Models string

	// Only are the programs that run: those whose name contains this text.
	Only string

	// Reference says that it is the reference evaluator that computes here. Then results have the
	// same bits, unless the program calls functions of math, whose last bits are the library's.
	Reference bool
}

// Run returns the outcomes of the programs. A device computes them, unless the evaluator does.
func (u *Upstream) Run(d device.Device) ([]Outcome, error) {
	if err := upstream.Find(); err != nil {
		return nil, err
	}
	compute := byReference
	if !u.Reference {
		compute = func(module, lowered *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
			return Compute(d, module, inputs)
		}
	}
	opinions := sampleOpinions
	if u.Models != "" {
		opinions = func(only string, compute computer) ([]*secondOpinion, error) {
			return modelOpinions(u.Models, only, compute)
		}
	}
	list, err := opinions(u.Only, compute)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("no programs there")
	}
	if err := askUpstream(list, u.Reference); err != nil {
		return nil, err
	}
	var outcomes []Outcome
	for _, s := range list {
		outcomes = append(outcomes, s.outcome)
	}
	return outcomes, nil
}

// secondOpinion is a program that is run here and by upstream's tools.
type secondOpinion struct {
	lowered  *mlir.Operation // the linalg form
	inputs   []*buf.Buffer
	want     []*buf.Buffer
	relative float64
	absolute float64
	outcome  Outcome
}

func newOpinion(name string) *secondOpinion { return &secondOpinion{outcome: Outcome{Name: name}} }

// computer computes a module, which is given in its linalg form too. It consumes the module.
type computer func(module, lowered *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error)

// byReference computes with the reference evaluator: element by element, sums in the order of the
// loops, each product and each sum rounded. It knows no calls of functions, which the groups of a
// program are.
func byReference(_, lowered *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	whole := lowered.Clone(map[*mlir.Value]*mlir.Value{})
	if err := simplify.Inline(whole); err != nil {
		return nil, err
	}
	f, err := compiler.EntryOf(whole)
	if err != nil {
		return nil, err
	}
	return reference.Run(f, partsOf(inputs))
}

// sampleOpinions are the samples of all operators.
func sampleOpinions(only string, compute computer) ([]*secondOpinion, error) {
	r := rand.New(rand.NewPCG(1, 2))
	var list []*secondOpinion
	for _, op := range ops.All() {
		if op.IsInplace() || op.Samples == nil {
			continue
		}
		for i, sample := range op.Samples() {
			s := newOpinion(fmt.Sprintf("%s/%d", op.Name(), i))
			args := sample.Args(r)
			if !strings.Contains(s.outcome.Name, only) {
				continue
			}
			list = append(list, s)
			call, err := op.NewCall(args...)
			switch {
			case errors.Is(err, ops.ErrDataDependent):
				s.refuse("the result types depend on data")
				continue
			case err != nil:
				return nil, fmt.Errorf("%s: %w", s.outcome.Name, err)
			case op.Draws:
				s.refuse("random numbers are drawn when a call is recorded")
				continue
			}
			module, values := call.Program()
			for _, v := range values {
				s.inputs = append(s.inputs, v.(ops.BufferValue).Buffer)
			}
			s.prepare(module, compute)
		}
	}
	return list, nil
}

// modelOpinions are the models in the folders of a folder.
func modelOpinions(dir, only string, compute computer) ([]*secondOpinion, error) {
	paths, err := folders(dir, true)
	if err != nil {
		return nil, err
	}
	var list []*secondOpinion
	for _, path := range paths {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(name, only) {
			continue
		}
		s := newOpinion(name)
		s.relative, s.absolute = ModelRelative, ModelAbsolute
		list = append(list, s)
		if s.inputs, err = modelfile.Inputs(path, nil); err != nil {
			return nil, err
		}
		module, err := modelfile.LoadFor(path, s.inputs)
		if err != nil {
			return nil, err
		}
		s.prepare(module, compute)
	}
	return list, nil
}

// prepare lowers a module for upstream and computes it here.
func (s *secondOpinion) prepare(module *mlir.Operation, compute computer) {
	defer func() {
		if s.outcome.Outcome != "" {
			s.lowered = nil
		}
	}()
	if group.HasComplex(module) {
		s.refuse("complex numbers are computed on the host")
		return
	}
	s.lowered = module.Clone(map[*mlir.Value]*mlir.Value{})
	if err := compiler.Lower(s.lowered); err != nil {
		s.fail(err)
		return
	}
	if err := expand.Host(s.lowered); err != nil {
		s.fail(err)
		return
	}
	if hosted := leftover(s.lowered); hosted != "" {
		s.refuse(hosted + " is computed on the host")
		return
	}
	var err error
	inputs := s.inputs
	s.inputs = partsOf(s.inputs)
	if s.want, err = compute(module, s.lowered, inputs); err != nil {
		s.fail(err)
		return
	}
	s.want = partsOf(s.want)
	switch err := expand.ACAP(s.lowered); {
	case errors.Is(err, expand.ErrNoForm):
		s.refuse(err.Error())
	case err != nil:
		s.fail(err)
	}
}

// partsOf are buffers in which complex numbers are pairs of real ones, as in the expanded program.
func partsOf(list []*buf.Buffer) []*buf.Buffer {
	out := slices.Clone(list)
	for i, b := range list {
		part := dtype.F32
		switch b.DType {
		case dtype.C64:
		case dtype.C128:
			part = dtype.F64
		default:
			continue
		}
		pairs, err := buf.Wrap(part, append(slices.Clone(b.Shape), 2), b.Bytes())
		if err != nil {
			panic("BUG: conformance: " + err.Error())
		}
		out[i] = pairs
	}
	return out
}

// leftover is the name of an operation that has no linalg form, or "".
func leftover(module *mlir.Operation) (name string) {
	module.Walk(func(op *mlir.Operation) {
		if ops.Lookup(op.Name) != nil {
			name = op.Name
		}
	})
	return name
}

func (s *secondOpinion) refuse(reason string) {
	s.outcome.Outcome, s.outcome.Reason = "unsupported", reason
}
func (s *secondOpinion) fail(err error) { s.outcome.Outcome, s.outcome.Reason = "failed", err.Error() }

// askUpstream runs what has no outcome, and compares.
func askUpstream(list []*secondOpinion, exact bool) error {
	var programs []upstream.Program
	var asked []*secondOpinion
	for _, s := range list {
		if s.outcome.Outcome == "" {
			programs, asked = append(programs, upstream.Program{Module: s.lowered, Inputs: s.inputs}), append(asked, s)
		}
	}
	outcomes, err := upstream.Run(context.Background(), programs)
	if err != nil {
		return err
	}
	for i, s := range asked {
		err := outcomes[i].Err
		if err == nil {
			err = s.agrees(outcomes[i].Results, exact && !callsMath(s.lowered))
		}
		if err != nil {
			s.fail(err)
		} else {
			s.outcome.Outcome = "passed"
		}
	}
	return nil
}

// roundedExactly are the functions of the math dialect that have one right result.
var roundedExactly = []string{"absf", "absi", "ceil", "copysign", "ctlz", "ctpop", "cttz", "floor", "fma", "round", "roundeven", "sqrt", "trunc"}

// callsMath reports whether a module calls functions whose last bits are the library's.
func callsMath(module *mlir.Operation) (calls bool) {
	module.Walk(func(op *mlir.Operation) {
		if name, ok := strings.CutPrefix(op.Name, "math."); ok && !slices.Contains(roundedExactly, name) {
			calls = true
		}
	})
	return calls
}

// opinionTolerances are the relative tolerances of samples, by the bytes of an element.
var opinionTolerances = map[int]float64{1: 0, 2: 2e-2, 4: 1e-4, 8: 1e-10}

// agrees compares upstream's results with ours.
func (s *secondOpinion) agrees(got []*buf.Buffer, exact bool) error {
	if len(got) != len(s.want) {
		return fmt.Errorf("%d results rather than %d", len(got), len(s.want))
	}
	for i, w := range s.want {
		g := got[i]
		relative, absolute := s.relative, s.absolute
		switch {
		case exact || !w.DType.IsFloat():
			relative, absolute = 0, 0
		case relative == 0:
			relative = opinionTolerances[w.DType.Size()]
			absolute = relative
		}
		if err := modelfile.Compare(g, w, relative, absolute); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		if exact {
			if err := sameSigns(g, w); err != nil {
				return fmt.Errorf("result %d: %w", i, err)
			}
		}
	}
	return nil
}

// sameSigns compares the signs of zeros, which are equal as numbers.
func sameSigns(got, want *buf.Buffer) error {
	if !want.DType.IsFloat() {
		return nil
	}
	for i := range want.Len() {
		g, w := got.Float64(i), want.Float64(i)
		if g == 0 && math.Signbit(g) != math.Signbit(w) {
			return fmt.Errorf("%s: got %g, expected %g", fmt.Sprintf("element %d", i), g, w)
		}
	}
	return nil
}
