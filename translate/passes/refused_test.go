package passes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/acap2019"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// TestRefusedTorch: what torch-mlir's text can say and aten cannot is an error with its place.
func TestRefusedTorch(t *testing.T) {
	const v = "!torch.vtensor<[2,3],f32>"
	for name, c := range map[string]struct{ text, want string }{
		"operator":       {`%r = "torch.aten.nothing"(%x) : (` + v + `) -> ` + v, "aten.nothing"},
		"operands":       {`%r = "torch.aten.relu"(%x, %x) : (` + v + `, ` + v + `) -> ` + v, "has 2 operands, and relu takes 1"},
		"no operands":    {`%r = "torch.aten.relu"() : () -> ` + v, "has 0 operands, and relu takes 1"},
		"number":         {`%r = "torch.aten.add.Tensor"(%x, %x, %n) : (` + v + `, ` + v + `, !torch.int) -> ` + v, "argument alpha: a value of type !torch.int is not known when the program is compiled"},
		"result":         {`%k = "torch.operator"(%x) : (` + v + `) -> !torch.int` + "\n" + `%r = "torch.aten.add.Tensor"(%x, %x, %k) : (` + v + `, ` + v + `, !torch.int) -> ` + v, "argument alpha: the result of torch.operator is not known when the program is compiled"},
		"list":           {list("%i", "%f") + call("permute", "%l"), "argument dims: a list of different kinds"},
		"list of bools":  {list("%i", "%b") + call("permute", "%l"), "argument dims: a list of different kinds"},
		"list of values": {list("%i", "%n") + call("permute", "%l"), "argument dims: a value of type !torch.int is not known"},
		"written":        {`%k = "torch.copy.to_tensor"(%x) : (` + v + `) -> !torch.tensor<[2,3],f32>` + "\n" + `%r = "torch.aten.relu_"(%k) : (!torch.tensor<[2,3],f32>) -> !torch.tensor<[2,3],f32>`, "argument self: !torch.tensor<[2,3],f32> can be written: pass torch-maximize-value-semantics"},
		"literal":        {`%r = "torch.vtensor.literal"() {value = 1} : () -> ` + v, "a literal needs elements"},
		"kind of one":    {`%r = "torch.vtensor.literal"() {value = dense<1.0> : tensor<2x3xf32>} : () -> !torch.int`, "the literal is of type !torch.int"},
		"shape":          {list("%i", "%i") + call("permute", "%l"), "permute"},
	} {
		text := "func.func @main(%x: " + v + ", %n: !torch.int) {\n%i = torch.constant.int 1\n%f = torch.constant.float 1.5\n%b = torch.constant.bool true\n" + c.text + "\nreturn\n}"
		module, err := mlir.Parse("torch.mlir", []byte(text))
		require.NoError(t, err, text)
		err = torchmlir.From(module)
		require.ErrorContains(t, err, c.want, name)
		require.ErrorContains(t, err, "torch.mlir:", name)
	}
}

func list(elements ...string) string {
	types := map[string]string{"%i": "!torch.int", "%f": "!torch.float", "%b": "!torch.bool", "%n": "!torch.int"}
	var kinds []string
	for _, e := range elements {
		kinds = append(kinds, types[e])
	}
	return `%l = "torch.prim.ListConstruct"(` + strings.Join(elements, ", ") + ") : (" + strings.Join(kinds, ", ") + ") -> !torch.list<int>\n"
}

func call(name, arg string) string {
	const v = "!torch.vtensor<[2,3],f32>"
	return `%r = "torch.aten.` + name + `"(%x, ` + arg + ") : (" + v + ", !torch.list<int>) -> " + v
}

// TestTorchConstants: what makes up arguments goes with the calls, and a module without torch's operations stays.
func TestTorchConstants(t *testing.T) {
	module, err := mlir.Parse("torch.mlir", []byte(`func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32> {
		%i = torch.constant.int 1
		%j = torch.constant.int 0
		%l = torch.prim.ListConstruct %i, %j : (!torch.int, !torch.int) -> !torch.list<int>
		%c = torch.vtensor.literal(dense<2.0> : tensor<2x3xf32>) : !torch.vtensor<[2,3],f32>
		%y = torch.aten.mul.Tensor %x, %c : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
		%r = torch.aten.permute %y, %l : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[3,2],f32>
		return %r : !torch.vtensor<[3,2],f32>
	}`))
	require.NoError(t, err)
	require.NoError(t, torchmlir.From(module))
	require.NoError(t, mlir.Verify(module))
	require.Equal(t, "aten.mul.Tensor", module.Func("main").Body().Ops[1].Name)
	require.Equal(t, "aten.permute", module.Func("main").Body().Ops[2].Name)
	require.Equal(t, "array<i64: 1, 0>", module.Func("main").Body().Ops[2].Attrs.Get("dims").String())

	const plain = `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %dead = arith.constant dense<1.0> : tensor<2xf32>
  return %x : tensor<2xf32>
}`
	module, err = mlir.Parse("plain.mlir", []byte(plain))
	require.NoError(t, err)
	require.NoError(t, torchmlir.From(module))
	require.Equal(t, 1, strings.Count(module.String(), "arith.constant"), "nothing of torch's is left over")
}

// TestRefused2019: what the text of 2019 gets wrong is an error with its place.
func TestRefused2019(t *testing.T) {
	const x = "tensor<2x3xf32>"
	one := func(kind, value, ty string) string {
		return `%c = "aten.constant"() {type = "` + kind + `", value = ` + value + `} : () -> ` + ty + "\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"operator":  {`%r = "aten.nothing"(%x) {overload = ""} : (` + x + `) -> ` + x, "aten.nothing"},
		"overload":  {`%r = "aten.add"(%x, %x) {overload = "Nothing"} : (` + x + `, ` + x + `) -> ` + x, "add.Nothing"},
		"operands":  {one("i32", "1 : i32", "i32") + `%r = "aten.relu"(%x, %x, %c) : (` + x + `, ` + x + `, i32) -> ` + x, "relu"},
		"no value":  {`%c = "aten.constant"() {type = "i32"} : () -> i32` + "\n" + `%r = "aten.add"(%x, %x, %c) : (` + x + `, ` + x + `, i32) -> ` + x, "aten.constant without a value"},
		"elements":  {one("List[i32]", `dense<1> : tensor<2000000xi32>`, "!aten.list<i32>") + `%r = "aten.permute"(%x, %c) : (` + x + `, !aten.list<i32>) -> ` + x, "a list of 2000000 elements; at most 1048576 are read"},
		"segments":  {`%r = "aten.cat"(%x, %x, %x) {segments = dense<[2]> : vector<1xi32>} : (` + x + `, ` + x + `, ` + x + `) -> ` + x, "segments leaves out operands"},
		"too many":  {`%r = "aten.cat"(%x, %x) {segments = dense<[3]> : vector<1xi32>} : (` + x + `, ` + x + `) -> ` + x, "segments does not fit the operands"},
		"negative":  {`%r = "aten.cat"(%x, %x) {segments = dense<[-2]> : vector<1xi32>} : (` + x + `, ` + x + `) -> ` + x, "segments does not fit the operands"},
		"missing":   {`%r = "aten.cat"(%x) {segments = dense<[1, -1]> : vector<2xi32>} : (` + x + `) -> ` + x, "segments does not fit the operands"},
		"very many": {`%r = "aten.cat"(%x) {segments = dense<0> : vector<100xi32>} : (` + x + `) -> ` + x, "segments does not fit the operands"},
		"no list":   {`%r = "aten.cat"(%x) {segments = "2"} : (` + x + `) -> ` + x, "segments must be a list of integers"},
		"numbers":   {one("i32", "1 : i32", "i32") + `%r = "aten.cat"(%x, %c) {segments = dense<[2]> : vector<1xi32>} : (` + x + `, i32) -> ` + x, "a list holds tensors, and not numbers"},
	} {
		module, err := mlir.Parse("old.mlir", []byte("func.func @main(%x: "+x+") {\n"+c.text+"\nreturn\n}"))
		require.NoError(t, err, name)
		err = acap2019.From(module)
		require.ErrorContains(t, err, c.want, name)
		require.ErrorContains(t, err, "old.mlir:", name)
	}
}

// TestConstants2019: a number is written with 32 bits where these hold it.
func TestConstants2019(t *testing.T) {
	written := func(call string) string {
		module, err := mlir.Parse("aten.mlir", []byte("func.func @main(%x: tensor<2x3xf32>) {\n"+call+"\nreturn\n}"))
		require.NoError(t, err, call)
		require.NoError(t, acap2019.To(module), call)
		return module.String()
	}
	for _, c := range []struct{ attr, want string }{
		{"other = 2147483647, alpha = 1", `type = "i32", value = 2147483647 : i32`},
		{"other = 2147483648, alpha = 1", `type = "i64", value = 2147483648 : i64`},
		{"other = -2147483648, alpha = 1", `type = "i32", value = -2147483648 : i32`},
		{"other = -2147483649, alpha = 1", `type = "i64", value = -2147483649 : i64`},
		{"other = 0.5 : f64, alpha = 1", `type = "f32", value = 5.000000e-01 : f32`},
		{"other = 0.1 : f64, alpha = 1", `type = "f64", value = 1.000000e-01 : f64`},
		{"other = true, alpha = 1", `type = "bool", value = true`},
	} {
		require.Contains(t, written(`%r = "aten.add.Scalar"(%x) {`+c.attr+`} : (tensor<2x3xf32>) -> tensor<2x3xf32>`), c.want, c.attr)
	}
	require.Contains(t, written(`%r = "aten.permute"(%x) {dims = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>`),
		`type = "List[i32]", value = dense<[0, 1]> : vector<2xi32>`)
	module, err := mlir.Parse("old.mlir", []byte(`func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
		%c = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
		%r = "aten.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
		return %r : tensor<2x3xf32>
	}`))
	require.NoError(t, err)
	require.NoError(t, acap2019.From(module))
	require.Zero(t, strings.Count(module.String(), "aten.constant"), "what nothing uses goes")
}

// TestToTorchConstants: a constant becomes a literal of the same elements, and reads back.
func TestToTorchConstants(t *testing.T) {
	const text = `func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xi64>) {
  %cst = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %cst_0 = arith.constant dense<[7, -8]> : tensor<2xi64>
  %0 = "aten.mul.Tensor"(%x, %cst) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %cst_0 : tensor<2x3xf32>, tensor<2xi64>
}`
	module, err := mlir.Parse("aten.mlir", []byte(text))
	require.NoError(t, err)
	want := module.String()
	require.NoError(t, torchmlir.To(module))
	require.NoError(t, mlir.Verify(module))
	require.Zero(t, strings.Count(module.String(), "arith.constant"))
	require.Equal(t, 2, strings.Count(module.String(), "torch.vtensor.literal"))
	require.NoError(t, torchmlir.From(module))
	require.NoError(t, mlir.Verify(module))
	require.Equal(t, want, module.String())
}
