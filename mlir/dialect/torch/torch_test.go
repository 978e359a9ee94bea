package torch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/dialect/torch"
)

// However a type is spelled, it is one type.
func TestSpelling(t *testing.T) {
	for text, want := range map[string]string{
		"!torch.vtensor<[2, 3], f32>":               "!torch.vtensor<[2,3],f32>",
		"!torch.vtensor<[-1,?],si64>":               "!torch.vtensor<[?,?],si64>",
		"!torch.vtensor<unk, unk>":                  "!torch.vtensor",
		"!torch.tensor<*, f32>":                     "!torch.tensor<*,f32>",
		"!torch.vtensor<[],!torch.qint8>":           "!torch.vtensor<[],!torch.qint8>",
		"!torch.list<!torch.optional<!torch.int>>":  "!torch.list<optional<int>>",
		"!torch.tuple<int,list<vtensor<[2], f32>>>": "!torch.tuple<int, list<vtensor<[2],f32>>>",
		`!torch.nn.Module<"a b">`:                   `!torch.nn.Module<"a b">`,
	} {
		got, err := mlir.ParseType(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got.String())
		again, err := mlir.ParseType(got.String())
		require.NoError(t, err, want)
		require.True(t, mlir.SameType(got, again), want)
	}
}

func TestSubtypes(t *testing.T) {
	for pair, want := range map[string]bool{
		"int : optional<int>": true, "none : optional<int>": true, "float : optional<int>": false,
		"int : number": true, "bool : number": false, "optional<int> : union<float, int, none>": true,
		"vtensor<[2],f32> : vtensor<[?],f32>": true, "vtensor<[?],f32> : vtensor<[2],f32>": false,
		"vtensor<[2],f32> : vtensor<*,f32>": true, "vtensor<[2],f32> : tensor": false,
		"tuple<int, int> : tuple<number, int>": true, "tuple<int> : tuple<int, int>": false,
	} {
		a, b, _ := strings.Cut(pair, " : ")
		require.Equal(t, want, torch.IsSubtype(torch.Type(a), torch.Type(b)), pair)
	}
}

// Attributes that upstream sorts keep their order here.
func TestMethods(t *testing.T) {
	text := "module {\n  func.func private @f(%arg0: !torch.nn.Module<\"net\">) {\n    return\n  }\n  torch.class_type @net {\n    torch.method \"forward\", @f\n" +
		"    torch.method private \"helper\", @f\n  }\n}\n"
	module, err := mlir.Parse("net.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	require.Equal(t, text, module.Text(mlir.PrintOptions{Pretty: true}))
}
