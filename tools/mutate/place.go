package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// place is one change that can be made: the bytes from start to end of a file become text.
type place struct {
	file          string // absolute
	line          int
	start, end    int
	before, after string
	in            *function // the innermost one around it, or nil
}

// generated reports whether nobody wrote a file by hand.
func generated(name string) bool {
	return strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "z")
}

// placesOf lists the places of a package's folder, in order.
func placesOf(dir string, files []string) ([]place, error) {
	var all []place
	sort.Strings(files)
	for _, name := range files {
		if generated(name) {
			continue
		}
		path := filepath.Join(dir, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, 0)
		if err != nil {
			return nil, err
		}
		f := finder{path: path, source: source, set: set}
		ast.Inspect(file, f.walk)
		all = append(all, f.found...)
	}
	return all, nil
}

type finder struct {
	path   string
	source []byte
	set    *token.FileSet
	found  []place
	around []*function // of each node on the way to this one, the innermost function
}

// walk visits a node, knowing the function around it.
func (f *finder) walk(n ast.Node) bool {
	if n == nil {
		f.around = f.around[:len(f.around)-1]
		return true
	}
	if !f.visit(n) {
		return false
	}
	in := f.in()
	switch n := n.(type) {
	case *ast.FuncDecl:
		in = f.function(n.Type, n.Body)
	case *ast.FuncLit:
		in = f.function(n.Type, n.Body)
	}
	f.around = append(f.around, in)
	return true
}

func (f *finder) in() *function {
	if len(f.around) == 0 {
		return nil
	}
	return f.around[len(f.around)-1]
}

// instead gives what an operator becomes.
var instead = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
		if n.Tok == token.ASSIGN {
			f.remove(n)
		}
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.ExprStmt:
		f.remove(n)
	case *ast.IfStmt:
		f.wrap(n.Cond, "!(", ")")
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT {
			f.add(n.OpPos, n.OpPos+1, "")
		}
	case *ast.BranchStmt:
		if n.Label == nil && n.Tok == token.CONTINUE {
			f.add(n.Pos(), n.End(), "break")
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.add(n.Pos(), n.End(), "false")
		case "false":
			f.add(n.Pos(), n.End(), "true")
		}
	case *ast.BasicLit:
		f.number(n)
	case *ast.CallExpr:
		f.swap(n)
	}
	return true
}

func (f *finder) operator(pos token.Pos, op token.Token) {
	if to, ok := instead[op]; ok {
		f.add(pos, pos+token.Pos(len(op.String())), to.String())
	}
}

// remove takes a statement away.
func (f *finder) remove(n ast.Stmt) { f.add(n.Pos(), n.End(), "") }

func (f *finder) wrap(n ast.Expr, left, right string) {
	f.add(n.Pos(), n.End(), left+f.text(n.Pos(), n.End())+right)
}

func (f *finder) number(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			f.add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
		}
	case token.FLOAT:
		if v, err := strconv.ParseFloat(n.Value, 64); err == nil && v == 0 {
			f.add(n.Pos(), n.End(), "0.25")
		} else {
			f.add(n.Pos(), n.End(), "(1.25*"+n.Value+")")
		}
	}
}

// swap exchanges the first two arguments of a call, if their order matters.
func (f *finder) swap(n *ast.CallExpr) {
	if len(n.Args) < 2 {
		return
	}
	a, b := n.Args[0], n.Args[1]
	if f.orderFree(n.Fun) {
		return
	}
	first, second := f.text(a.Pos(), a.End()), f.text(b.Pos(), b.End())
	if first != second {
		f.add(a.Pos(), b.End(), second+f.text(a.End(), b.Pos())+first)
	}
}

// orderFree reports whether a function gives the same for exchanged arguments, as its name says.
func (f *finder) orderFree(fun ast.Expr) bool {
	name := f.text(fun.Pos(), fun.End())
	name = name[strings.LastIndexByte(name, '.')+1:]
	return slices.Contains([]string{"min", "max", "add", "mul", "and", "or", "xor"}, strings.ToLower(name))
}

func (f *finder) text(from, to token.Pos) string {
	return string(f.source[f.set.Position(from).Offset:f.set.Position(to).Offset])
}

func (f *finder) add(from, to token.Pos, after string) {
	start, end := f.set.Position(from), f.set.Position(to).Offset
	p := place{file: f.path, line: start.Line, start: start.Offset, end: end, before: f.text(from, to), after: after}
	if in := f.in(); in != nil && in.open <= p.start && p.end <= in.close {
		p.in = in
	}
	f.found = append(f.found, p)
}
