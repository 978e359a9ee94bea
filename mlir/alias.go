package mlir

import "strconv"

// collectAliases gives affine maps and sets names, in the order of their first
// use, and prints their definitions: #map = affine_map<…>.
func (p *Printer) collectAliases(root *Operation) {
	p.aliases = map[string]string{}
	counts := map[string]int{}
	root.Walk(func(op *Operation) {
		for _, n := range op.Attrs {
			p.collectAlias(n.Value, counts)
		}
	})
}

func (p *Printer) collectAlias(a Attribute, counts map[string]int) {
	kind := ""
	switch a := a.(type) {
	case ArrayAttr:
		for _, e := range a {
			p.collectAlias(e, counts)
		}
		return
	case DictAttr:
		for _, n := range a {
			p.collectAlias(n.Value, counts)
		}
		return
	case AffineMapAttr:
		kind = "#map"
	case AffineSetAttr:
		kind = "#set"
	default:
		return
	}
	text := a.String()
	if _, known := p.aliases[text]; known {
		return
	}
	name := kind
	if n := counts[kind]; n > 0 {
		name += strconv.Itoa(n)
	}
	counts[kind]++
	p.aliases[text] = name
	p.Text(name + " = " + text + "\n")
}
