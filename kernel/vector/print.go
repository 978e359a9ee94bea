package vector

import (
	"fmt"
	"strings"
)

// String prints the program in the form that [Parse] reads.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "program %q lanes=%d {\n", p.Name, p.Lanes)
	for _, t := range p.Tables {
		b.WriteString("  data")
		for _, w := range t {
			fmt.Fprintf(&b, " %#x", w)
		}
		b.WriteByte('\n')
	}
	p.print(&b, p.Body, "  ")
	b.WriteString("}\n")
	return b.String()
}

func (p *Program) print(b *strings.Builder, block *Block, indent string) {
	for _, i := range block.Instrs {
		b.WriteString(indent)
		if i.Op == Loop {
			p.printLoop(b, i, indent)
			continue
		}
		if i.Def >= 0 {
			is := "="
			if p.Variable(i.Def) {
				is = ":="
			}
			fmt.Fprintf(b, "%%%d %s ", i.Def, is)
		}
		fmt.Fprintf(b, "%v %v", i.Op, i.Kind)
		for _, a := range i.Args {
			fmt.Fprintf(b, " %%%d", a)
		}
		if i.From != None {
			fmt.Fprintf(b, " from=%v", i.From)
		}
		if i.Mem != Same {
			fmt.Fprintf(b, " mem=%v", i.Mem)
		}
		for n, name := range [...]string{"count", "stride", "scale"} {
			if v := [...]int{int(i.Count), i.Stride, int(i.Scale)}[n]; v != 0 {
				fmt.Fprintf(b, " %s=%d", name, v)
			}
		}
		switch {
		case i.Op == Const:
			fmt.Fprintf(b, " imm=%#x", uint64(i.Imm))
		case i.Imm != 0:
			fmt.Fprintf(b, " imm=%d", i.Imm)
		}
		if i.Still {
			b.WriteString(" still=1")
		}
		b.WriteByte('\n')
	}
}

func (p *Program) printLoop(b *strings.Builder, i *Instr, indent string) {
	for n, r := range i.Results {
		if n > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%%%d", r)
	}
	if len(i.Results) > 0 {
		b.WriteString(" = ")
	}
	if i.Again != nil {
		fmt.Fprintf(b, "again %d %%%d", i.Times, i.Again.Results[0])
		for _, v := range i.Init {
			fmt.Fprintf(b, " %%%d", v)
		}
		b.WriteByte('\n')
		return
	}
	if i.Times > 0 {
		fmt.Fprintf(b, "repeat %d", i.Times)
	} else {
		fmt.Fprintf(b, "loop %%%d to %%%d step %d", i.Counter, i.Args[0], i.Imm)
	}
	if i.Rare {
		b.WriteString(" rare")
	}
	if len(i.Params) > 0 {
		b.WriteString(" carry")
	}
	for n, v := range i.Params {
		fmt.Fprintf(b, " %%%d:%v=%%%d", v, p.Kind(v), i.Init[n])
	}
	b.WriteString(" {\n")
	p.print(b, i.Body, indent+"  ")
	if len(i.Body.Yield) > 0 {
		b.WriteString(indent + "  yield")
		for _, v := range i.Body.Yield {
			fmt.Fprintf(b, " %%%d", v)
		}
		b.WriteByte('\n')
	}
	b.WriteString(indent + "}\n")
}
