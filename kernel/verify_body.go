package kernel

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// bodyEnv is what a body may refer to.
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
		v.instr(fmt.Sprintf("%s: %%%d: %s", what, n, b[n].Op), b, n, env)
	}
}

func (v *verifier) instr(what string, b Body, n int, env *bodyEnv) {
	i := &b[n]
	if i.Op == Invalid || i.Op >= numOps {
		v.fail("%s: unknown operation %d", what, i.Op)
		return
	}
	if !i.Type.Valid() || i.Type.IsComplex() {
		v.fail("%s: type %s", what, i.Type)
		return
	}
	for _, o := range i.Operands() {
		v.operand(what, b, o, n)
	}
	if v.err != nil {
		return
	}
	switch i.Op {
	case Const:
	case Load, LoadAt, Store:
		v.memory(what, b, i, env)
	case Index:
		if i.Port < 0 || i.Port >= env.loops || i.Type != dtype.I64 {
			v.fail("%s: loop %d of %d, type %s", what, i.Port, env.loops, i.Type)
		}
	case Acc, Kept:
		v.earlier(what, i, env)
	case Input:
		if i.Type != env.input {
			v.fail("%s: type %s, want %s", what, i.Type, env.input)
		}
	case Cast:
	case Bitcast:
		if from := b[i.A].Type; from.Size() != i.Type.Size() || from == dtype.Bool || i.Type == dtype.Bool {
			v.fail("%s: %s to %s", what, from, i.Type)
		}
	default:
		v.compute(what, b, i)
	}
}

func (v *verifier) memory(what string, b Body, i *Instr, env *bodyEnv) {
	if i.Port < env.first || i.Port >= len(env.ports) {
		v.fail("%s: port %d", what, i.Port)
		return
	}
	p := env.ports[i.Port]
	if p.DType != i.Type {
		v.fail("%s: type %s, port %d has %s", what, i.Type, i.Port, p.DType)
	}
	store := i.Op == Store
	if store && !p.Write {
		v.fail("%s: port %d is not written", what, i.Port)
	}
	if store && b[i.A].Type != i.Type {
		v.fail("%s: the value is %s, port %d has %s", what, b[i.A].Type, i.Port, i.Type)
	}
	if i.Op == LoadAt && b[i.A].Type != dtype.I64 {
		v.fail("%s: the offset is %s, not i64", what, b[i.A].Type)
	}
}

// earlier checks a reference to a value of an earlier stage.
func (v *verifier) earlier(what string, i *Instr, env *bodyEnv) {
	if env.nest == nil || i.Port < 0 || i.Port >= env.stage {
		v.fail("%s: stage %d", what, i.Port)
		return
	}
	s := &env.nest.Stages[i.Port]
	if i.Op == Acc {
		if i.Imm >= uint64(len(s.Reduce)) {
			v.fail("%s: reduction %d of %d", what, i.Imm, len(s.Reduce))
		} else if t := s.Reduce[i.Imm].Result(); t != i.Type {
			v.fail("%s: type %s, the reduction has %s", what, i.Type, t)
		}
		return
	}
	switch {
	case i.Imm >= uint64(len(s.Keep)):
		v.fail("%s: kept value %d of %d", what, i.Imm, len(s.Keep))
	case s.Body[s.Keep[i.Imm]].Type != i.Type:
		v.fail("%s: type %s, kept as %s", what, i.Type, s.Body[s.Keep[i.Imm]].Type)
	case env.nest.Stages[env.stage].Once && !s.Once:
		v.fail("%s: a stage that runs once has no inner point", what)
	}
}

func (v *verifier) compute(what string, b Body, i *Instr) {
	operands := i.Operands()
	if i.Op == Select {
		if b[i.A].Type != dtype.Bool {
			v.fail("%s: the condition is %s", what, b[i.A].Type)
		}
		operands = operands[1:]
	}
	t := b[operands[0]].Type
	for _, o := range operands {
		if b[o].Type != t {
			v.fail("%s: operands of %s and %s", what, t, b[o].Type)
		}
	}
	if !i.Op.Takes(t) {
		v.fail("%s: operands of %s", what, t)
	}
	if i.Op.IsCompare() {
		t = dtype.Bool
	}
	if i.Type != t {
		v.fail("%s: type %s, operands give %s", what, i.Type, t)
	}
}
