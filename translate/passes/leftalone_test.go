package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/lowering"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// TestLayersLeftAlone: what looks like layers that could be folded, and could not.
func TestLayersLeftAlone(t *testing.T) {
	norm := func(in, stats string) string {
		return fmt.Sprintf(`%%r = "aten.batch_norm"(%%m, %%s, %%s, %%s, %%s) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, training = false, momentum = 0.1 : f64, eps = 0.25 : f64, cudnn_enabled = false} : (%[1]s, %[2]s, %[2]s, %[2]s, %[2]s) -> %[1]s`, in, stats)
	}
	convolution := func(transposed bool, elem string) string {
		return fmt.Sprintf(`%%m = "aten.convolution"(%%i, %%k) {operandSegmentSizes = array<i32: 1, 1, 0>, stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, transposed = %v, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<2x4x5x%[2]s>, tensor<4x4x1x%[2]s>) -> tensor<2x4x5x%[2]s>`, transposed, elem)
	}
	const f32s = "%s: tensor<4xf32>, "
	for name, c := range map[string]struct {
		args, body string
		folded     bool
	}{
		"a norm behind a convolution": {f32s + "%i: tensor<2x4x5xf32>, %k: tensor<4x4x1xf32>",
			convolution(false, "f32") + "\n" + norm("tensor<2x4x5xf32>", "tensor<4xf32>"), true},
		"a norm behind a transposed convolution": {f32s + "%i: tensor<2x4x5xf32>, %k: tensor<4x4x1xf32>",
			convolution(true, "f32") + "\n" + norm("tensor<2x4x5xf32>", "tensor<4xf32>"), false},
		"a norm of channels that are not the layer's": {f32s + "%i: tensor<2x4x3xf32>, %k: tensor<4x3xf32>",
			`%m = "aten.linear"(%i, %k) : (tensor<2x4x3xf32>, tensor<4x3xf32>) -> tensor<2x4x4xf32>` + "\n" + norm("tensor<2x4x4xf32>", "tensor<4xf32>"), false},
		"statistics of another type": {f32s + "%i: tensor<2x4x5xbf16>, %k: tensor<4x4x1xbf16>",
			convolution(false, "bf16") + "\n" + norm("tensor<2x4x5xbf16>", "tensor<4xf32>"), false},
		"a norm of an argument": {f32s + "%m: tensor<2x4x5xf32>, %k: tensor<4x4x1xf32>", norm("tensor<2x4x5xf32>", "tensor<4xf32>"), false},
		"a norm behind something else": {f32s + "%i: tensor<2x4x5xf32>",
			`%m = "aten.relu"(%i) : (tensor<2x4x5xf32>) -> tensor<2x4x5xf32>` + "\n" + norm("tensor<2x4x5xf32>", "tensor<4xf32>"), false},
		"a bias behind a product with a plain matrix": {"%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>",
			`%m = "aten.mm"(%x, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>` + "\n" +
				`%r = "aten.add.Tensor"(%m, %b) {alpha = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>`, false},
		"a constant weight": {"%x: tensor<2x3xf32>", "%w = arith.constant dense<1.0> : tensor<3x4xf32>\n" +
			`%r = "aten.mm"(%x, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`, false},
		"matrices of a batch, transposed": {"%x: tensor<3x2x3xf32>, %w: tensor<3x4x3xf32>",
			`%t = "aten.transpose.int"(%w) {dim0 = 1 : i64, dim1 = 2 : i64} : (tensor<3x4x3xf32>) -> tensor<3x3x4xf32>` + "\n" +
				`%r = "aten.matmul"(%x, %t) : (tensor<3x2x3xf32>, tensor<3x3x4xf32>) -> tensor<3x2x4xf32>`, false},
		"a matrix for a batch, transposed": {"%x: tensor<3x2x3xf32>, %w: tensor<4x3xf32>",
			`%t = "aten.transpose.int"(%w) {dim0 = 0 : i64, dim1 = 1 : i64} : (tensor<4x3xf32>) -> tensor<3x4xf32>` + "\n" +
				`%r = "aten.matmul"(%x, %t) : (tensor<3x2x3xf32>, tensor<3x4xf32>) -> tensor<3x2x4xf32>`, true},
		"a bias of another type": {"%x: tensor<2x3xbf16>, %w: tensor<4x3xbf16>, %b: tensor<4xf32>",
			`%m = "aten.linear"(%x, %w) : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> tensor<2x4xbf16>` + "\n" +
				`%r = "aten.add.Tensor"(%m, %b) {alpha = 1 : i64} : (tensor<2x4xbf16>, tensor<4xf32>) -> tensor<2x4xf32>`, false},
		"a dropout that is on": {"%x: tensor<2x3xf32>", `%r = "aten.dropout"(%x) {p = 0.5 : f64, train = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>`, false},
		"a dropout of nothing": {"%x: tensor<2x3xf32>", `%r = "aten.dropout"(%x) {p = 0.0 : f64, train = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>`, true},
		"a dropout of channels that is off": {"%x: tensor<2x3xf32>",
			`%r = "aten.feature_dropout"(%x) {p = 0.5 : f64, train = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>`, true},
	} {
		result := c.body[strings.LastIndex(c.body, "-> ")+3:]
		module, err := mlir.Parse("layers.mlir", []byte("func.func @main("+c.args+") -> "+result+" {\n"+c.body+"\nreturn %r : "+result+"\n}"))
		require.NoError(t, err, name)
		before := module.String()
		require.NoError(t, run(passes.Inference, module), name)
		require.NoError(t, mlir.Verify(module), name)
		require.Equal(t, c.folded, module.String() != before, "%s\n%s", name, module)
	}
}

// TestSmallPasses: the text that a pass makes of another.
func TestSmallPasses(t *testing.T) {
	for _, c := range []struct{ passes, text, want string }{
		{"return-elimination", `func.func private @g(tensor<2xf32>) -> tensor<3xf32> attributes {arg_attrs = [{llvm.a = 1 : i32}]}
func.func @f(%x: tensor<2xf32>) -> (tensor<3xf32>, tensor<2xf32>) {
  %r = call @g(%x) : (tensor<2xf32>) -> tensor<3xf32>
  return %r, %x : tensor<3xf32>, tensor<2xf32>
}`, `module {
  func.func private @g(tensor<2xf32> {llvm.a = 1 : i32}, memref<3xf32>)
  func.func @f(%x: tensor<2xf32>, %arg1: memref<3xf32>, %arg2: memref<2xf32>) {
    %alloc = memref.alloc() : memref<3xf32>
    call @g(%x, %alloc) : (tensor<2xf32>, memref<3xf32>) -> ()
    %0 = bufferization.to_tensor %alloc restrict writable : memref<3xf32>
    bufferization.materialize_in_destination %0 in restrict writable %arg1 : (tensor<3xf32>, memref<3xf32>) -> ()
    bufferization.materialize_in_destination %x in restrict writable %arg2 : (tensor<2xf32>, memref<2xf32>) -> ()
    return
  }
}`},
		{"return-elimination", "func.func @f(%x: index, %y: tensor<2xf32>) -> (index, tensor<2xf32>) {\n  return %x, %y : index, tensor<2xf32>\n}", ""},
		{"canonicalize", "func.func @f(%x: i32) -> (i32, i32) {\n  %c = arith.constant 3 : i32\n  %y = arith.addi %c, %x : i32\n  %z = arith.subi %c, %y : i32\n  return %y, %z : i32, i32\n}",
			"module {\n  func.func @f(%x: i32) -> (i32, i32) {\n    %c = arith.constant 3 : i32\n    %y = arith.addi %x, %c : i32\n    %z = arith.subi %c, %y : i32\n    return %y, %z : i32, i32\n  }\n}"},
		{"canonicalize", `func.func @f(%x: i32) -> i32 {
  %c = arith.constant 0 : i32
  %d = arith.constant 4 : i32
  cf.br ^first
^second:
  %s = arith.muli %p, %e : i32
  return %s : i32
^first:
  %p = arith.addi %x, %c : i32
  %q = arith.addi %d, %d : i32
  cf.br ^third
^third:
  %e = arith.addi %q, %q : i32
  cf.br ^second
}`, `module {
  func.func @f(%x: i32) -> i32 {
    cf.br ^first
  ^second:  // pred: ^third
    %s = arith.muli %x, %c16_i32 : i32
    return %s : i32
  ^first:  // pred: ^bb0
    cf.br ^third
  ^third:  // pred: ^first
    %c16_i32 = arith.constant 16 : i32
    cf.br ^second
  }
}`},
		{"cse", `func.func @f(%x: i32) -> i32 {
  cf.br ^first
^second:
  %s = arith.muli %q, %q : i32
  return %s : i32
^first:
  %p = arith.addi %x, %x : i32
  %q = arith.addi %x, %x : i32
  "foo.use"(%p) : (i32) -> ()
  cf.br ^second
}`, `module {
  func.func @f(%x: i32) -> i32 {
    cf.br ^first
  ^second:  // pred: ^first
    %s = arith.muli %p, %p : i32
    return %s : i32
  ^first:  // pred: ^bb0
    %p = arith.addi %x, %x : i32
    "foo.use"(%p) : (i32) -> ()
    cf.br ^second
  }
}`},
		{"cse", `%c = arith.constant 1 : i32
func.func @f() -> (i32, i32) {
  %d = arith.constant 1 : i32
  %e = arith.constant 1 : i32
  return %d, %e : i32, i32
}
%g = arith.constant 1 : i32
%h = "foo.use"(%g) : (i32) -> i32`, `module {
  %c = arith.constant 1 : i32
  func.func @f() -> (i32, i32) {
    %d = arith.constant 1 : i32
    return %d, %d : i32, i32
  }
  %h = "foo.use"(%c) : (i32) -> i32
}`},
		{"cse", `func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = linalg.map { arith.addf } ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%x : tensor<2xf32>)
  %1 = linalg.map { arith.addf } ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%y : tensor<2xf32>)
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}`, ""},
		{"expand-host", `func.func @f(%x: tensor<2xcomplex<f32>>, %y: tensor<4xf32>) -> (tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>) {
  %0 = "aten.conj_physical"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %1 = "aten._fft_r2c"(%y) {dim = array<i64: 0>, normalization = 0 : i64, onesided = true} : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>
}`, ""},
		{"canonicalize,dce", "func.func @f(%x: i32) -> i32 {\n  %c = arith.constant 0 : i32\n  %y = arith.addi %x, %c : i32\n  return %y : i32\n}",
			"module {\n  func.func @f(%x: i32) -> i32 {\n    return %x : i32\n  }\n}"},
	} {
		module, err := mlir.Parse("small.mlir", []byte(c.text))
		require.NoError(t, err, c.text)
		if c.want == "" {
			c.want = module.String()
		}
		require.NoError(t, run(c.passes, module), c.text)
		require.Equal(t, c.want, module.String(), c.passes)
	}
}

// TestConstantsInFiles: passes take constants whose elements stand at the end of a file as they take others.
func TestConstantsInFiles(t *testing.T) {
	parsed := func(text string) *mlir.Operation {
		module, err := mlir.Parse("x.mlir", []byte(text))
		require.NoError(t, err)
		return module
	}
	const function = `func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  %c = arith.constant dense_resource<a> : tensor<2xi8>
  %y = "aten.bitwise_and.Tensor"(%x, %c) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %y : tensor<2xi8>
}`
	file := func(digits string) string {
		return function + "\n{-# dialect_resources: { builtin: { a: \"0x04000000" + digits + "\" } } #-}"
	}
	for names, want := range map[string]string{"aten-to-acap-2019": "arith.constant dense<[-1, 7]> : tensor<2xi8>",
		"aten-to-torch": "{value = dense_resource<a> : tensor<2xsi8>}", "aten-to-torch,torch-to-aten": "arith.constant dense_resource<a> : tensor<2xi8>"} {
		module := parsed(file("FF07"))
		require.NoError(t, run(names, module))
		require.Contains(t, module.String(), want, names)
	}
	digest := func(digits string) mlir.Digest { return mlir.DigestOf(parsed(file(digits)).Funcs()[0], "") }
	require.Equal(t, digest("FF07"), digest("FF07"))
	require.NotEqual(t, digest("FF07"), digest("FF08"))
	for value, want := range map[string]string{"dense<[255, 7]>": "arith.constant dense<[-1, 7]> : tensor<2xi8>",
		"dense_resource<a>": "arith.constant dense_resource<a> : tensor<2xi8>"} {
		module := parsed(strings.NewReplacer("xi8", "xui8", "arith.constant dense_resource<a> : tensor<2xi8>",
			`"arith.constant"() {value = `+value+` : tensor<2xui8>} : () -> tensor<2xui8>`).Replace(file("FF07")))
		require.NoError(t, lowering.ToLinalg(module))
		require.Contains(t, module.String(), want)
		require.Equal(t, 2, strings.Count(module.String(), "tensor.bitcast"), "of the argument and the result")
	}
}

// TestFoldedWhere: a constant stands where the operation stood that it folds.
func TestFoldedWhere(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte("func.func @f() -> i32 {\n  %c = arith.constant 3 : i32\n  %d = arith.addi %c, %c : i32\n  return %d : i32\n}"))
	require.NoError(t, err)
	require.NoError(t, simplify.Canonicalize(module))
	ops := module.Func("f").Body().Ops
	require.Len(t, ops, 2)
	require.Equal(t, "x.mlir:3:8", ops[0].Loc.Short())
}

// TestElided: constants of more than 32 elements that are not all one lose their elements, and where operations come
// from is forgotten.
func TestElided(t *testing.T) {
	numbers := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1, 2, ", n/2), ", ") + "]" }
	module, err := mlir.Parse("x.mlir", fmt.Appendf(nil, `func.func @f() -> (tensor<32xi32>, tensor<34xi32>, tensor<99xi32>, tensor<3xi32>) {
  %%a = arith.constant dense<%s> : tensor<32xi32>
  %%b = arith.constant dense<%s> : tensor<34xi32>
  %%c = arith.constant dense<7> : tensor<99xi32>
  %%d = arith.constant dense_resource<small> : tensor<3xi32>
  return %%a, %%b, %%c, %%d : tensor<32xi32>, tensor<34xi32>, tensor<99xi32>, tensor<3xi32>
}
{-#
  dialect_resources: { builtin: { small: "0x04000000010000000200000003000000" } }
#-}`, numbers(32), numbers(34)))
	require.NoError(t, err)
	require.NoError(t, run("elide", module))
	text := module.String()
	require.Contains(t, text, numbers(32))
	require.NotContains(t, text, numbers(34))
	require.Contains(t, text, "dense_resource<__elided__> : tensor<34xi32>")
	require.Contains(t, text, "dense_resource<__elided__> : tensor<3xi32>")
	require.Contains(t, text, "dense<7> : tensor<99xi32>")
	module.Walk(func(op *mlir.Operation) { op.Loc = mlir.Location{File: "x.mlir", Line: 3, Col: 1} })
	require.NoError(t, simplify.StripLocations(module))
	module.Walk(func(op *mlir.Operation) { require.True(t, op.Loc.IsUnknown(), op.Name) })
}

// TestLists: the lists of passes are copies, and hold what can be looked up.
func TestLists(t *testing.T) {
	all, named := passes.All(), passes.Pipelines()
	require.NotEmpty(t, named)
	for i, p := range all {
		found, ok := passes.Lookup(p.Name)
		require.True(t, ok)
		require.Equal(t, p.Doc, found.Doc)
		all[i].Name = "gone"
	}
	named[0].Name = "gone"
	require.NotEqual(t, "gone", passes.All()[0].Name)
	require.NotEqual(t, "gone", passes.Pipelines()[0].Name)
	_, ok := passes.Lookup("nothing")
	require.False(t, ok)
	require.Panics(t, func() { passes.Register(passes.Pass{Name: "dce"}) })
	require.Panics(t, func() { passes.RegisterPipeline(passes.Named{Name: "dce"}) })
}
