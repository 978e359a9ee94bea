package docs_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every public name of these packages has a sentence that says what it is or does.
func TestEverythingIsDescribed(t *testing.T) {
	for _, dir := range []string{"tensor", "tensor/nn", "tensor/optim", "tensor/data", "tensor/train", "lazy"} {
		names := 0
		check := func(name, text string) {
			names++
			if problem := undescribed(name, text); problem != "" {
				t.Errorf("%s.%s %s: %q", dir, name, problem, text)
			}
		}
		p := documentation(t, filepath.Join("..", filepath.FromSlash(dir)))
		require.NotEmpty(t, p.Doc, dir)
		functions := func(list []*doc.Func, owner string) {
			for _, f := range list {
				if f.Name != "String" && f.Name != "Error" && f.Name != "Unwrap" && f.Name != "GoString" {
					check(owner+f.Name, f.Doc)
				}
			}
		}
		values := func(list []*doc.Value) {
			for _, v := range list {
				for i, spec := range v.Decl.Specs {
					s := spec.(*ast.ValueSpec)
					if text := v.Doc + s.Doc.Text() + s.Comment.Text(); ast.IsExported(s.Names[0].Name) && (i == 0 || text == "") {
						check(s.Names[0].Name, text)
					}
				}
			}
		}
		functions(p.Funcs, "")
		values(p.Consts)
		values(p.Vars)
		for _, typ := range p.Types {
			check(typ.Name, typ.Doc+grouped(typ))
			functions(typ.Funcs, "")
			functions(typ.Methods, typ.Name+".")
			values(typ.Consts)
			values(typ.Vars)
		}
		require.Greater(t, names, 5, dir)
	}
}

// grouped is the comment of a type that is declared with others.
func grouped(typ *doc.Type) string {
	for _, spec := range typ.Decl.Specs {
		if s := spec.(*ast.TypeSpec); s.Name.Name == typ.Name && len(typ.Decl.Specs) > 1 {
			return s.Doc.Text()
		}
	}
	return ""
}

// undescribed says what a comment lacks: a sentence of more words than the name.
func undescribed(name, text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	first = strings.Join(strings.Fields(first), " ")
	short := name[strings.LastIndexByte(name, '.')+1:]
	if first == "" {
		return "has no comment"
	}
	words := strings.Fields(first)
	rest := len(words)
	if words[0] == short {
		rest--
	}
	switch {
	case strings.HasPrefix(first, short+" is aten."):
		return "says only which operator it is"
	case rest < 2 || strings.HasPrefix(first, short+" implements [") && strings.HasSuffix(first, "]."):
		return "has no sentence"
	case !strings.ContainsAny(first[len(first)-1:], ".:") && !strings.ContainsAny(first, ".:"):
		return "has a sentence without an end"
	}
	return ""
}

func documentation(t *testing.T, dir string) *doc.Package {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != dir:
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		files = append(files, f)
		return err
	}))
	p, err := doc.NewFromFiles(fset, files, dir)
	require.NoError(t, err)
	return p
}

func TestUndescribed(t *testing.T) {
	require.Empty(t, undescribed("T.Add", "Add returns x + y."))
	require.NotEmpty(t, undescribed("Add", ""))
	require.NotEmpty(t, undescribed("Add", "Add adds."))
	require.NotEmpty(t, undescribed("T.Add", "Add implements [Adder]."))
	require.NotEmpty(t, undescribed("Add", "Add is aten.add.Tensor:\n\n\tadd"))
}
