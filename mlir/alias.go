package mlir

import (
	"io"
	"strconv"
)

// collectAliases gives the affine maps and sets that the text shows as attributes names,
// in the order of their first use, and prints their definitions: #map = affine_map<…>.
// The text is printed once to nowhere, without constants, to know what it shows.
func (p *Printer) collectAliases(root *Operation) {
	p.aliases = map[string]string{}
	if !hasAffine(root) {
		return
	}
	dry := &Printer{w: io.Discard, opts: p.opts, dialect: []string{"builtin"}, values: p.values, blocks: p.blocks}
	lines := map[string][]string{}
	dry.affine = func(kind, text string) {
		if _, known := p.aliases[text]; known {
			return
		}
		name := kind
		if n := len(lines[kind]); n > 0 {
			name += strconv.Itoa(n)
		}
		p.aliases[text] = name
		lines[kind] = append(lines[kind], name+" = "+text+"\n")
	}
	dry.operation(root)
	for _, line := range append(lines["#map"], lines["#set"]...) {
		p.Text(line)
	}
}

// hasAffine reports whether an attribute holds an affine map or set.
func hasAffine(root *Operation) bool {
	found := false
	root.Walk(func(op *Operation) {
		for _, n := range op.Attrs {
			found = found || isAffine(n.Value)
		}
	})
	return found
}

func isAffine(a Attribute) bool {
	switch a := a.(type) {
	case AffineMapAttr, AffineSetAttr:
		return true
	case ArrayAttr:
		for _, e := range a {
			if isAffine(e) {
				return true
			}
		}
	case DictAttr:
		for _, n := range a {
			if isAffine(n.Value) {
				return true
			}
		}
	}
	return false
}
