package mlir

// Symbols returns the names that the attributes of op, and of what is inside of it, refer to.
func (op *Operation) Symbols() map[string]bool {
	names := map[string]bool{}
	op.Walk(func(inner *Operation) {
		for _, n := range inner.Attrs {
			EachSymbol(n.Value, func(name string) { names[name] = true })
		}
	})
	return names
}

// EachSymbol visits the symbols that an attribute refers to.
func EachSymbol(a Attribute, visit func(string)) {
	switch a := a.(type) {
	case SymbolRefAttr:
		for _, name := range a {
			visit(name)
		}
	case ArrayAttr:
		for _, e := range a {
			EachSymbol(e, visit)
		}
	case DictAttr:
		for _, n := range a {
			EachSymbol(n.Value, visit)
		}
	}
}
