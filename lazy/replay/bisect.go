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
)

// Stage is a part of the compiler.
type Stage string

// The stages that can be to blame.
const (
	Lowering Stage = "lowering"     // the passes from the aten to the linalg form
	Engine   Stage = "fusion"       // fusion and planning of kernels
	Native   Stage = "machine code" // of the kernels
	Device   Stage = "device"       // none of these alone
)

// Finding is a call that a device computes otherwise than the reference.
type Finding struct {
	Op    string `json:"op"`
	Where string `json:"where"`
	Call  int    `json:"call"` // its place in the program, from 1
	Stage Stage  `json:"stage"`
	What  string `json:"what"` // how the results differ, or the error
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
	if f.Stage == Device {
		s += ": lowering, fusion and machine code give the right values; passes, types and formats of weights that the device was asked for come besides, and the device's own part"
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
	f.Stage, f.Kernels = s.blame(culprit)
	return f, nil
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
