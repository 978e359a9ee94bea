package acap_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// long lists the tests that do more with ACAP_LONG=1, by folder and function, and why they take long. An entry that begins
// with "only" is of a test that a usual run skips.
var long = map[string]string{
	"bench.TestPipelineOverBatch":            "only: eight images through two networks, in every way to share an array, which is a figure and no property",
	"bench.TestTimesAgree":                   "every model on every array; a usual run has each model on two",
	"tensor/distributed.TestCollectives":     "tensors of ten million elements",
	"tensor/distributed/mpi.TestCollectives": "every number of ranks, as processes",
	"tensor/distributed/mpi.runProgram":      "the programs may take an hour",
	"tensor/distributed/mpi.sizes":           "tensors of ten million elements",
}

// TestLong holds the list against what asks package longtest. Nothing else may read its variable.
func TestLong(t *testing.T) {
	const path = module + "/base/longtest"
	found := map[string]bool{} // whether a usual run skips it
	require.NoError(t, filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "base/longtest/") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		require.NotContains(t, literals(file), `"ACAP_LONG"`, "%s reads the variable of package longtest", name)
		if !slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+path+`"` }) {
			return nil
		}
		for _, d := range file.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "longtest" {
						key := filepath.ToSlash(filepath.Dir(name)) + "." + function.Name.Name
						found[key] = found[key] || s.Sel.Name == "Only"
					}
				}
				return true
			})
		}
		return nil
	}))
	require.Equal(t, slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(long)))
	for key, only := range found {
		require.Equal(t, only, strings.HasPrefix(long[key], "only: "), key)
		require.NotEmpty(t, strings.TrimPrefix(long[key], "only: "), key)
	}
}

// literals returns the strings and numbers of a file.
func literals(file *ast.File) (list []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok {
			list = append(list, l.Value)
		}
		return true
	})
	return list
}
