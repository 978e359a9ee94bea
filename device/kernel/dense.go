package kernel

import "slices"

// operands writes a line for each port, after the attributes of a kernel whose operands
// are dense, and ends its text.
func (p *printer) operands(names []string, ports []Port) string {
	for i, name := range names {
		p.line("%s %s", name, ports[i])
	}
	p.end()
	return p.Builder.String()
}

// operands reads the ports that [printer.operands] writes, each of which must be there.
func (d *decoder) operands(it *item, names []string, ports ...*Port) {
	seen := map[string]bool{}
	for _, sub := range it.block {
		i := slices.Index(names, word(sub))
		if i < 0 || seen[names[i]] {
			d.fail(sub, "unexpected %q", word(sub))
			return
		}
		seen[names[i]] = true
		*ports[i] = d.port(sub)
	}
	if len(seen) != len(names) {
		d.fail(it, "want the operands %v", names)
	}
}

// dense checks a port that holds all elements in order.
func (v *verifier) dense(what string, p Port, elements int, write bool) {
	v.port(what, p)
	if p.Write != write {
		v.fail("%s: written: %t", what, p.Write)
	}
	if v.err == nil && p.Len != elements {
		v.fail("%s: %d elements in a port of %d", what, elements, p.Len)
	}
}
