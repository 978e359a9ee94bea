package emit

import (
	_ "embed"
	"fmt"
	"math/bits"
	"sync"

	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/rule"
)

//go:embed rules.txt
var ruleText string

var rules = sync.OnceValue(func() *rule.Table { return rule.New(ruleText, func(*rule.Rule) {}, "bf16", "dot", "i8mm") })

// find returns the rule for an instruction, nil if there is none.
func find(i *vector.Instr, f cpu.Features) *rule.Rule {
	var there rule.Needs
	for n, has := range [...]bool{f.BF16, f.DotProduct, f.I8MM} {
		if has {
			there |= 1 << n
		}
	}
	return rules().Find(i, there)
}

// has reports whether there are instructions for an operation that gives vectors of kind k, of operands of kind from if
// it is a conversion.
func has(o vector.Op, k, from vector.Kind, f cpu.Features) bool {
	return specials[o].emit != nil || find(&vector.Instr{Op: o, Kind: k, From: from}, f) != nil
}

// arrangement returns the arrangement of a vector from its bytes and the size of its elements.
func arrangement(size, bytes int) asm.Arrangement {
	full := [...]asm.Arrangement{asm.B16, asm.H8, asm.S4, asm.D2}[bits.TrailingZeros(uint(size))]
	if bytes == 16 {
		return full
	}
	return full - 1 // the shorter one stands before it
}

var fixed = map[string]asm.Arrangement{"2s": asm.S2, "4s": asm.S4, "2d": asm.D2, "4h": asm.H4, "8h": asm.H8, "8b": asm.B8,
	"16b": asm.B16, "b": asm.B, "h": asm.H, "s": asm.S, "d": asm.D, "4b": asm.B4}

// apply emits the instructions of a rule.
func (e *emitter) apply(r *rule.Rule, s *vector.Step) {
	regs := rule.RegistersOf(s)
	if t := int(r.Shape.Tied); t >= 0 && s.Source(t) != s.Result {
		e.move(s.Result, s.Source(t))
		regs.Set("abc"[t], s.Result)
	}
	for _, p := range r.Code {
		list := make([]asm.Operand, len(p.Operands))
		for n, o := range p.Operands {
			list[n] = e.operand(s.Instr, o, &regs)
		}
		e.a.Emit(p.Name, list...)
	}
}

func (e *emitter) operand(i *vector.Instr, o rule.Operand, regs *rule.Registers) asm.Operand {
	if o.Reg == '#' {
		if o.Index == 0 {
			return asm.Imm(o.Literal)
		}
		return asm.Imm(i.Imm)
	}
	n := regs.Of(o.Reg)
	index := o.Index
	if index == rule.Immediate {
		index = int(i.Imm)
	}
	switch o.Form {
	case "":
		return asm.X(n)
	case "w":
		return asm.X(n).W()
	case "T":
		return asm.V(n).As(arrangement(i.Kind.Size(), e.p.Bytes(i.Kind)))
	case "F":
		return asm.V(n).As(arrangement(i.From.Size(), e.p.Bytes(i.From)))
	case "B", "H", "S":
		return asm.V(n).As(arrangement(map[string]int{"B": 1, "H": 2, "S": 4}[o.Form], e.p.Bytes(i.Kind)))
	case "E":
		return asm.V(n).As(arrangement(int(i.Imm), 16))
	}
	arr, ok := fixed[o.Form]
	if !ok {
		panic(fmt.Sprintf("BUG: emit: no arrangement %q", o.Form))
	}
	if index >= 0 {
		return asm.V(n).Element(arr, index)
	}
	return asm.V(n).As(arr)
}
