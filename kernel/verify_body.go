package kernel

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// bodyEnv names what a body may refer to.
type bodyEnv struct {
	ports []Port
	first int // the first port that the body may use
	loops int
	nest  *Nest // for Acc and Kept; nil in an epilogue
	stage int
	input dtype.DType // of Input; Invalid outside an epilogue
}

func (v *verifier) body(what string, b Body, env *bodyEnv) {
	if len(b) > maxBody {
		v.fail("%s: %d instructions are too many", what, len(b))
	}
	for n := range b {
		if v.err != nil {
			return
		}
		v.instr(b, n, env)
		if v.err != nil {
			v.err = fmt.Errorf("%s: %%%d: %s: %w", what, n, b[n].Op, v.err)
		}
	}
}

func (v *verifier) instr(b Body, n int, env *bodyEnv) {
	i := &b[n]
	if i.Op == Invalid || i.Op >= numOps {
		v.fail("unknown operation %d", i.Op)
		return
	}
	if !i.Type.Valid() || i.Type.IsComplex() {
		v.fail("type %s", i.Type)
		return
	}
	for _, o := range i.Operands() {
		if wrong := b.operand(o, n); wrong != "" {
			v.fail("%s", wrong)
		}
	}
	if v.err != nil {
		return
	}
	switch i.Op {
	case Const:
	case Load, LoadAt, Store:
		v.memory(b, i, env)
	case Index:
		if i.Port < 0 || i.Port >= env.loops || i.Type != dtype.I64 {
			v.fail("loop %d of %d, type %s", i.Port, env.loops, i.Type)
		}
	case Acc, Kept:
		v.earlier(i, env)
	case Input:
		if i.Type != env.input {
			v.fail("type %s, want %s", i.Type, env.input)
		}
	case Cast:
	case Bitcast:
		if from := b[i.A].Type; from.Size() != i.Type.Size() || from == dtype.Bool || i.Type == dtype.Bool {
			v.fail("%s to %s", from, i.Type)
		}
	default:
		v.compute(b, i)
	}
}

func (v *verifier) memory(b Body, i *Instr, env *bodyEnv) {
	if i.Port < env.first || i.Port >= len(env.ports) {
		v.fail("port %d", i.Port)
		return
	}
	p := env.ports[i.Port]
	if p.DType != i.Type {
		v.fail("type %s, port %d has %s", i.Type, i.Port, p.DType)
	}
	store := i.Op == Store
	if store && !p.Write {
		v.fail("port %d is not written", i.Port)
	}
	if store && b[i.A].Type != i.Type {
		v.fail("the value is %s, port %d has %s", b[i.A].Type, i.Port, i.Type)
	}
	if i.Op == LoadAt && b[i.A].Type != dtype.I64 {
		v.fail("the offset is %s, not i64", b[i.A].Type)
	}
}

// earlier checks a reference to a value of an earlier stage.
func (v *verifier) earlier(i *Instr, env *bodyEnv) {
	if env.nest == nil || i.Port < 0 || i.Port >= env.stage {
		v.fail("stage %d", i.Port)
		return
	}
	s := &env.nest.Stages[i.Port]
	if i.Op == Acc {
		if i.Imm >= uint64(len(s.Reduce)) {
			v.fail("reduction %d of %d", i.Imm, len(s.Reduce))
		} else if t := s.Reduce[i.Imm].Result(); t != i.Type {
			v.fail("type %s, the reduction has %s", i.Type, t)
		}
		return
	}
	switch {
	case i.Imm >= uint64(len(s.Keep)):
		v.fail("kept value %d of %d", i.Imm, len(s.Keep))
	case s.Body[s.Keep[i.Imm]].Type != i.Type:
		v.fail("type %s, kept as %s", i.Type, s.Body[s.Keep[i.Imm]].Type)
	case env.nest.Stages[env.stage].Once && !s.Once:
		v.fail("a stage that runs once has no inner point")
	}
}

func (v *verifier) compute(b Body, i *Instr) {
	operands := i.Operands()
	if i.Op == Select {
		if b[i.A].Type != dtype.Bool {
			v.fail("the condition is %s", b[i.A].Type)
		}
		operands = operands[1:]
	}
	t := b[operands[0]].Type
	for _, o := range operands {
		if b[o].Type != t {
			v.fail("operands of %s and %s", t, b[o].Type)
		}
	}
	if !i.Op.Takes(t) {
		v.fail("operands of %s", t)
	}
	if i.Op.IsCompare() {
		t = dtype.Bool
	}
	if i.Type != t {
		v.fail("type %s, operands give %s", i.Type, t)
	}
}
