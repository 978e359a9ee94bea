package vector

import "fmt"

// Verify returns what is wrong with a program: an operand that is not defined before, or of another length than
// the operation takes.
func Verify(p *Program) error {
	if p.Lanes < 1 || p.Lanes > 16 {
		return fmt.Errorf("vector: %d lanes", p.Lanes)
	}
	v := &verifier{Program: p, defined: make([]bool, len(p.kinds))}
	v.block(p.Body)
	return v.err
}

type verifier struct {
	*Program
	defined []bool
	err     error
}

func (v *verifier) fail(i *Instr, format string, args ...any) {
	if v.err != nil {
		return
	}
	name := i.Op.String()
	switch {
	case i.Op == Loop && i.Turns != nil && i.Again != nil:
		name = fmt.Sprintf("again %d", i.Times)
	case i.Op == Loop && i.Turns != nil && i.Times != 0:
		name = fmt.Sprintf("repeat %d", i.Times)
	case i.Op == Loop && i.Turns != nil:
		name = fmt.Sprintf("loop %%%d", i.Counter)
	case i.Def >= 0:
		name = fmt.Sprintf("%v %%%d", i.Op, i.Def)
	}
	v.err = fmt.Errorf("vector: %s: %s", name, fmt.Sprintf(format, args...))
}

func (v *verifier) define(i *Instr, d Value, k Kind) {
	switch {
	case d < 0 || int(d) >= len(v.kinds):
		v.fail(i, "no value %%%d", d)
	case v.defined[d] && !v.Variable(d):
		v.fail(i, "%%%d is defined twice", d)
	case v.Kind(d) != k:
		v.fail(i, "%%%d is %v, not %v", d, v.Kind(d), k)
	default:
		v.defined[d] = true
	}
}

// use checks an operand: it is a vector of the length of kind k, or a word.
func (v *verifier) use(i *Instr, a Value, k Kind) {
	switch {
	case a < 0 || int(a) >= len(v.kinds) || !v.defined[a]:
		v.fail(i, "%%%d is not defined", a)
	case (v.Kind(a) == Word) != (k == Word):
		v.fail(i, "%%%d is %v", a, v.Kind(a))
	case k != Word && k != None && v.Bytes(v.Kind(a)) != v.Bytes(k):
		v.fail(i, "%%%d has %d bytes, not %d", a, v.Bytes(v.Kind(a)), v.Bytes(k))
	}
}

func (v *verifier) block(b *Block) {
	for _, i := range b.Instrs {
		if i.Op == Invalid || i.Op >= numOps {
			v.fail(i, "no operation")
			return
		}
		if i.Op == Loop {
			v.loop(i)
			continue
		}
		sig := ops[i.Op].signature
		n := 0
		for ; sig[n] != '>'; n++ {
			if n >= len(i.Args) {
				v.fail(i, "%d operands", len(i.Args))
				return
			}
			switch sig[n] {
			case 'w':
				v.use(i, i.Args[n], Word)
			case 'v', 'm':
				v.use(i, i.Args[n], i.Kind)
			case 'f':
				v.use(i, i.Args[n], i.From)
			default:
				v.use(i, i.Args[n], None)
			}
		}
		args := n
		if i.Scale != 0 && n < len(i.Args) && i.Op.addresses() {
			v.use(i, i.Args[n], Word)
			args++
		}
		if args != len(i.Args) {
			v.fail(i, "%d operands", len(i.Args))
		}
		switch sig[n+1:] {
		case "w":
			v.define(i, i.Def, Word)
		case "v":
			if i.Kind == Word || i.Kind == None {
				v.fail(i, "a vector of %v", i.Kind)
			}
			v.define(i, i.Def, i.Kind)
		case "m":
			v.define(i, i.Def, i.Kind.Mask())
		}
		if i.Mem == Long && (i.Op != Store || i.Kind != I32) {
			v.fail(i, "elements of %v in memory", i.Mem)
		}
		if i.Op == WordTable && (i.Imm < 0 || int(i.Imm) >= len(v.Tables)) {
			v.fail(i, "no table %d", i.Imm)
		}
		if i.Count < 0 || int(i.Count) > v.Lanes {
			v.fail(i, "%d of %d lanes", i.Count, v.Lanes)
		}
	}
}

func (v *verifier) loop(i *Instr) {
	switch {
	case i.Turns == nil || i.Body == nil:
		v.fail(i, "has no body")
		return
	case i.Times != 0:
		if i.Times < 0 || len(i.Args) > 0 || i.Counter >= 0 {
			v.fail(i, "has %d ends, and a counter %%%d", len(i.Args), i.Counter)
			return
		}
	case len(i.Args) != 1 || i.Imm <= 0:
		v.fail(i, "has %d ends and steps of %d", len(i.Args), i.Imm)
		return
	default:
		v.use(i, i.Args[0], Word)
		v.define(i, i.Counter, Word)
	}
	params, body := i.Params, i.Body
	if i.Again != nil {
		params, body = i.Again.Params, i.Again.Body
	}
	n := len(params)
	if len(i.Init) != n || len(body.Yield) != n || len(i.Results) != n {
		v.fail(i, "carries %d values, but begins with %d, yields %d and has %d results", n, len(i.Init), len(body.Yield), len(i.Results))
		return
	}
	for k, d := range params {
		if v.err == nil {
			v.use(i, i.Init[k], v.Kind(d))
			v.define(i, d, v.Kind(d))
		}
	}
	before := append([]bool(nil), v.defined...)
	v.block(body)
	for k, y := range body.Yield {
		if v.err == nil {
			v.use(i, y, v.Kind(params[k]))
		}
	}
	copy(v.defined, before) // what a loop defines is not there behind it
	if i.Counter >= 0 {
		v.defined[i.Counter] = false
	}
	for k, d := range i.Results {
		if v.err == nil {
			v.defined[params[k]] = false
			v.define(i, d, v.Kind(params[k]))
		}
	}
}
