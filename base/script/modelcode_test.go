package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leaves lists the names and literals of a file in the order of its text.
type leaves []string

func (l *leaves) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

func (l *leaves) exprs(es ...Expr) {
	for _, e := range es {
		switch e := e.(type) {
		case *Name:
			l.add("%s", e.Name)
		case *Literal:
			if _, isBool := e.Value.(bool); e.Value != nil && !isBool {
				l.add("%v", strings.TrimPrefix(fmt.Sprint(e.Value), "-"))
			}
		case *Attribute:
			l.exprs(e.X)
			l.add("%s", e.Name)
		case *Subscript:
			l.exprs(e.X, e.Index)
		case *Slice:
			l.exprs(e.Low, e.High, e.Step)
		case *Call:
			l.exprs(e.Func)
			l.exprs(e.Args...)
			for _, k := range e.Keywords {
				l.add("%s", k.Name)
				l.exprs(k.Value)
			}
		case *List:
			l.exprs(e.Items...)
		case *Tuple:
			l.exprs(e.Items...)
		case *Dict:
			for i, k := range e.Keys {
				l.exprs(k, e.Values[i])
			}
		case *Unary:
			l.exprs(e.X)
		case *Binary:
			l.exprs(e.X, e.Y)
		case *Compare:
			l.exprs(e.X)
			l.exprs(e.Ys...)
		case *Conditional:
			l.exprs(e.Then, e.Condition, e.Else)
		}
	}
}

func (l *leaves) function(f *Function) {
	l.add("%s", f.Name)
	for _, p := range f.Parameters {
		l.add("%s", p.Name)
		l.exprs(p.Type, p.Default)
	}
	l.exprs(f.Result)
	l.stmts(f.Body)
}

func (l *leaves) stmts(ss []Stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case *Assign:
			l.exprs(s.Targets...)
			l.exprs(s.Type, s.Value)
		case *AugmentedAssign:
			l.exprs(s.Target, s.Value)
		case *ExprStmt:
			l.exprs(s.Value)
		case *Return:
			l.exprs(s.Value)
		case *If:
			l.exprs(s.Condition)
			l.stmts(s.Then)
			l.stmts(s.Else)
		case *While:
			l.exprs(s.Condition)
			l.stmts(s.Body)
		case *For:
			l.exprs(s.Target, s.Iterable)
			l.stmts(s.Body)
		case *With:
			l.exprs(s.Context, s.Target)
			l.stmts(s.Body)
		case *Raise:
			l.exprs(s.Value)
		case *Assert:
			l.exprs(s.Condition, s.Message)
		case *Define:
			l.function(s.Function)
		}
	}
}

// Nothing of a file is lost or out of order: its names and literals are the tree's.
func TestModelCode(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.py")
	require.NoError(t, err)
	require.Len(t, paths, 6)
	for _, path := range paths {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		text := string(source)
		if i := strings.Index(text, "class "); i > 0 {
			text = strings.Repeat("\n", strings.Count(text[:i], "\n")) + text[i:]
		}
		file, err := Parse(path, text)
		require.NoError(t, err)
		var got leaves
		for _, c := range file.Classes {
			got.add("%s", c.Name)
			if c.Base != "" {
				got.add("%s", c.Base)
			}
			for _, f := range c.Fields {
				got.add("%s", f.Name)
				got.exprs(f.Type, f.Value)
			}
			for _, m := range c.Methods {
				got.function(m)
			}
		}
		for _, f := range file.Functions {
			got.function(f)
		}
		assert.Equal(t, wantLeaves(path, text), []string(got), path)
	}
}

func wantLeaves(path, source string) []string {
	var want leaves
	l := newLexer(path, source)
	for t := l.next(); t.kind != endOfFile; t = l.next() {
		switch {
		case t.kind == name && t.text != "__annotations__" && !keywords[t.text]:
			want.add("%s", t.text)
		case t.kind == number:
			want.add("%v", strings.TrimPrefix(fmt.Sprint(parseNumber(Position{}, t.text)), "-"))
		case t.kind == text:
			want.add("%s", unquote(Position{}, t.text))
		}
	}
	return want
}
