package acap_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestImportsAreGrouped: an empty line parts the imports of the standard library, of other modules, and of this module,
// which stand in this order.
func TestImportsAreGrouped(t *testing.T) {
	for _, path := range textFiles(t) {
		if filepath.Ext(path) != ".go" {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		var last *ast.ImportSpec
		for _, spec := range file.Imports {
			if last != nil {
				lines := set.Position(spec.Pos()).Line - set.Position(last.End()).Line
				before, here := origin(t, last), origin(t, spec)
				assert.LessOrEqual(t, before, here, "%s: %s stands behind %s", path, spec.Path.Value, last.Path.Value)
				assert.True(t, before == here || lines > 1, "%s: no empty line in front of %s", path, spec.Path.Value)
			}
			last = spec
		}
	}
}

// origin is 0 for a package of the standard library, 1 for a package of another module, 2 for a package of this module.
func origin(t *testing.T, spec *ast.ImportSpec) int {
	path, err := strconv.Unquote(spec.Path.Value)
	require.NoError(t, err)
	first, _, _ := strings.Cut(path, "/")
	switch {
	case path == module || strings.HasPrefix(path, module+"/"):
		return 2
	case strings.Contains(first, "."):
		return 1
	}
	return 0
}
