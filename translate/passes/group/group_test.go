package group_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/group"
)

// but supports what the engine does, except some operations.
func but(names ...string) func(*mlir.Operation) error {
	return func(op *mlir.Operation) error {
		if slices.Contains(names, op.Name) {
			return errors.New("not wanted")
		}
		return group.Supported(op)
	}
}

// grouped divides the module of a text and verifies it.
func grouped(t *testing.T, text string, how group.Grouping) (module *mlir.Operation, groups []*mlir.Operation) {
	t.Helper()
	module, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	groups = group.Group(module, how)
	require.NoError(t, mlir.Verify(module), "a group is called before what it needs")
	return module, groups
}

// names lists the operations of a function but for what starts and ends it.
func names(f *mlir.Operation) []string {
	var list []string
	for _, op := range f.Body().Ops {
		if op.Name != "arith.constant" && op.Name != "func.return" {
			list = append(list, op.Name)
		}
	}
	return list
}

// random writes a function of pointwise operations, some of which nothing supports.
func random(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n" +
		"  %c = arith.constant dense<2.0> : tensor<4xf32>\n")
	value := func(i int) string {
		switch k := r.IntN(i + 2); k {
		case i:
			return "%x"
		case i + 1:
			return "%c"
		default:
			return fmt.Sprintf("%%%d", k)
		}
	}
	for i := range n {
		name := []string{"aten.mul.Tensor", "aten.maximum", "aten.hypot"}[r.IntN(3)]
		fmt.Fprintf(&b, "  %%%d = %q(%s, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n", i, name, value(i), value(i))
	}
	fmt.Fprintf(&b, "  return %%%d, %%%d : tensor<4xf32>, tensor<4xf32>\n}\n", n-1, r.IntN(n))
	return b.String()
}

// line is where an operation stood.
func line(op *mlir.Operation) int { return op.Loc.Line }

// lines are the lines of the operations of a function.
func lines(f *mlir.Operation) []int {
	var list []int
	for _, op := range f.Body().Ops {
		list = append(list, line(op))
	}
	return list
}

// TestRandomGroups: every operation is in one place, but for what follows from constants alone, no group
// comes before what it needs, and no two groups could be one.
func TestRandomGroups(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := random(r, 1+r.IntN(40))
		for _, separate := range []bool{false, true} {
			module, groups := grouped(t, text, group.Grouping{Supports: but("aten.hypot"), Separate: separate})
			main := module.Func("main")
			places := lines(main)
			for _, g := range groups {
				if g != main {
					places = append(places, lines(g)...)
				}
				require.NotContains(t, names(g), "aten.hypot")
			}
			counted := map[int]int{}
			for _, line := range places {
				counted[line]++
			}
			source, err := mlir.Parse("test.mlir", []byte(text))
			require.NoError(t, err)
			constant := map[*mlir.Operation]bool{}
			for _, op := range source.Func("main").Body().Ops {
				constant[op] = !slices.ContainsFunc(op.Operands, func(v *mlir.Value) bool { return !constant[v.Def] })
				switch {
				case op.Name == "arith.constant" || op.Name == "func.return":
				case constant[op]:
					require.Positive(t, counted[line(op)], "%s of\n%s", op, text)
				default:
					require.Equal(t, 1, counted[line(op)], "%s of\n%s", op, text)
				}
			}
			if len(groups) == 0 || groups[0] != main {
				apart(t, main, separate, text)
			}
		}
	}
}

// apart checks that each two groups have a path between them that leads through something else; if
// they are to be separate, only those that pass values to each other.
func apart(t *testing.T, main *mlir.Operation, separate bool, text string) {
	t.Helper()
	list := main.Body().Ops
	direct := map[[2]int]bool{}
	path := map[[2]int]bool{} // through something else
	at := map[*mlir.Operation]int{}
	for i, op := range list {
		at[op] = i
		for _, v := range op.Operands {
			if v.Def != nil {
				direct[[2]int{at[v.Def], i}] = true
			}
		}
	}
	for i := range list {
		for k := i - 1; k >= 0; k-- {
			for m := k + 1; m < i; m++ {
				reaches := direct[[2]int{k, m}] || path[[2]int{k, m}]
				if reaches && (direct[[2]int{m, i}] || path[[2]int{m, i}]) {
					path[[2]int{k, i}] = true
				}
			}
		}
	}
	for i, b := range list {
		for k, a := range list[:i] {
			if a.Name == "func.call" && b.Name == "func.call" && (!separate || direct[[2]int{k, i}]) {
				require.True(t, path[[2]int{k, i}], "groups %d and %d could be one:\n%s\nof\n%s", k, i, main, text)
			}
		}
	}
}

// TestSmallGroups: Torch Blade's rule of three.
func TestSmallGroups(t *testing.T) {
	const text = `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "aten.sqrt"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "aten.neg"(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %c = arith.constant dense<2.0> : tensor<4xf32>
  %4 = "aten.mul.Tensor"(%3, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = "aten.relu"(%4) : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}`
	for least, want := range map[int][]int{0: {2, 3}, 2: {2, 3}, 3: {3}, 4: nil} {
		_, groups := grouped(t, text, group.Grouping{Supports: but("aten.sqrt"), MinNodes: least})
		var sizes []int
		for _, g := range groups {
			sizes = append(sizes, len(names(g)))
		}
		require.Equal(t, want, sizes, "constants do not count; at least %d", least)
	}
	_, groups := grouped(t, text, group.Grouping{MinNodes: 7})
	require.Empty(t, groups, "a function as a whole is a group only if it is large enough")
	_, groups = grouped(t, text, group.Grouping{MinNodes: 6})
	require.Len(t, groups, 1)
}

// TestNumbers: a number does not cross the border of a group. What takes or gives one to the host
// stays with the host; what passes one inside stays together.
func TestNumbers(t *testing.T) {
	const text = `func.func @main(%x: tensor<f32>, %y: tensor<f32>, %n: f32) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %a = "aten.neg"(%x) : (tensor<f32>) -> tensor<f32>
  %s = tensor.extract %a[] : tensor<f32>
  %t = arith.addf %s, %s : f32
  %u = tensor.from_elements %t : tensor<f32>
  %b = "aten.neg"(%u) : (tensor<f32>) -> tensor<f32>
  %p = tensor.extract %y[] : tensor<f32>
  %q = arith.addf %p, %n : f32
  %r = tensor.from_elements %q : tensor<f32>
  %k = tensor.extract %y[] : tensor<f32>
  %l = math.sqrt %k : f32
  %m = tensor.from_elements %l : tensor<f32>
  return %b, %r, %m : tensor<f32>, tensor<f32>, tensor<f32>
}`
	module, groups := grouped(t, text, group.Grouping{Supports: but("math.sqrt")})
	require.Len(t, groups, 1)
	require.Equal(t, []string{"aten.neg", "tensor.extract", "arith.addf", "tensor.from_elements", "aten.neg"}, names(groups[0]))
	require.ElementsMatch(t, []string{"tensor.extract", "arith.addf", "tensor.from_elements",
		"tensor.extract", "math.sqrt", "tensor.from_elements", "func.call"}, names(module.Func("main")))
}

// TestTiedAround: what a number ties together cannot be a group if the host comes in between.
func TestTiedAround(t *testing.T) {
	_, groups := grouped(t, `func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = "aten.neg"(%x) : (tensor<f32>) -> tensor<f32>
  %s = tensor.extract %a[] : tensor<f32>
  %h = "aten.sqrt"(%a) : (tensor<f32>) -> tensor<f32>
  %u = tensor.insert %s into %h[] : tensor<f32>
  %b = "aten.neg"(%u) : (tensor<f32>) -> tensor<f32>
  return %b : tensor<f32>
}`, group.Grouping{Supports: but("aten.sqrt")})
	var sizes []int
	for _, g := range groups {
		sizes = append(sizes, len(names(g)))
	}
	require.Equal(t, []int{1, 3}, sizes, "extract, insert and the second neg wait for the host")

	module, groups := grouped(t, `func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %s = tensor.extract %x[] : tensor<f32>
  %t = tensor.from_elements %s : tensor<f32>
  %h = "aten.sqrt"(%t) : (tensor<f32>) -> tensor<f32>
  %u = tensor.insert %s into %h[] : tensor<f32>
  return %u : tensor<f32>
}`, group.Grouping{Supports: but("aten.sqrt")})
	require.Empty(t, groups, "the host comes between operations that would have to be one group")
	require.Len(t, names(module.Func("main")), 4)
}

// TestRefused: what the device takes and no group has is told of, with the reason; nothing else is.
func TestRefused(t *testing.T) {
	module, err := mlir.Parse("test.mlir", []byte(`func.func @main(%x: tensor<f32>, %n: f32) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %c = arith.constant dense<2.0> : tensor<f32>
  %e = "aten.exp"(%c) : (tensor<f32>) -> tensor<f32>
  %a = "aten.neg"(%x) : (tensor<f32>) -> tensor<f32>
  %b = "aten.mul.Tensor"(%a, %e) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %h = "aten.sqrt"(%b) : (tensor<f32>) -> tensor<f32>
  %u = tensor.insert %n into %h[] : tensor<f32>
  %s = tensor.extract %x[] : tensor<f32>
  %t = tensor.from_elements %s : tensor<f32>
  %i = "aten.sqrt"(%t) : (tensor<f32>) -> tensor<f32>
  %v = tensor.insert %s into %i[] : tensor<f32>
  %1 = "aten.tanh"(%h) : (tensor<f32>) -> tensor<f32>
  %2 = "aten.neg"(%1) : (tensor<f32>) -> tensor<f32>
  %3 = "aten.relu"(%2) : (tensor<f32>) -> tensor<f32>
  %4 = "aten.exp"(%3) : (tensor<f32>) -> tensor<f32>
  return %u, %v, %4 : tensor<f32>, tensor<f32>, tensor<f32>
}`))
	require.NoError(t, err)
	have := map[string]string{}
	groups := group.Group(module, group.Grouping{Supports: but("aten.sqrt"), MinNodes: 4,
		Refused: func(op *mlir.Operation, why error) { have[op.Name] = why.Error() }})
	require.Len(t, groups, 1)
	const small = "its group (aten.exp, aten.neg, aten.mul.Tensor) has 3 of the 4 operations that a group needs"
	const around = "the host comes between the operation and another one that exchanges a number with it"
	require.Equal(t, map[string]string{"aten.exp": "the host reads it", "aten.neg": small, "aten.mul.Tensor": small,
		"tensor.extract": around, "tensor.from_elements": around, "tensor.insert": around}, have)

	have = map[string]string{}
	grouped(t, `func.func @main(%x: tensor<f32>, %n: f32) -> tensor<f32> {
  %u = tensor.insert %n into %x[] : tensor<f32>
  %1 = "aten.sqrt"(%u) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}`, group.Grouping{Supports: but("aten.sqrt"), Refused: func(op *mlir.Operation, why error) { have[op.Name] = why.Error() }})
	require.Equal(t, map[string]string{"tensor.insert": "a number, or another value that is no tensor of known extents, " +
		"would cross the border of its group"}, have)
}

// TestWrites: an operation that writes its operand keeps its place among the readers of the operand and of its views.
func TestWrites(t *testing.T) {
	module, groups := grouped(t, `func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3xf32>) {
  %v = "aten.t"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %a = "aten.neg"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %w = "aten.relu_"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "aten.neg"(%v) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %a, %b, %w : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3xf32>
}`, group.Grouping{})
	require.Len(t, groups, 2, "the write is between them")
	require.Equal(t, []string{"func.call", "aten.relu_", "func.call"}, names(module.Func("main")))
	require.Equal(t, []string{"aten.t", "aten.neg"}, names(groups[0]))
	require.Equal(t, []string{"aten.neg"}, names(groups[1]))
}

// TestConstantsGoAlong: a constant is cloned into each group and is no input.
func TestConstantsGoAlong(t *testing.T) {
	module, groups := grouped(t, `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<2.0> : tensor<2xf32>
  %a = "aten.mul.Tensor"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %h = "aten.sqrt"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %b = "aten.mul.Tensor"(%h, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}`, group.Grouping{Supports: but("aten.sqrt")})
	require.Len(t, groups, 2)
	for _, g := range groups {
		require.Equal(t, "arith.constant", g.Body().Ops[0].Name)
		require.Len(t, g.Body().Args, 1)
	}
	require.NotContains(t, module.Func("main").String(), "arith.constant")
}

// TestCarried: a value of constants alone and an argument that is only rearranged are computed inside each group that
// reads them, which thereby knows its weights for constants. They count as operations of the group. A value that the
// host reads as well is computed in its place.
func TestCarried(t *testing.T) {
	const text = `func.func @main(%x: tensor<2x3xf32>, %v: tensor<3x3xf32>) -> tensor<2x3xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %s = "aten.mul.Scalar"(%w) {other = 2.0 : f64} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %t = "aten.t"(%s) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %u = "aten.t"(%v) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %a = "aten.mm"(%x, %t) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %h = "aten.sqrt"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "aten.mm"(%h, %t) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %c = "aten.mm"(%b, %u) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}`
	module, groups := grouped(t, text, group.Grouping{Supports: but("aten.sqrt"), MinNodes: 3})
	require.Len(t, groups, 2)
	require.Equal(t, []string{"aten.mul.Scalar", "aten.t", "aten.mm"}, names(groups[0]))
	require.Len(t, groups[0].Body().Args, 1)
	require.Equal(t, []string{"aten.mul.Scalar", "aten.t", "aten.t", "aten.mm", "aten.mm"}, names(groups[1]))
	require.Len(t, groups[1].Body().Args, 2)
	require.Equal(t, []string{"func.call", "aten.sqrt", "func.call"}, names(module.Func("main")))

	module, groups = grouped(t, text, group.Grouping{Supports: but("aten.sqrt"), MinNodes: 4})
	require.Len(t, groups, 1, "the first is too small, and takes its operations from the host")
	require.Equal(t, []string{"aten.mul.Scalar", "aten.t", "aten.mm", "aten.sqrt", "func.call"}, names(module.Func("main")))
	require.Len(t, groups[0].Body().Args, 2)

	_, groups = grouped(t, strings.NewReplacer("-> tensor<2x3xf32> {", "-> (tensor<2x3xf32>, tensor<3x3xf32>) {", "return %c : tensor<2x3xf32>",
		"return %c, %t : tensor<2x3xf32>, tensor<3x3xf32>").Replace(text), group.Grouping{Supports: but("aten.sqrt")})
	require.Contains(t, names(groups[0]), "aten.t", "the function returns it")
	require.NotContains(t, names(groups[1]), "aten.mul.Scalar")
}

// TestCarriedWrites: where something is written in place, a view of it stays where it is.
func TestCarriedWrites(t *testing.T) {
	_, groups := grouped(t, `func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %v = "aten.t"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %a = "aten.exp"(%v) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %w = "aten.relu_"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "aten.mul.Tensor"(%v, %a) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %b : tensor<3x2xf32>
}`, group.Grouping{})
	require.Len(t, groups, 2)
	require.Equal(t, []string{"aten.mul.Tensor"}, names(groups[1]))
}

// TestDigest: locations and names do not count, everything else does.
func TestDigest(t *testing.T) {
	digest := func(text string) mlir.Digest {
		module, err := mlir.Parse("any.mlir", []byte(text))
		require.NoError(t, err)
		return mlir.DigestOf(module.Funcs()[0], "")
	}
	const f = `func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = "aten.mul.Tensor"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %a : tensor<2xf32>
}`
	require.Equal(t, digest(f), digest(strings.NewReplacer("@f", "@g", "%x", "%other", "\n", "\n\n").Replace(f)))
	for old, changed := range map[string]string{"(%x, %c)": "(%y, %c)", "2.0]": "3.0]", "mul": "div", "%a : tensor": "%c : tensor"} {
		require.NotEqual(t, digest(f), digest(strings.Replace(f, old, changed, 1)), old)
	}
}

// TestNumbersOfOtherBlocks: what makes a number that another block reads is in no group.
func TestNumbersOfOtherBlocks(t *testing.T) {
	_, groups := grouped(t, `func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %c = arith.constant 1 : index
  %y = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.extract %y[%c] : tensor<4xf32>
  %i = tensor.extract %y[%c] : tensor<4xf32>
  %z = tensor.splat %i : tensor<4xf32>
  cf.br ^next
^next:
  %n = arith.negf %s : f32
  return %z, %n : tensor<4xf32>, f32
}`, group.Grouping{Supports: func(*mlir.Operation) error { return nil }, MinNodes: 1})
	require.Len(t, groups, 1)
	require.Equal(t, []string{"aten.relu", "tensor.extract", "tensor.splat"}, names(groups[0]))
}

// TestSupported: operations on tensors are supported, and the reason why another is not is said.
func TestSupported(t *testing.T) {
	const generic = `"linalg.generic"(%%x, %%x) ({
  ^bb0(%%a: f32, %%b: f32):
    %s
    "linalg.yield"(%%a) : (f32) -> ()
  }) {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"], operandSegmentSizes = array<i32: 1, 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`
	for text, want := range map[string]string{
		`"arith.addf"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:            "",
		`"math.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:                                 "",
		`"tensor.empty"() : () -> tensor<4xf32>`:                                            "",
		`"acap.scan"(%x) {axis = 0 : i64, kind = "add"} : (tensor<4xf32>) -> tensor<4xf32>`: "",
		`"aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:                                "",
		fmt.Sprintf(generic, `%c = "arith.addf"(%a, %a) : (f32, f32) -> f32`):               "",
		fmt.Sprintf(generic, `%c = "foo.bar"(%a, %a) : (f32, f32) -> f32`):                  "it is no operator on tensors",
		fmt.Sprintf(generic, `%c = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>`):     "it is no operator on tensors",
		`"scf.if"(%p) ({ "scf.yield"() : () -> () }, {}) : (i1) -> ()`:                      "it is no operator on tensors",
		`"foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:                                  "it is no operator on tensors",
		`"aten.no_such"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:                             "there is no such operator",
		`"aten.nonzero"(%x) : (tensor<4xf32>) -> tensor<?x1xi64>`:                           "the operator has no form for kernels and runs as a Go function",
	} {
		module, err := mlir.Parse("x.mlir", []byte("func.func @f(%x: tensor<4xf32>, %p: i1) {\n"+text+"\nreturn\n}"))
		require.NoError(t, err, text)
		err = group.Supported(module.Func("f").Body().Ops[0])
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.EqualError(t, err, want, text)
	}
	for types, want := range map[string]bool{"(tensor<4xf32>) -> tensor<4xcomplex<f32>>": true, "(tensor<4xcomplex<f32>>, i1) -> i1": true, "(tensor<4xf32>) -> f32": false} {
		module, err := mlir.Parse("x.mlir", []byte("func.func private @f"+types))
		require.NoError(t, err)
		require.Equal(t, want, group.HasComplex(module.Func("f")), types)
	}
}

// TestConstantsOfLoops: the group of a loop's body computes what follows from constants and from arguments that are
// marked constant, and the transposed argument that changes comes from outside.
func TestConstantsOfLoops(t *testing.T) {
	module, groups := grouped(t, `
func.func @main(%w: tensor<4x4xf32> {acap.constant}, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense<2.0> : tensor<4x4xf32>
  %0 = "aten.mul.Tensor"(%w, %c) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "aten.t"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %from = arith.constant 0 : index
  %to = arith.constant 3 : index
  %by = arith.constant 1 : index
  %2 = scf.for %i = %from to %to step %by iter_args(%s = %x) -> (tensor<4x4xf32>) {
    %3 = "aten.mm"(%s, %0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = "aten.add.Tensor"(%3, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %4 : tensor<4x4xf32>
  }
  return %2 : tensor<4x4xf32>
}`, group.Grouping{})
	require.Len(t, groups, 2)
	require.Equal(t, []string{"func.call", "scf.for"}, names(module.Func("main")))
	require.Equal(t, []string{"aten.t"}, names(groups[0]))
	require.Equal(t, []string{"aten.mul.Tensor", "aten.mm", "aten.add.Tensor"}, names(groups[1]))
}

// TestGroupNames: a group's function is named after the function it was in, with its attributes, and by a name that
// nothing else has.
func TestGroupNames(t *testing.T) {
	module, groups := grouped(t, `func.func private @main_acap_0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.sqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "aten.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.sqrt"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "aten.relu"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}`, group.Grouping{Supports: but("aten.sqrt"), Kind: "acap", Attrs: mlir.Attrs{{Name: "acap.device", Value: mlir.StringAttr("npu")}}})
	var names []string
	for _, g := range groups {
		names = append(names, fmt.Sprint(g.Attrs.Get("sym_name"), g.Attrs.Get("acap.device"), g.Attrs[0].Name))
		require.NotNil(t, module.Func(strings.Trim(fmt.Sprint(g.Attrs.Get("sym_name")), `"`)))
	}
	require.Equal(t, []string{`"main_acap_0_""npu"sym_name`, `"main_acap_1""npu"sym_name`}, names)
}
