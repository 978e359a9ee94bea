package simplify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// merged runs a pass on the body of a function of x and y [4], and of numbers n and m, and returns the function.
func merged(t *testing.T, body string) *mlir.Operation {
	t.Helper()
	module, err := mlir.Parse("cse.mlir", []byte("func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %p: i1, %n: index, %m: index) {\n"+body+"\nreturn\n}"))
	require.NoError(t, err, body)
	require.NoError(t, simplify.CSE(module))
	require.NoError(t, mlir.Verify(module), body)
	return module.Func("main")
}

// count counts the operations of a name, those in regions too.
func count(f *mlir.Operation, name string) (n int) {
	f.Walk(func(op *mlir.Operation) {
		if op.Name == name {
			n++
		}
	})
	return n
}

// twins are a text and one that differs from it, which no merge may overlook, or does not differ in what is computed.
var twins = []struct {
	name, first, second string
	same                bool
}{
	{"equal", `arith.addf %x, %y : tensor<4xf32>`, `arith.addf %x, %y : tensor<4xf32>`, true},
	{"order of operands", `arith.addf %x, %y : tensor<4xf32>`, `arith.addf %y, %x : tensor<4xf32>`, false},
	{"operation", `arith.addf %x, %y : tensor<4xf32>`, `arith.subf %x, %y : tensor<4xf32>`, false},
	{"attribute", `arith.cmpi eq, %n, %m : index`, `arith.cmpi ne, %n, %m : index`, false},
	{"same attribute", `arith.cmpi eq, %n, %m : index`, `arith.cmpi eq, %n, %m : index`, true},
	{"another attribute", `"aten.sum"(%x) : (tensor<4xf32>) -> tensor<f32>`, `"aten.sum"(%x) {dtype = 6} : (tensor<4xf32>) -> tensor<f32>`, false},
	{"constant", `arith.constant dense<[1.0, 2.0]> : tensor<2xf32>`, `arith.constant dense<[1.0, 2.0]> : tensor<2xf32>`, true},
	{"other elements", `arith.constant dense<[1.0, 2.0]> : tensor<2xf32>`, `arith.constant dense<[1.0, 3.0]> : tensor<2xf32>`, false},
	{"other shape", `arith.constant dense<1.0> : tensor<2xf32>`, `arith.constant dense<1.0> : tensor<3xf32>`, false},
	{"result type", `arith.index_cast %n : index to i32`, `arith.index_cast %n : index to i64`, false},
	{"in place", `"aten.relu_"(%x) : (tensor<4xf32>) -> tensor<4xf32>`, `"aten.relu_"(%x) : (tensor<4xf32>) -> tensor<4xf32>`, false},
	{"body", generate("%i"), generate("%i"), true},
	{"operand of a body", generate("%i"), generate("%n"), false},
	{"value from outside", generate("%n"), generate("%m"), false},
	{"same value from outside", generate("%n"), generate("%n"), true},
	{"what a body yields", branch("%n", "%m"), branch("%m", "%m"), false},
	{"another region", branch("%n", "%m"), branch("%n", "%n"), false},
	{"regions", branch("%n", "%m"), branch("%n", "%m"), true},
	{"constants in bodies", strings.Replace(generate("%i"), "tensor.yield", "%k = arith.constant 1 : index\ntensor.yield", 1),
		strings.Replace(generate("%i"), "tensor.yield", "%k = arith.constant 2 : index\ntensor.yield", 1), false},
	{"names in bodies", generate("%i"), strings.ReplaceAll(generate("%i"), "%i", "%other"), true},
	{"longer body", generate("%i"), strings.Replace(generate("%i"), "tensor.yield", "%k = arith.constant 1 : index\ntensor.yield", 1), false},
}

func generate(what string) string {
	return "tensor.generate {\n^bb0(%i: index):\n%v = arith.addi " + what + ", %i : index\ntensor.yield %v : index\n} : tensor<4xindex>"
}

func branch(yes, no string) string {
	return "scf.if %p -> (index) {\nscf.yield " + yes + " : index\n} else {\nscf.yield " + no + " : index\n}"
}

// TestTwins: two operations are one afterwards if they compute the same, and only then.
func TestTwins(t *testing.T) {
	for _, c := range twins {
		name := strings.Fields(strings.Trim(c.first, `"`))[0]
		name, _, _ = strings.Cut(name, `"`)
		want := 2
		if c.same {
			want = 1
		}
		body := "%1 = " + c.first + "\n%2 = " + c.second
		f := merged(t, body)
		other := strings.Fields(strings.Trim(c.second, `"`))[0]
		other, _, _ = strings.Cut(other, `"`)
		n := count(f, name)
		if other != name {
			n += count(f, other)
		}
		require.Equal(t, want, n-nested(c.first, c.second, name), "%s\n%s", c.name, f)
	}
}

// nested is how many constants stand in bodies where constants are counted.
func nested(first, second, name string) int {
	if name != "arith.constant" {
		return 0
	}
	return strings.Count(first+second, name) - 2
}

// TestMergedUses: what used the second of two equal operations uses the first, also in regions and in what is
// merged because of that.
func TestMergedUses(t *testing.T) {
	f := merged(t, `%a = arith.addi %n, %m : index
		%b = arith.addi %n, %m : index
		%c = arith.muli %a, %a : index
		%d = arith.muli %b, %a : index
		%e = scf.if %p -> (index) {
			%g = arith.remsi %b, %b : index
			scf.yield %g : index
		} else {
			scf.yield %d : index
		}
		%h = scf.if %p -> (index) {
			%g = arith.remsi %a, %b : index
			scf.yield %g : index
		} else {
			scf.yield %c : index
		}
		%i = arith.subi %e, %h : index`)
	require.Equal(t, 1, count(f, "arith.addi"))
	require.Equal(t, 1, count(f, "arith.muli"))
	require.Equal(t, 1, count(f, "scf.if"))
	last := f.Body().Ops[len(f.Body().Ops)-2]
	require.Equal(t, "arith.subi", last.Name)
	require.Same(t, last.Operands[0], last.Operands[1])
}

// TestMergedPaths: an operation stands for those behind it on every path, and for no others.
func TestMergedPaths(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"a branch is before nothing", `%e = scf.if %p -> (index) {
				%a = arith.addi %n, %m : index
				scf.yield %a : index
			} else {
				%b = arith.addi %n, %m : index
				scf.yield %b : index
			}
			%c = arith.addi %n, %m : index`, 3},
		{"what is before a branch is before it", `%c = arith.addi %n, %m : index
			%e = scf.if %p -> (index) {
				%a = arith.addi %n, %m : index
				scf.yield %a : index
			} else {
				scf.yield %n : index
			}`, 1},
		{"blocks that one dominates", `%a = arith.addi %n, %m : index
				cf.cond_br %p, ^one, ^two
			^one:
				%b = arith.addi %n, %m : index
				cf.br ^two
			^two:
				%c = arith.addi %n, %m : index
				cf.br ^end
			^end:`, 1},
		{"blocks that none dominates", `cf.cond_br %p, ^one, ^two
			^one:
				%b = arith.addi %n, %m : index
				cf.br ^end
			^two:
				%c = arith.addi %n, %m : index
				cf.br ^end
			^end:
				%d = arith.addi %n, %m : index
				%e = arith.addi %n, %m : index`, 3},
	} {
		require.Equal(t, c.want, count(merged(t, c.text), "arith.addi"), c.name)
	}
	module, err := mlir.Parse("two.mlir", []byte(`func.func @a(%n: index) -> index {
			%a = arith.constant 7 : index
			return %a : index
		}
		func.func @b(%n: index) -> index {
			%a = arith.constant 7 : index
			%b = arith.constant 7 : index
			return %b : index
		}`))
	require.NoError(t, err)
	require.NoError(t, simplify.CSE(module))
	require.NoError(t, mlir.Verify(module), "a function takes nothing from another")
	require.Equal(t, 1, count(module.Func("a"), "arith.constant"))
	require.Equal(t, 1, count(module.Func("b"), "arith.constant"))
}

// TestDigests: the digests of twins are equal if nothing differs, whatever is in their regions and blocks.
func TestDigests(t *testing.T) {
	digest := func(body, context string) mlir.Digest {
		module, err := mlir.Parse("any.mlir", []byte("func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %p: i1, %n: index, %m: index) {\n"+body+"\nreturn\n}"))
		require.NoError(t, err, body)
		return mlir.DigestOf(module.Funcs()[0], context)
	}
	for _, c := range twins {
		equal := c.first == c.second || c.name == "names in bodies"
		require.Equal(t, equal, digest("%1 = "+c.first, "") == digest("%1 = "+c.second, ""), c.name)
	}
	require.NotEqual(t, digest("", ""), digest("", "another context"))
	const blocks = "cf.cond_br %p, ^one(%n : index), ^two(%m : index)\n^one(%a: index):\ncf.br ^end\n^two(%b: index):\ncf.br ^end\n^end:"
	seen := map[mlir.Digest]string{digest(blocks, ""): "as it is"}
	for name, change := range map[string][2]string{"targets": {"^one(%n : index), ^two(%m : index)", "^two(%n : index), ^one(%m : index)"},
		"arguments": {"^one(%n : index)", "^one(%m : index)"}, "the way out of one": {"^one(%a: index):\ncf.br ^end", "^one(%a: index):\ncf.br ^two(%n : index)"},
		"the condition": {"cf.cond_br %p", "%q = arith.constant true\ncf.cond_br %q"}} {
		require.Contains(t, blocks, change[0])
		d := digest(strings.Replace(blocks, change[0], change[1], 1), "")
		require.Empty(t, seen[d], name)
		seen[d] = name
	}
	require.Equal(t, digest(blocks, ""), digest(strings.NewReplacer("^one", "^other", "%a", "%first").Replace(blocks), ""))
	for _, pair := range [][2]string{
		{"%1 = arith.addi %n, %m : index\n%2 = arith.addi %n, %1 : index", "%1 = arith.addi %n, %m : index\n%2 = arith.addi %1, %n : index"},
		{"%1 = arith.addi %n, %m : index\n%2 = arith.muli %1, %1 : index", "%1 = arith.addi %n, %m : index\n%2 = arith.muli %n, %n : index"},
	} {
		require.NotEqual(t, digest(pair[0], ""), digest(pair[1], ""))
	}
}
