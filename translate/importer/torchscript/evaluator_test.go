package torchscript

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// moduleArchive is a model with one parameter w = [1, 2], a list sizes = [3, 4], and a forward
// with the given body.
func moduleArchive(t testing.TB, body string, more ...member) []byte {
	code := "class M(Module):\n  __parameters__ = [\"w\", ]\n  __buffers__ = []\n  w : Tensor\n" +
		"  sizes : List[int]\n  scale : Final[float] = 0.5\n" +
		"  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n" + body
	root := pObject("__torch__.M", "w", pTensor("FloatStorage", "0", 2, 0, []int{2}, []int{1}),
		"sizes", "](K\x03K\x04e")
	return pack(t, append([]member{
		{"m/data.pkl", pickled(root)},
		{"m/data/0", floats32(1, 2)},
		{"m/code/__torch__.py", code},
		{"m/constants.pkl", pickled("(" + pTensor("LongStorage", "0", 1, 0, nil, nil) +
			pTensor("DoubleStorage", "1", 1, 0, nil, nil) + "t")},
		{"m/constants/0", "\x04\x00\x00\x00\x00\x00\x00\x00"},
		{"m/constants/1", "\x00\x00\x00\x00\x00\x00\x04\x40"}, // 2.5
	}, more...)...)
}

// importBody imports a forward with the given body on a float32 input.
func importBody(t testing.TB, body string, dims ...int) (string, error) {
	m, err := read(moduleArchive(t, body))
	require.NoError(t, err)
	module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: dims}})
	if err != nil {
		return "", err
	}
	var names []string
	for _, op := range module.Func("main").Body().Ops {
		names = append(names, op.Name)
	}
	return strings.Join(names, " "), nil
}

// requireBody runs a forward with the given body on [[1 -2 0] [0 3 -1]] and compares what it returns.
func requireBody(t *testing.T, body string, want []float64, within float64) {
	t.Helper()
	m, err := read(moduleArchive(t, "    "+body+"\n"))
	require.NoError(t, err)
	input := []*buf.Buffer{buf.From([]float32{1, -2, 0, 0, 3, -1}, 2, 3)}
	module, err := m.Specialize(input, onHost)
	require.NoError(t, err, body)
	out, err := onHost(module, input)
	require.NoError(t, err, body)
	require.Equal(t, len(want), out[0].Len(), body)
	for i, w := range want {
		assert.InDelta(t, w, out[0].Float64(i), within, "%s: element %d", body, i)
	}
}

// Each file of testdata/language is the body of a forward that asserts what the language should
// do.
func TestLanguage(t *testing.T) {
	paths, err := filepath.Glob("testdata/language/*.py")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			_, err = importBody(t, string(source), 2, 3)
			require.NoError(t, err)
		})
	}
}

func TestOperators(t *testing.T) {
	for body, want := range map[string]string{
		"return torch.relu(x)":                             "aten.relu func.return",
		"return torch.add(x, 2)":                           "aten.add.Scalar func.return",
		"return torch.add(x, x, alpha=2)":                  "aten.add.Tensor func.return",
		"return x // 2":                                    "aten.floor_divide.Scalar func.return",
		"return x // x":                                    "aten.floor_divide func.return",
		"return x + x * 3":                                 "aten.mul.Scalar aten.add.Tensor func.return",
		"return torch.mul(x, self.w)":                      "arith.constant aten.mul.Tensor func.return",
		"return (x).relu()":                                "aten.relu func.return",
		"return torch.mul(torch.mul(x, self.w), self.w)":   "arith.constant aten.mul.Tensor aten.mul.Tensor func.return",
		"return torch.mul(x, CONSTANTS.c1)":                "aten.mul.Scalar func.return",
		"return torch.relu_(x)":                            "aten.relu func.return",
		"y = torch.add_(x, 1)\n    return torch.mul(x, y)": "aten.add.Scalar aten.mul.Tensor func.return",
		"return torch.dropout(torch.relu(x), 0.5, False)":  "aten.relu func.return",
		"return torch.pin_memory(x)":                       "func.return",
		"return torch.pow(2, x)":                           "aten.pow.Scalar func.return",
		"return torch.maximum(x, 2)":                       "arith.constant aten.maximum func.return",
		"return torch.relu(torch.upsample_nearest1d(torch.reshape(x, [1, 2, 2]), None, [2.0]))": "aten.reshape aten.upsample_nearest1d.vec aten.relu func.return",
		"return [x, {\"a\": (x, x)}]": "func.return",
		"return torch.add(x, int(torch.floor_divide(ops.prim.NumToTensor(torch.size(x, 0)), CONSTANTS.c0)))": "aten.add.Scalar func.return",
		"return torch.add(x, torch.mul(ops.prim.NumToTensor(3), 2))":                                         "arith.constant aten.add.Tensor func.return",
	} {
		got, err := importBody(t, "    "+body+"\n", 2, 2)
		require.NoError(t, err, body)
		assert.Equal(t, want, got, body)
	}
}

func TestProgramErrors(t *testing.T) {
	const at = "m.pt: code/__torch__.py:9:"
	for body, want := range map[string]string{
		"return torch.frobnicate(x)":         at + "18: unknown operator aten::frobnicate",
		"return ops.quantized.linear(x)":     at + "26: argument 1 is a None instead of packed parameters",
		"return ops.quantized.frobnicate(x)": at + "26: unknown operator quantized::frobnicate",
		"return torch.mul(x, torch.size(x))": "",
		"return torch.zeros([2], dtype=8)":   at + "18: complex32, complex numbers of two halves, is no element type that is supported",
		"return torch.zeros([2], dtype=12)":  at + "18: 12 is no element type that is supported",
		"return torch.add(x, self.w)":        at + "18: add.Tensor: ",
		"if bool(x):\n      return x":        at + "8: bool() of a tensor depends on the elements of a tensor, which are not known before the program runs",
		"n = int(x)":                         at + "9: int() of a tensor depends on the elements of a tensor, which are not known before the program runs",
		"if x:\n      return x":              at + "8: the condition depends on the elements of a tensor, which are not known before the program runs",
		"while True:\n      pass":            "m.pt: code/__torch__.py:10:7: the program runs more than 2000000 statements: perhaps a loop without an end",
		"return self.forward(x)":             at + "17: calls are nested more than 400 deep",
		"return y":                           at + "12: the name y is not defined",
		"return self.y":                      at + "17: a __torch__.M has no attribute y",
		"return CONSTANTS.c2":                at + "22: the archive has 2 constants and no CONSTANTS.c2",
		"return __torch__.f(x)":              at + "22: the name __torch__.f is not defined",
		"return [1][2]":                      at + "15: index 2 is out of range for 1 items",
		"return 1 // 0":                      at + "14: division by zero",
		"a, b = (1, 2, 3)":                   at + "5: 3 values are unpacked into 2 names",
		"return [0] * 999999999":             at + "16: a list or string of more than 4194304 items",
		"assert torch.dim(x) == 7, \"rank\"": at + "5: an assertion of the model does not hold: rank",
		"ops.prim.RaiseException(\"bad\")":   at + "14: the model raises an exception: bad",
		"raise ValueError(\"bad\")":          at + "5: the model raises ValueError: bad",
		"return \"text\"":                    "m.pt: code/__torch__.py:7:7: forward returns a str",
		"pass":                               "m.pt: code/__torch__.py:7:7: forward returns no tensor",
	} {
		_, err := importBody(t, "    "+body+"\n", 2, 3)
		require.Error(t, err, body)
		assert.True(t, strings.HasPrefix(err.Error(), want), "%s: %v", body, err)
		assert.NotContains(t, err.Error(), "\n")
		var positioned *Error
		assert.True(t, errors.As(err, &positioned))
	}
	_, err := importBody(t, "    return torch.frobnicate(x)\n", 2, 3)
	var unknown *ops.UnknownError
	require.True(t, errors.As(err, &unknown))
	assert.Equal(t, "aten::frobnicate", unknown.Name)
}

func TestInputs(t *testing.T) {
	m, err := read(moduleArchive(t, "    return x\n"))
	require.NoError(t, err)
	assert.Equal(t, []string{"x"}, m.InputNames())
	f32 := ops.TensorType{DType: dtype.F32, Shape: []int{1}}
	_, err = m.Import(nil)
	assert.EqualError(t, err, "m.pt: code/__torch__.py:8:5: the input x is missing")
	_, err = m.Import([]ops.TensorType{f32, f32})
	assert.EqualError(t, err, "m.pt: code/__torch__.py:7:7: forward takes 1 tensors, got 2")
	_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{-1}}})
	assert.EqualError(t, err, "m.pt: input 0 has the type f32 [-1]")
}

// TestTypesOfInputs: tensors fill the parameters of forward in order, as their types say.
func TestTypesOfInputs(t *testing.T) {
	const names = "__torch__.M,\n    "
	for parameters, want := range map[string]string{
		"x: Tensor, y: Tensor":                      "",
		"x: Tuple[Tensor, Tuple[Tensor]]":           "",
		"x: Tensor, y: List[Tensor]":                "",
		"x: Tuple[Tensor, List[Tensor]]":            "",
		"x: Optional[Tensor], y: Optional[Tensor]":  "",
		"x: Tensor, y: Tensor, z: Optional[Tensor]": "",
		"x: Tensor, y: Tensor, z: int=3":            "",
		"x: List[Tensor], y: Optional[Tensor]=None": "",
		"x: Tensor, y: Tensor, z: Tensor":           "the input z is missing",
		"x: Tensor":                                 "forward takes 1 tensors, got 2",
		"x: Tuple[Tensor]":                          "forward takes 1 tensors, got 2",
		"x: List[Tensor], y: Tensor":                "only the last input x can be a list",
		"x: Tuple[List[Tensor], Tensor]":            "only the last input x can be a list",
		"x: Tensor, y: int":                         "the input y of type int depends on the elements of a tensor",
		"x: Tuple[Tensor, int]":                     "the input x of type int depends on the elements of a tensor",
		"x: Tensor, y: List[int]":                   "the input y of type int depends on the elements of a tensor",
		"x: Tensor, y: Tensor, z: int":              "the input z is missing",
		"x: Tensor, y: str":                         "an input of type str is not a tensor: y",
	} {
		code := "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: " + names + parameters +
			") -> Tensor:\n    return torch.ones([1])\n"
		m, err := read(pack(t, member{"m/data.pkl", pickled(pObject("__torch__.M"))}, member{"m/code/__torch__.py", code},
			member{"m/constants.pkl", pickled(")")}))
		require.NoError(t, err, parameters)
		f32 := ops.TensorType{DType: dtype.F32, Shape: []int{1}}
		_, err = m.Import([]ops.TensorType{f32, f32})
		if want == "" {
			require.NoError(t, err, parameters)
		} else {
			require.ErrorContains(t, err, want, parameters)
		}
	}
}

// A class needs a forward with a parameter self to run.
func TestNoForward(t *testing.T) {
	for method, want := range map[string]string{
		"  pass\n": "m.pt: code/__torch__.py:1:7: class __torch__.M has no method forward",
		"  def forward() -> Tensor:\n    return torch.ones([1])\n": "m.pt: code/__torch__.py:4:7: forward has no parameter self",
	} {
		m, err := read(pack(t, member{"m/data.pkl", pickled(pObject("__torch__.M"))}, member{"m/constants.pkl", pickled(")")},
			member{"m/code/__torch__.py", "class M(Module):\n  __parameters__ = []\n  __buffers__ = [5, \"a\"]\n" + method}))
		require.NoError(t, err)
		_, err = m.Import(nil)
		assert.EqualError(t, err, want)
	}
}

// The names of parameters are bounded: of a longer one the end is kept.
func TestLongNames(t *testing.T) {
	tensor := pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1})
	for n, want := range map[int]string{512: strings.Repeat("w", 512), 513: "..." + strings.Repeat("w", 509)} {
		m, err := read(pack(t, member{"m/data.pkl", pickled("}" + pText(strings.Repeat("w", n)) + tensor + "s")}, member{"m/data/0", floats32(1)}))
		require.NoError(t, err)
		assert.Equal(t, want, m.Parameters()[0].Name)
	}
}

func TestSyntaxError(t *testing.T) {
	_, err := read(moduleArchive(t, "    return (x\n"))
	assert.EqualError(t, err, "m.pt: code/__torch__.py:10:1: the file ends inside of brackets")
}

// A state_dict has parameters and no program.
func TestStateDict(t *testing.T) {
	m, err := read(oneTensor(t, pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1}), floats32(1)))
	require.NoError(t, err)
	assert.Nil(t, m.InputNames())
	assert.Zero(t, m.RequiredInputs())
	_, err = m.Import(nil)
	assert.EqualError(t, err, "m.pt: data.pkl: byte 0: the file holds Dict and no module: "+
		"it can be read for its parameters, but not run")
}

// The evaluation owns what it changes: a second one begins anew.
func TestForwardLeavesTheModelAlone(t *testing.T) {
	m, err := read(moduleArchive(t, "    torch.append(self.sizes, 5)\n"+
		"    assert torch.len(self.sizes) == 3\n    torch.add_(self.w, 1)\n    return self.w\n"))
	require.NoError(t, err)
	for range 2 {
		_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{1}}})
		require.NoError(t, err)
	}
	assert.Equal(t, 1.0, m.Parameters()[0].Data.Float64(0))
}

// warned is a Builder that keeps what it is told.
type warned struct {
	importer.Builder
	texts *[]string
}

func (w warned) Warn(text string) { *w.texts = append(*w.texts, text) }

// TestChangedParameters: a program that changes what the next call would need in PyTorch says so, and others do not.
func TestChangedParameters(t *testing.T) {
	for body, want := range map[string]string{
		"torch.add_(self.w, 1)\n    return self.w":                         "m.pt changes w in a call, and every call starts from what the file has",
		"torch.add_(torch.select(self.w, 0, 0), 1)\n    return self.w":     "m.pt changes w in a call",
		"self.w = torch.add(self.w, 1)\n    return self.w":                 "m.pt changes w in a call",
		"torch.add_(torch.clone(self.w), 1)\n    return torch.neg(self.w)": "",
	} {
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err)
		if said := warnings(t, m, 1); want == "" {
			require.Empty(t, said, body)
		} else {
			require.Len(t, said, 1, body)
			require.Contains(t, said[0], want, body)
		}
	}
	m, err := read(linear(false).archive(t))
	require.NoError(t, err)
	require.Len(t, warnings(t, m, 1, 3), 1)
}

// warnings are what a model says for an input of the given shape.
func warnings(t *testing.T, m *Model, shape ...int) (texts []string) {
	t.Helper()
	_, err := importer.Module(m.Name, m.InputNames(), []ops.TensorType{{DType: dtype.F32, Shape: shape}},
		func(b importer.Builder, in []ops.Value) ([]ops.Value, error) { return m.Forward(warned{b, &texts}, in) })
	require.NoError(t, err)
	return texts
}

// A program that works without an end stops soon and takes little memory.
func TestEndlessPrograms(t *testing.T) {
	for _, body := range []string{
		"a = [0] * 1000000\n    while True:\n      torch.insert(a, 0, 1)",
		"a = [0] * 100000\n    while True:\n      b = 1 in a",
		"s = \"a\"\n    while True:\n      s = torch.join(s, [s, s])",
		"while True:\n      torch.append(self.sizes, 1)",
		"a = [x] * 1000000\n    while True:\n      torch.append(a, x)",
	} {
		start := cputime.Used()
		_, err := importBody(t, "    "+body+"\n", 1)
		assert.ErrorContains(t, err, "more than", body)
		assert.Less(t, cputime.Used()-start, 20*time.Second, body)
	}
}

// Whatever the program does, importing it ends with a module or an error.
func FuzzForward(f *testing.F) {
	paths, _ := filepath.Glob("testdata/language/*.py")
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(source)) {
			f.Add(line)
		}
	}
	f.Add("    y = torch.mul_(x[0, :], 2)\n    return torch.add(x, y)\n")
	f.Fuzz(func(t *testing.T, body string) {
		m, err := read(moduleArchive(t, body))
		if err != nil {
			return
		}
		module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}})
		if (module == nil) == (err == nil) {
			t.Fatal(module, err)
		}
	})
}

// TestHostilePrograms: what a short program asks for is bounded, and the message says by what.
func TestHostilePrograms(t *testing.T) {
	for body, want := range map[string]string{
		"a = annotate(List[List[int]], [])\n    a.append(a)\n    return torch.cat(a)":                                           "a list of List[List[List[List[...]]]] is given",
		"a = annotate(List[List[int]], [])\n    a.append(a)\n    return a.shape":                                                "a List[List[List[List[...]]]] has no attribute shape",
		"a = annotate(List[List[int]], [])\n    a.append(a)\n    return str(a)":                                                 "forward returns a str",
		"a = [1]\n    for i in range(60):\n      a = [a, a]\n    return torch.relu(a)":                                          "is given to an operator",
		"a = [1]\n    for i in range(60):\n      a = [a, a]\n    return str(a)":                                                 "forward returns a str",
		"a = (1, 2)\n    b = (1, 2)\n    for i in range(60):\n      a = (a, 1, a)\n      b = (b, 1, b)\n    return a == b":      "more than 2000000 statements",
		"a = [1]\n    b = [1]\n    for i in range(60):\n      a = [a, a]\n      b = [b, b]\n    return a == b":                  "more than 2000000 statements",
		"for i in range(1000000):\n      y = torch.relu(x)\n    return x":                                                       "calls of operators",
		"return torch.stack([x] * 100000, 0)":                                                                                   "a list of 100000 tensors is given to an operator, which takes at most 8192",
		"return torch.unbind(torch.zeros([100000000]))[0]":                                                                      "100000000 results",
		"return torch.chunk(torch.zeros([100000000]), 100000000)[0]":                                                            "100000000 results",
		"s = \"ab\"\n    for i in range(1000000):\n      s = s + s\n    return x":                                               "the program runs more than 2000000 statements",
		"s = \"ab\"\n    for i in range(18):\n      s = s + s\n    for i in range(1000000):\n      y = s.upper()\n    return x": "more than 2000000 statements",
	} {
		start := cputime.Used()
		_, err := importBody(t, "    "+body+"\n", 2, 3)
		require.Error(t, err, body)
		assert.ErrorContains(t, err, want, body)
		assert.NotContains(t, err.Error(), "BUG")
		assert.Less(t, len(err.Error()), 1000)
		assert.Less(t, cputime.Used()-start, 10*time.Second, body)
	}
}
