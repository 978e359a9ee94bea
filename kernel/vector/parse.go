package vector

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Parse reads what [Program.String] prints. Its errors begin with the number of the line.
func Parse(text string) (p *Program, err error) {
	d := &parser{lines: strings.Split(text, "\n"), p: &Program{}}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*syntaxError)
			if !ok {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	head := d.next()
	if len(head) != 4 || head[0] != "program" || head[3] != "{" {
		d.fail("want program NAME lanes=N {")
	}
	if d.p.Name, err = strconv.Unquote(head[1]); err != nil {
		d.fail("want a quoted name")
	}
	d.p.Lanes = d.number(strings.TrimPrefix(head[2], "lanes="))
	d.p.Body = d.block()
	if rest := d.next(); rest != nil {
		d.fail("text behind the program")
	}
	if err := Verify(d.p); err != nil {
		return nil, err
	}
	return d.p, nil
}

type syntaxError struct {
	line int
	text string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("vector: line %d: %s", e.line, e.text) }

type parser struct {
	lines   []string
	at      int
	p       *Program
	repeats []*Instr // bodies that stand in the code several times
}

func (d *parser) fail(format string, args ...any) {
	panic(&syntaxError{d.at, fmt.Sprintf(format, args...)})
}

// next returns the words of the next line that has any, nil at the end.
func (d *parser) next() []string {
	for d.at < len(d.lines) {
		d.at++
		if words := strings.Fields(d.lines[d.at-1]); len(words) > 0 {
			return words
		}
	}
	return nil
}

func (d *parser) number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		d.fail("want a number, have %q", text)
	}
	return n
}

const mostValues = 1 << 20

func (d *parser) value(text string) Value {
	if !strings.HasPrefix(text, "%") {
		d.fail("want a value, have %q", text)
	}
	n := d.number(text[1:])
	if n < 0 || n > mostValues {
		d.fail("no value %d", n)
	}
	return Value(n)
}

func (d *parser) kind(text string) Kind {
	k := slices.Index(kindNames[:], text)
	if k < 0 {
		d.fail("no kind %q", text)
	}
	return Kind(k)
}

// declare makes a value of a kind.
func (d *parser) declare(v Value, k Kind) {
	for int(v) >= len(d.p.kinds) {
		d.p.kinds = append(d.p.kinds, None)
	}
	d.p.kinds[v] = k
}

func (d *parser) block() *Block {
	b := &Block{}
	for {
		w := d.next()
		switch {
		case w == nil:
			d.fail("want }")
		case w[0] == "}":
			return b
		case w[0] == "data":
			var table []uint64
			for _, text := range w[1:] {
				u, err := strconv.ParseUint(text, 0, 64)
				if err != nil {
					d.fail("want a number, have %q", text)
				}
				table = append(table, u)
			}
			d.p.Tables = append(d.p.Tables, table)
			continue
		case w[0] == "yield":
			for _, v := range w[1:] {
				b.Yield = append(b.Yield, d.value(v))
			}
			continue
		}
		var results []Value
		sets := false
		if equals := slices.IndexFunc(w, func(s string) bool { return s == "=" || s == ":=" }); equals >= 0 {
			for _, r := range w[:equals] {
				results = append(results, d.value(r))
			}
			sets, w = w[equals] == ":=", w[equals+1:]
		}
		if len(w) < 2 {
			d.fail("want an operation and a kind")
		}
		read, ok := map[string]func(results []Value, w []string) *Instr{"loop": d.loop, "repeat": d.repeat, "again": d.again}[w[0]]
		if ok {
			b.Instrs = append(b.Instrs, read(results, w[1:]))
		} else {
			b.Instrs = append(b.Instrs, d.instr(results, w, sets))
		}
	}
}

func (d *parser) instr(results []Value, w []string, sets bool) *Instr {
	o := slices.IndexFunc(ops[:], func(i opInfo) bool { return i.name == w[0] })
	if o <= 0 {
		d.fail("no operation %q", w[0])
	}
	i := &Instr{Op: Op(o), Kind: d.kind(w[1]), Def: -1}
	for _, text := range w[2:] {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			i.Args = append(i.Args, d.value(text))
			continue
		}
		switch name {
		case "from":
			i.From = d.kind(value)
		case "mem":
			m := slices.Index(memNames[:], value)
			if m < 0 {
				d.fail("no memory %q", value)
			}
			i.Mem = Mem(m)
		case "count":
			i.Count = int32(min(d.number(value), math.MaxInt32))
		case "stride":
			i.Stride = d.number(value)
		case "scale":
			i.Scale = int8(min(d.number(value), math.MaxInt8))
		case "still":
			i.Still = d.number(value) != 0
		case "imm":
			if u, err := strconv.ParseUint(value, 0, 64); err == nil {
				i.Imm = int64(u)
				continue
			}
			i.Imm = int64(d.number(value))
		default:
			d.fail("no attribute %q", name)
		}
	}
	d.p.has[i.Op] = true
	if len(results) > 1 {
		d.fail("%d results", len(results))
	}
	if len(results) == 1 {
		i.Def = results[0]
		k := i.Kind
		if strings.HasSuffix(ops[i.Op].signature, "m") {
			k = k.Mask()
		}
		if d.declare(i.Def, k); sets {
			d.p.kinds[i.Def] |= variable
			d.p.variables = append(d.p.variables, i.Def)
		}
	}
	return i
}

// loop reads %c to %n step s carry %p:kind=%init ... {, and the body.
func (d *parser) loop(results []Value, w []string) *Instr {
	if len(w) < 6 || w[1] != "to" || w[3] != "step" || w[len(w)-1] != "{" {
		d.fail("want loop %%C to %%N step S {")
	}
	i := &Instr{Op: Loop, Def: -1, Kind: Word, Args: []Value{d.value(w[2])}, Imm: int64(d.number(w[4])),
		Turns: &Turns{Counter: d.value(w[0]), Results: results}}
	d.declare(i.Counter, Word)
	w = w[5 : len(w)-1]
	if len(w) > 0 && w[0] == "rare" {
		i.Rare = true
		w = w[1:]
	}
	return d.body(i, w)
}

// repeat reads n carry %p:kind=%init ... {, and the body.
func (d *parser) repeat(results []Value, w []string) *Instr {
	if len(w) < 2 || w[len(w)-1] != "{" {
		d.fail("want repeat N {")
	}
	i := &Instr{Op: Loop, Def: -1, Kind: Word, Turns: &Turns{Times: d.number(w[0]), Counter: -1, Results: results}}
	d.repeats = append(d.repeats, i)
	return d.body(i, w[1:len(w)-1])
}

// again reads n %r %init ..., where %r is the first result of an earlier loop that stands in the code.
func (d *parser) again(results []Value, w []string) *Instr {
	if len(w) < 2 {
		d.fail("want again N %%R")
	}
	i := &Instr{Op: Loop, Def: -1, Kind: Word, Turns: &Turns{Times: d.number(w[0]), Counter: -1, Results: results, Body: &Block{}}}
	first := d.value(w[1])
	n := slices.IndexFunc(d.repeats, func(r *Instr) bool { return len(r.Results) > 0 && r.Results[0] == first })
	if n < 0 || i.Times < 1 {
		d.fail("want some turns of a body that stands in the code")
	}
	i.Again = d.repeats[n]
	d.results(results, i.Again.Params)
	for _, v := range w[2:] {
		i.Init = append(i.Init, d.value(v))
	}
	return i
}

// body reads what a loop carries, and its body.
func (d *parser) body(i *Instr, w []string) *Instr {
	for n, c := range w {
		if n == 0 {
			if c != "carry" {
				d.fail("want carry, have %q", c)
			}
			continue
		}
		name, rest, ok := strings.Cut(c, ":")
		kind, init, ok2 := strings.Cut(rest, "=")
		if !ok || !ok2 {
			d.fail("want %%P:KIND=%%INIT, have %q", c)
		}
		i.Params, i.Init = append(i.Params, d.value(name)), append(i.Init, d.value(init))
		d.declare(d.value(name), d.kind(kind))
	}
	d.results(i.Results, i.Params)
	i.Body = d.block()
	return i
}

// results makes the results of a loop, which have the kinds of what the loop carries.
func (d *parser) results(results, params []Value) {
	if len(results) != len(params) {
		d.fail("%d results of %d values that are carried", len(results), len(params))
	}
	for n, r := range results {
		d.declare(r, d.p.Kind(params[n]))
	}
}
