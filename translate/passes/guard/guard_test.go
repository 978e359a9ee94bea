package guard_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/guard"
)

// TestNamesRefused: guards are texts, one for each two results of one type.
func TestNamesRefused(t *testing.T) {
	for _, c := range []struct{ guards, results, want string }{
		{`["a"]`, "%m, %m : tensor<3xi1>, tensor<3xi1>", ""},
		{`["a"]`, "%m, %x : tensor<3xi1>, tensor<3xf32>", "element 0 is no text of two results of one type"},
		{`["a", 7 : i64]`, "%m, %m, %x, %x : tensor<3xi1>, tensor<3xi1>, tensor<3xf32>, tensor<3xf32>", "element 1 is no text of two results of one type"},
		{`["a", "b"]`, "%m, %m : tensor<3xi1>, tensor<3xi1>", "needs a text for each two results"},
		{`"a"`, "%m, %m : tensor<3xi1>, tensor<3xi1>", "needs a text for each two results"},
	} {
		_, types, _ := strings.Cut(c.results, " : ")
		module, err := mlir.Parse("guards.mlir", []byte(`func.func @guards(%x: tensor<3xf32>, %m: tensor<3xi1>) -> (`+types+`) attributes {acap.guards = `+c.guards+`} {
  return `+c.results+`
}`))
		require.NoError(t, err)
		names, err := guard.Names(guard.Find(module))
		if c.want == "" {
			require.NoError(t, err)
			require.Equal(t, []string{"a"}, names)
			continue
		}
		require.ErrorContains(t, err, c.want, c.guards)
	}
}

// TestWithoutGuards: a module without the function, and one whose function of the name is another, has no guards.
func TestWithoutGuards(t *testing.T) {
	for _, text := range []string{"func.func @main() {\n  return\n}", "func.func @guards() {\n  return\n}"} {
		module, err := mlir.Parse("plain.mlir", []byte(text))
		require.NoError(t, err)
		require.Nil(t, guard.Find(module))
		require.Nil(t, guard.Take(module))
		require.Len(t, module.Funcs(), 1)
	}
}
