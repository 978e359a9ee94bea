package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes"
)

// Stage is a part of the compiler.
type Stage string

// The stages that can be to blame.
const (
	Lowering Stage = "lowering"     // the passes from the aten to the linalg form
	Engine   Stage = "fusion"       // fusion and planning of kernels
	Native   Stage = "machine code" // of the kernels
	Passes   Stage = "passes"       // of the pipeline, and of the types and formats, that the device was asked for
	Device   Stage = "device"       // none of these alone
)

// Finding is a call that a device computes otherwise than the reference.
type Finding struct {
	Op    string `json:"op"`
	Where string `json:"where"`
	Call  int    `json:"call"` // its place in the program, from 1
	Stage Stage  `json:"stage"`
	Pass  string `json:"pass,omitempty"` // the one to blame, of the stage Passes
	What  string `json:"what"`           // how the results differ, or the error
	// Error says that the device fails where the reference does not.
	Error bool `json:"error"`
	// Kernels is the text of the kernels of the smallest program that ends with the call.
	Kernels string `json:"kernels,omitempty"`

	op *mlir.Operation
}

// String is the finding in a few lines.
func (f *Finding) String() string {
	s := fmt.Sprintf("call %d, %s", f.Call, f.Op)
	if f.Where != "" {
		s += " at " + f.Where
	}
	s = fmt.Sprintf("%s: %s\nto blame: %s", s, f.What, f.Stage)
	switch f.Stage {
	case Passes:
		s += ": " + f.Pass + " is the first behind which the reference gives other values or an error"
	case Device:
		s += ": lowering, fusion and machine code give the right values, and so do passes that the device was asked for; fast arithmetic, edited kernels and the device's own part come besides"
	}
	return s
}

// Bisect looks for a call of a program that a device computes otherwise than the reference,
// although it gives the right values for all that the call takes. It returns nil if
// all results of the program agree. The module is not modified. It is an error if the reference fails as well, or the
// context ends.
func Bisect(ctx context.Context, dev device.Device, module *mlir.Operation, inputs []*buf.Buffer, tol Tolerance) (
	*Finding, error) {
	s, err := newSearch(ctx, dev, module, inputs, tol)
	if err != nil {
		return nil, err
	}
	return s.find()
}

type search struct {
	*evaluation
	ctx   context.Context
	dev   device.Device
	tol   Tolerance
	wrong map[*mlir.Operation]string // what is wrong with the results of a call; "" for nothing
}

func newSearch(ctx context.Context, dev device.Device, module *mlir.Operation, inputs []*buf.Buffer, tol Tolerance) (*search, error) {
	e, err := evaluate(ctx, module, inputs)
	if err != nil {
		return nil, err
	}
	return &search{evaluation: e, ctx: ctx, dev: dev, tol: tol, wrong: map[*mlir.Operation]string{}}, nil
}

func (s *search) find() (*Finding, error) {
	var culprit *mlir.Operation
	for _, v := range s.f.Body().Terminator().Operands {
		if v.Def != nil && s.values[v] != nil && s.check(v.Def) != "" {
			culprit = v.Def
			break
		}
	}
	if culprit == nil && s.failed != nil {
		return nil, s.failed.Errorf("the reference fails as well: %w", s.err)
	}
	if culprit == nil {
		return nil, s.ctx.Err()
	}
next:
	for {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		for _, v := range culprit.Operands {
			if v.Def != nil && s.check(v.Def) != "" {
				culprit = v.Def
				continue next
			}
		}
		break
	}
	f := &Finding{Op: culprit.Name, Where: culprit.Loc.Short(), What: s.wrong[culprit], op: culprit,
		Call: slices.Index(s.f.Body().Ops, culprit) + 1}
	f.Error = strings.HasPrefix(f.What, failedText)
	if f.Stage, f.Kernels = s.blame(culprit); f.Stage == Device {
		if f.Pass = s.pass(culprit, f.Error); f.Pass != "" {
			f.Stage = Passes
		}
	}
	return f, nil
}

// pass is the first of the passes that the device was asked for behind which the reference gives other values, or "".
// An error counts only if the device has one as well: the reference need not know all that passes write.
func (s *search) pass(op *mlir.Operation, failing bool) string {
	d, ok := s.dev.(interface{ Config() device.Config })
	if !ok {
		return ""
	}
	pipeline, err := passes.Parse(d.Config().Passes())
	if err != nil {
		return ""
	}
	for i, step := range pipeline.Steps {
		p := newPart(s.slice(op), op.Results)
		what := s.compare(op, func(in []*buf.Buffer) ([]*buf.Buffer, error) {
			until := &passes.Pipeline{Steps: pipeline.Steps[:i+1]}
			if err := until.Run(p.module); err != nil {
				return nil, err
			}
			return runReference(s.ctx, p.module, in)
		}, p)
		if what != "" && (failing || !strings.HasPrefix(what, failedText)) {
			return step.String()
		}
	}
	return ""
}

// slice returns the operations that a call needs, with itself, in order.
func (s *search) slice(op *mlir.Operation) []*mlir.Operation {
	needed := map[*mlir.Operation]bool{op: true}
	list := s.f.Body().Ops
	var out []*mlir.Operation
	for i := slices.Index(list, op); i >= 0; i-- {
		if !needed[list[i]] {
			continue
		}
		out = append(out, list[i])
		for _, v := range list[i].Operands {
			if v.Def != nil {
				needed[v.Def] = true
			}
		}
	}
	slices.Reverse(out)
	return out
}

const failedText = "fails: "

// check returns what is wrong with a call's results when the device computes them from the
// inputs of the program.
func (s *search) check(op *mlir.Operation) string {
	if what, ok := s.wrong[op]; ok {
		return what
	}
	what := s.differs(s.slice(op), op)
	s.wrong[op] = what
	return what
}

// differs runs some operations on the device, from the values of the reference, and compares
// the results of the last.
func (s *search) differs(list []*mlir.Operation, last *mlir.Operation) string {
	p := newPart(list, last.Results)
	return s.compare(last, func(in []*buf.Buffer) ([]*buf.Buffer, error) {
		exe, err := s.dev.Compile(s.ctx, p.module)
		if err != nil {
			return nil, err
		}
		defer exe.Close()
		return exe.Run(s.ctx, in)
	}, p)
}

// compare runs a part with the values of the reference and compares the results.
func (s *search) compare(last *mlir.Operation, run func([]*buf.Buffer) ([]*buf.Buffer, error), p part) (what string) {
	defer func() {
		if r := recover(); r != nil {
			what = failedText + fmt.Sprint(r)
		}
	}()
	in := make([]*buf.Buffer, len(p.inputs))
	for i, v := range p.inputs {
		in[i] = s.values[v]
	}
	out, err := run(in)
	if err != nil {
		return failedText + err.Error()
	}
	for i, r := range last.Results {
		if d := s.tol.differs(out[i], s.values[r]); d != "" {
			return fmt.Sprintf("result %d: %s", i, d)
		}
	}
	return ""
}

// blame finds the stage of the compiler that makes a call's slice differ.
func (s *search) blame(op *mlir.Operation) (Stage, string) {
	list := s.slice(op)
	lowered := newPart(list, op.Results)
	if s.compare(op, func(in []*buf.Buffer) ([]*buf.Buffer, error) {
		return runReference(s.ctx, lowered.module, in)
	}, lowered) != "" {
		return Lowering, ""
	}
	compiled := func(backend compiler.Backend) (what, kernels string) {
		p := newPart(list, op.Results)
		what = s.compare(op, func(in []*buf.Buffer) ([]*buf.Buffer, error) {
			exe, err := compiler.CompileWith(s.ctx, p.module, backend)
			if err != nil {
				return nil, err
			}
			defer exe.Close()
			kernels, _ = exe.Text("kernel")
			return exe.Run(s.ctx, in)
		}, p)
		return what, kernels
	}
	if what, kernels := compiled(portable.Compile); what != "" {
		return Engine, kernels
	}
	if what, kernels := compiled(nil); what != "" {
		return Native, kernels
	}
	return Device, ""
}
