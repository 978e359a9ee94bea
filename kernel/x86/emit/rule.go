package emit

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/rule"
	"github.com/go-acap/acap/kernel/x86/asm"
)

//go:embed rules.txt
var ruleText string

// The needs of rules, as the table of them says.
const (
	needAVX2 rule.Needs = 1 << iota
	needAVX512
	needMask
	needGuard
	needZero
	needLong
	needNoMemory
	needKeep
	needKeepB
	needNumber
	needFirst0
	needVNNI
	needAVXVNNI
	needZMM
	needBF16
	needEVEX
)

var rules = sync.OnceValue(func() *rule.Table {
	return rule.New(ruleText, finish, "avx2", "avx512", "mask", "guard", "zero", "long", "nomem", "keep", "keepb", "number", "first0", "vnni", "avxvnni", "zmm", "bf16", "evex")
})

// finish finds the operand of a rule that may be in memory, and the instruction of each pattern for each kind that the
// rule takes. The star of a pattern is the letter of the kind.
func finish(r *rule.Rule) {
	if r.Needs&needNoMemory == 0 {
		r.Shape.Memory = inMemory(r)
	}
	for n := range r.Code {
		p := &r.Code[n]
		for k := range vector.Kind(vector.Kinds) {
			letter, ok := kindLetters[k]
			if r.Takes(k) && (ok || !strings.Contains(p.Name, "*")) {
				p.Number[k] = int(asm.Named(strings.ReplaceAll(p.Name, "*", letter)))
			}
		}
	}
}

// inMemory returns 1 + the number of the operand that a rule reads once, last in its instruction, 0 if there is none.
func inMemory(r *rule.Rule) int8 {
	read := map[byte]int{}
	last := byte(0)
	for _, p := range r.Code {
		list := p.Operands
		for len(list) > 0 && list[len(list)-1].Reg == '#' {
			list = list[:len(list)-1]
		}
		for n, o := range list {
			read[o.Reg]++
			if n == len(list)-1 && n > 0 && (o.Form == "" || o.Form == "x") && o.Reg >= 'a' && o.Reg <= 'c' && int8(o.Reg-'a') != r.Shape.Tied {
				last = o.Reg
			}
		}
	}
	if last == 0 || read[last] != 1 {
		return 0
	}
	return 1 + int8(last-'a')
}

// readsLowest reports whether a rule reads the lowest 16 bytes alone of the operand that may be in memory.
func readsLowest(r *rule.Rule) bool {
	for _, p := range r.Code {
		for n, o := range p.Operands {
			if n > 0 && o.Form == "x" && int8(o.Reg-'a') == r.Shape.Memory-1 {
				return true
			}
		}
	}
	return false
}

// find returns the rule for an instruction, nil if there is none.
func (t *target) find(i *vector.Instr) *rule.Rule {
	if i.Def < 0 || t.p.Variable(i.Def) {
		return t.rules.Find(i, t.needs(i))
	}
	v := &t.values[i.Def]
	if v.found == nil {
		v.found = t.rules.Find(i, t.needs(i))
	}
	return v.found
}

// needsOf are what rules for any instruction may need.
func needsOf(f cpu.Features) rule.Needs {
	n := needNoMemory | needAVX512
	if f.Level == cpu.AVX2 {
		n = needNoMemory | needAVX2
	}
	if f.Level == cpu.AVX512 || f.Broadcasts {
		n |= needEVEX
	}
	if f.VNNI {
		n |= needVNNI
	}
	if f.AVXVNNI && f.Level == cpu.AVX2 {
		n |= needAVXVNNI
	}
	if f.BF16 {
		n |= needBF16
	}
	return n
}

// needs are what rules for an instruction may need.
func (t *target) needs(i *vector.Instr) rule.Needs {
	n := t.there
	switch i.Op {
	case vector.MulAdd, vector.MulSub, vector.NegMul:
		switch a, b, c := i.Args[0], i.Args[1], i.Args[2]; {
		case t.values[c].uses == 1 || c == i.Def:
		case t.values[a].uses == 1:
			n |= needKeep
		case t.values[b].uses == 1:
			n |= needKeepB
		}
	case vector.Min, vector.Max:
		switch c := t.values[i.Args[0]].constant; {
		case c == nonzero, c == zero && i.Op == vector.Min:
			n |= needNumber
		case c == zero:
			n |= needFirst0
		}
	}
	if last := len(i.Args) - 1; last >= 0 && t.values[i.Args[last]].constant == zero {
		n |= needZero
	}
	if t.f.Level == cpu.AVX512 {
		switch {
		case i.Def >= 0 && t.masks[i.Def], i.Op == vector.Select && t.masks[i.Args[0]]:
			n |= needMask
		case len(i.Args) == 2 && t.masks[i.Args[1]]:
			n |= needGuard
		}
	}
	if t.p.Bytes(i.Kind) == 64 {
		n |= needZMM
	}
	if t.p.Bytes(i.Kind) > 16 || i.From != vector.None && t.p.Bytes(i.From) > 16 {
		n |= needLong
	}
	return n
}

var kindLetters = map[vector.Kind]string{vector.F32: "s", vector.F64: "d", vector.I32: "d", vector.I64: "q"}

// apply emits the instructions of a rule.
func (e *emitter) apply(r *rule.Rule, s *vector.Step) {
	tied := int(r.Shape.Tied)
	if tied >= 0 && s.Source(tied) != s.Result {
		e.move(s.Instr.Def, s.Result, s.Source(tied))
	}
	for n := range r.Code {
		p := &r.Code[n]
		op := asm.Op(p.Number[s.Instr.Kind])
		e.registers = e.registers[:0]
		for k := range p.Operands {
			switch o := &p.Operands[k]; o.Reg {
			case '#':
				continue
			case '$':
				e.mem = e.everywhere(s.Instr.Kind, uint64(o.Literal))
				e.registers = append(e.registers, asm.None)
			default:
				e.registers = append(e.registers, e.operand(s, o, tied))
			}
		}
		if last := &p.Operands[len(p.Operands)-1]; last.Reg == '#' {
			e.a.EmitVector(op, e.registers, &e.mem, immediate(s, last))
		} else {
			e.a.EmitVector(op, e.registers, &e.mem)
		}
	}
}

// operand is the register of an operand, none if the operand is in memory. The result has taken the place of the tied
// operand.
func (e *emitter) operand(s *vector.Step, o *rule.Operand, tied int) (r asm.Reg) {
	switch o.Reg {
	case 'd':
		r = e.register(s.Instr.Def, s.Result)
	case 'a', 'b', 'c':
		n := int(o.Reg - 'a')
		from := s.Source(n)
		if n == tied {
			from = s.Result
		}
		if from < 0 {
			e.mem = e.memory(s)
			return asm.None
		}
		r = e.register(s.Instr.Args[n], from)
	case 's', 't', 'u':
		r = e.vec(e.p.Bytes(s.Instr.Kind), s.Vector(int(o.Reg-'s')))
	case 'k':
		r = asm.K(maskScratch)
	}
	if o.Form == "" {
		return r
	}
	return formed(s, o, r)
}

func immediate(s *vector.Step, o *rule.Operand) asm.Imm {
	if o.Index == rule.Immediate {
		return asm.Imm(s.Instr.Imm)
	}
	return asm.Imm(o.Literal)
}

// formed is the register of an operand as the rule wants it.
func formed(s *vector.Step, o *rule.Operand, r asm.Reg) asm.Reg {
	switch o.Form {
	case "x":
		return r.As(16)
	case "h":
		return r.As(max(16, r.Bytes()/2))
	case "d":
		return r.Dword()
	case "k":
		return r.Mask(asm.K(maskScratch))
	case "a":
		return r.Mask(asm.K(s.Source(0)))
	case "az":
		return r.ZeroMask(asm.K(s.Source(0)))
	case "b":
		return r.Mask(asm.K(s.Source(1)))
	case "bz":
		return r.ZeroMask(asm.K(s.Source(1)))
	}
	panic(fmt.Sprintf("BUG: emit: no form %q", o.Form))
}
