package kernel

// operands writes a line for each port, after the attributes of a kernel whose operands
// are dense, and ends its text.
func (p *printer) operands(names []string, ports []Port) string {
	for i, name := range names {
		p.line("%s %s", name, ports[i])
	}
	p.end()
	return p.Builder.String()
}

// dense reads the ports that [printer.operands] writes.
func (d *decoder) dense(it *item, names []string, ports ...*Port) {
	list := make([]operand, len(names))
	for i, name := range names {
		list[i] = operand{name, func(sub *item) { *ports[i] = d.port(sub) }}
	}
	d.operands(it, d.unexpected, list...)
}

// dense checks a port that holds all elements in order.
func (v *verifier) dense(what string, p Port, elements int, write bool) {
	v.port(what, p)
	if p.Write != write {
		v.fail("%s: written: %t, want %t", what, p.Write, write)
	}
	if v.err == nil && p.Len != elements {
		v.fail("%s: %d elements in a port of %d", what, elements, p.Len)
	}
}
