package mlir

// Symbol returns the name that an operation defines, such as a function's, or "".
func (op *Operation) Symbol() string {
	name, _ := op.Attrs.Get("sym_name").(StringAttr)
	return string(name)
}

// IsPrivate reports whether the name that an operation defines is visible in its module only.
func (op *Operation) IsPrivate() bool { return op.Attrs.Get("sym_visibility") == StringAttr("private") }

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
