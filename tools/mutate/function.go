package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// function is one whose body can be there twice, as it is and with a change: the changed one
// is a literal with the same parameters that the function calls first of all if its change is
// switched on.
type function struct {
	open, close     int // the offsets of what is between the braces
	line            int // of the opening brace
	naming          []insertion
	params, results string // of the literal
	call            string // what it is called with
	returns         bool
}

// insertion is text that a file gets at an offset, in place of the next cut bytes.
type insertion struct {
	at, cut int
	text    string
}

// function returns what is around the places of a body, or nil where a second body would
// behave differently: recover and the caller's line depend on who calls.
func (f *finder) function(t *ast.FuncType, body *ast.BlockStmt) *function {
	if body == nil {
		return nil
	}
	text := f.text(body.Pos(), body.End())
	if strings.Contains(text, "recover()") || strings.Contains(text, "runtime.Caller") {
		return nil
	}
	brace := f.set.Position(body.Lbrace)
	fn := &function{open: brace.Offset + 1, close: f.set.Position(body.Rbrace).Offset, line: brace.Line}
	var params, args []string
	name := func(pos token.Pos, old string) string {
		name := fmt.Sprintf("changeParam%d", len(args))
		at := insertion{f.set.Position(pos).Offset, len(old), name}
		if old == "" {
			at.text += " "
		}
		fn.naming = append(fn.naming, at)
		return name
	}
	for _, field := range t.Params.List {
		kind, variadic := f.text(field.Type.Pos(), field.Type.End()), ""
		if _, ok := field.Type.(*ast.Ellipsis); ok {
			variadic = "..."
		}
		add := func(name string) {
			params, args = append(params, name+" "+kind), append(args, name+variadic)
		}
		if len(field.Names) == 0 {
			add(name(field.Pos(), ""))
		}
		for _, n := range field.Names {
			if n.Name == "_" {
				add(name(n.Pos(), "_"))
			} else {
				add(n.Name)
			}
		}
	}
	fn.params, fn.call = strings.Join(params, ", "), strings.Join(args, ", ")
	if t.Results != nil {
		fn.returns = true
		fn.results = f.text(t.Results.Pos(), t.Results.End())
	}
	return fn
}

// changed returns the text that makes a function call its changed body if change k is on.
func (p place) changed(k int, source string) string {
	fn := p.in
	body := source[fn.open:p.start] + p.after + source[p.end:fn.close]
	before, after := "return ", ""
	if !fn.returns {
		before, after = "", "\n\treturn"
	}
	return fmt.Sprintf("\n//line %s:1\nif changeOn(%d) {\n\t%sfunc(%s) %s {%s}(%s)%s\n}\n", changeFile(k), k, before,
		fn.params, fn.results, body, fn.call, after)
}

func changeFile(k int) string { return fmt.Sprintf("change%d.go", k) }
