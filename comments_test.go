package acap_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docLink is a reference in a comment: [Type], [Type.Method], [package.Type] or [package.Type.Method], perhaps behind a
// star.
var docLink = regexp.MustCompile(`[ (\n]\[\*?((?:[a-z]\w*\.)?[A-Z]\w*[a-z]\w*(?:\.\w+)?)\]`)

// TestComments: a comment that begins with a name begins with the name of what it describes, and references in comments
// lead to declarations.
func TestComments(t *testing.T) {
	c := readDeclarations(t)
	links := 0
	for path, f := range c.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				c.begins(t, n.Name, n.Doc, n.Name.Name != "init")
				return false
			case *ast.GenDecl:
				for _, s := range n.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						c.begins(t, s.Name, cmp.Or(s.Doc, n.Doc), len(n.Specs) == 1)
					case *ast.ValueSpec:
						if len(n.Specs) == 1 {
							c.begins(t, s.Names[0], n.Doc, true)
						}
					}
				}
			case *ast.Field:
				if len(n.Names) > 0 {
					c.begins(t, n.Names[0], n.Doc, false)
				}
			}
			return true
		})
		for _, g := range f.Comments {
			for line := range strings.Lines(g.Text()) {
				for _, m := range docLink.FindAllStringSubmatch(" "+line, -1) {
					links++
					assert.True(t, line[0] == '\t' || c.known(filepath.Dir(path), f, m[1]), "%s: [%s] is no declaration", c.set.Position(g.Pos()), m[1])
				}
			}
		}
	}
	require.Greater(t, links, 1000)
}

// declarations are the names that comments may speak of.
type declarations struct {
	set   token.FileSet
	files map[string]*ast.File       // that are no tests, by their paths
	in    map[string]map[string]bool // by folder: Name, Type.Method and Type.Field; Type.* if a type has more than its own
	of    map[string][]string        // the folders of packages with a name
}

func readDeclarations(t *testing.T) *declarations {
	c := &declarations{files: map[string]*ast.File{}, in: map[string]map[string]bool{}, of: map[string][]string{}}
	require.NoError(t, filepath.WalkDir(".", func(path string, e os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != "." && (e.Name()[0] == '.' || e.Name()[0] == '_' || e.Name() == "testdata"):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(&c.set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil {
			c.files[path] = f
			c.add(filepath.Dir(path), f)
		}
		return err
	}))
	return c
}

func (c *declarations) add(dir string, f *ast.File) {
	if c.in[dir] == nil {
		c.in[dir] = map[string]bool{}
		c.of[f.Name.Name] = append(c.of[f.Name.Name], dir)
	}
	names := c.in[dir]
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			names[name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				case *ast.TypeSpec:
					names[s.Name.Name] = true
					addMembers(names, s)
				}
			}
		}
	}
}

func addMembers(names map[string]bool, s *ast.TypeSpec) {
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		names[s.Name.Name+".*"] = true
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			names[s.Name.Name+"."+n.Name] = true
		}
		if len(f.Names) == 0 {
			names[s.Name.Name+".*"] = true
		}
	}
}

// receiver returns the name of the type of a receiver.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// known reports whether a reference in a file leads to a declaration of the module, or to a package outside of it.
func (c *declarations) known(dir string, f *ast.File, link string) bool {
	has := func(dir, name string) bool {
		typ, _, member := strings.Cut(name, ".")
		return c.in[dir][name] || member && c.in[dir][typ+".*"]
	}
	if has(dir, link) {
		return true
	}
	pkg, name, _ := strings.Cut(link, ".")
	for _, other := range c.of[pkg] {
		if has(other, name) {
			return true
		}
	}
	return unicode.IsLower(rune(pkg[0])) && c.of[pkg] == nil
}

// begins checks the first word of a comment: it is the name, or, if it may be any word, at least no other spelling of
// the name. Every comment of a declaration that begins with a lower-case word begins with a name.
func (c *declarations) begins(t *testing.T, name *ast.Ident, doc *ast.CommentGroup, whole bool) {
	words := strings.FieldsFunc(doc.Text(), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 || words[0] == name.Name {
		return
	}
	lower := whole && unicode.IsLower([]rune(doc.Text())[0])
	assert.False(t, lower || strings.EqualFold(words[0], name.Name), "%s: the comment of %s begins with %q", c.set.Position(name.Pos()), name.Name, words[0])
}
