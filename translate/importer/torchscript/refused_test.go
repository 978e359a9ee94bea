package torchscript

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestRefusedPrograms: what a program does that Python would not allow, or that is not known before it runs, is an
// error with its line that says what.
func TestRefusedPrograms(t *testing.T) {
	for body, want := range map[string]string{
		"d = {\"a\": 1}\n    return d[\"b\"]":             "10:13: the dict has no key b",
		"d = {[1]: 1}\n    return x":                      "a List[int] is the key of a dict",
		"d = {}\n    d[[1]] = 2\n    return x":            "a List[int] is the key of a dict",
		"d = {\"a\": 1}\n    torch.Delete(d, \"b\")":      "the dict has no key",
		"d = torch.dict([(1, 2, 3)])":                     "a dict is made of something else than pairs",
		"torch.remove([1], 2)":                            "the list does not contain 2",
		"return torch.index([1], 2)":                      "the list does not contain 2",
		"torch.extend([1], 2)":                            "a list is extended by a int",
		"a = [1]\n    a += 2":                             "a list is extended by a int",
		"return (1)[0]":                                   "a int has no items",
		"return (1)[0:1]":                                 "a int has no slices",
		"return torch.popitem({})":                        "popitem of an empty dict",
		"return torch.percentFormat(\"%d\", \"a\")":       "%d of a str",
		"return torch.percentFormat(\"%d%d\", 1)":         `too few arguments for the format "%d%d"`,
		"return torch.percentFormat(\"%d\", (1, 2))":      `too many arguments for the format "%d"`,
		"return torch.percentFormat(\"50%\", 1)":          `the format "50%" ends within a conversion`,
		"return torch.format(\"{}{}\", 1)":                `too few arguments for the format "{}{}"`,
		"return torch.percentFormat(\"%5d\", 1)":          "the conversion %5d is not supported",
		"return sorted([(None, 1), (2, 1)])":              "have no order",
		"return torch.max(x, 1, out=x)":                   "1 tensors are given for 2 results of max",
		"return 1.j / 0":                                  "division by zero",
		"return [1, 2][::0]":                              "a slice has a step of 0",
		"return [1, 2][-3]":                               "index -3 is out of range for 2 items",
		"return \"ab\"[2]":                                "index 2 is out of range for 2 items",
		"return \"a\" + 1":                                "argument self is a string, not a tensor",
		"return \"a\" + x":                                "argument self is a string, not a tensor",
		"return 1 in 2":                                   "a int contains nothing",
		"return sorted([1, \"a\"])":                       "have no order",
		"return ops.prim.max([\"a\", 1])":                 "max of a List",
		"return ops.prim.min([])":                         "min of an empty list",
		"return ops.prim.max(annotate(List[int], []))":    "max of an empty list",
		"return annotate(int)":                            "annotate takes a type and a value",
		"return isinstance(1)":                            "isinstance takes a value and a type",
		"return frobnicate(1)":                            "the function frobnicate is not defined",
		"return range(1, 2, 0)":                           "a range has a step of 0",
		"return range()":                                  "range takes 1 to 3 arguments, got 0",
		"return range(1, 2, 3, 4)":                        "range takes 1 to 3 arguments, got 4",
		"return range(\"a\")":                             "a str is used as an int",
		"return int(1, 2)":                                "a conversion takes one argument, got 2",
		"return int(\"x\")":                               "int() of \"x\"",
		"return float(\"x\")":                             "float() of \"x\"",
		"return int([1])":                                 "int() of a List[int]",
		"return int(1e300)":                               "int() of a float",
		"return int(nan)":                                 "int() of a float",
		"return torch.floor(1e300)":                       "a float is too large for an int",
		"return getattr(self, 1)":                         "an attribute is named by a int",
		"return 5 % 0":                                    "division by zero",
		"return 5. // 0.":                                 "division by zero",
		"return torch.__round_to_zero_floordiv(1, 0)":     "division by zero",
		"return torch.__lshift__(1, 64)":                  "a shift by a number of bits outside of 0 to 63",
		"return torch.__rshift__(1, -1)":                  "a shift by a number of bits outside of 0 to 63",
		"a, b = 5":                                        "a int cannot be unpacked",
		"[a, b] = [1]":                                    "1 values are unpacked into 2 names",
		"for i in 5:\n      pass":                         "a loop runs over a int",
		"raise 5":                                         "the model raises an exception",
		"x.foo = 1":                                       "an attribute of something that is no object is set",
		"return (5)(1)":                                   "a int is called",
		"return self.forward()":                           "forward lacks argument x",
		"return self.forward(x, x)":                       "forward takes 2 arguments, got 3",
		"return self.forward(x, x=x)":                     "forward gets argument x twice",
		"return self.forward(x, y=x)":                     "forward has no argument of one of the given names",
		"return self.nothing(x)":                          "has no method nothing",
		"return x[0, 0, ..., 0]":                          "more indices than dimensions",
		"return torch.size(x, 2)":                         "dimension 2 of a tensor with 2",
		"return torch.size(x, -3)":                        "dimension -3 of a tensor with 2",
		"return torch.tolist(x)":                          "tolist() of a tensor depends on the elements of a tensor",
		"return torch.tensor([[1, 2], [3]])":              "the lists of a tensor have different lengths",
		"return torch.tensor([[1], 2])":                   "the lists of a tensor have different",
		"return torch.tensor([1, [2]])":                   "the lists of a tensor have different",
		"return torch.tensor([\"a\"])":                    "a tensor of str is not supported",
		"return torch.relu({\"a\": 1})":                   "a Dict is given to an operator",
		"return torch.permute(x, [\"a\"])":                "a list of str is given to an operator",
		"return ops.prim.unchecked_unwrap_optional(None)": "an optional value is None where the program needs it",
		"return torch.item(x)":                            "depends on the elements of a tensor",
		"return [1, 2][x]":                                "an int depends on the elements of a tensor",
		"return torch.chr(-1)":                            "chr",
		"return torch.get({}, [1])":                       "a List[int] is the key of a dict",
		"return {}[[1]]":                                  "a List[int] is the key of a dict",
		"return torch.pop({\"a\": 1}, \"b\")":             "the dict has no key b",
		"torch.update({}, [1])":                           "a dict is updated by a List[int]",
		"return torch.keys([1])":                          "unknown operator aten::keys",
		"return torch._weight_int4pack_mm(x, x, 32, x)":   "operator aten::_weight_int4pack_mm is not supported: the layout of packed weights depends on the processor that packed them: quantize weights to i8",
		"return torch.get({})":                            "unknown operator aten::get",
		"return torch.setdefault({}, 1)":                  "unknown operator aten::setdefault",
		"return torch.update({})":                         "unknown operator aten::update",
		"return torch.dict(5)":                            "unknown operator aten::dict",
		"return torch.copy(5)":                            "copy: argument self is a int, not a tensor",
		"return torch.len(5)":                             "unknown operator aten::len",
		"return torch.append([1])":                        "unknown operator aten::append",
		"return torch.insert([1], 0)":                     "unknown operator aten::insert",
		"return torch.__getitem__([1])":                   "unknown operator aten::__getitem__",
		"return torch._set_item([1], 0)":                  "unknown operator aten::_set_item",
		"return torch.__contains__([1])":                  "unknown operator aten::__contains__",
		"return torch.eq([1])":                            "argument self is a list of ints, not a tensor",
		"return torch.__range_length(1, 2)":               "unknown operator aten::__range_length",
		"return torch.__derive_index(1, 2)":               "unknown operator aten::__derive_index",
		"return torch.format(1)":                          "unknown operator aten::format",
		"return torch.percentFormat(1)":                   "unknown operator aten::percentFormat",
		"return torch.join(1, [])":                        "unknown operator aten::join",
		"return torch.join(\"a\", 1)":                     "unknown operator aten::join",
		"return torch.replace(\"a\", \"b\", 1)":           "unknown operator aten::replace",
		"return torch.replace(\"a\", 1, \"b\")":           "unknown operator aten::replace",
		"return torch.upper(1)":                           "unknown operator aten::upper",
		"return torch.strip(1)":                           "unknown operator aten::strip",
		"return torch.startswith(\"a\", 1)":               "unknown operator aten::startswith",
		"return torch.find(1, \"a\")":                     "unknown operator aten::find",
		"return torch.size(5)":                            "aten::size",
		"return torch.stride(5)":                          "aten::stride",
		"return torch.dim(5)":                             "aten::dim",
		"return torch.numel([x])":                         "aten::numel",
		"return torch.device(5)":                          "aten::device",
		"return ops.prim.NumToTensor(\"a\")":              "unknown operator aten::NumToTensor",
		"return torch.tensor(1, dtype=\"a\")":             "a is no element type",
		"return torch.tensor(1, dtype=12)":                "12 is no element type",
		"return torch.tensor(self)":                       "unknown operator aten::tensor",
		"return torch.frobnicate_(x)":                     "unknown operator aten::frobnicate_",
		"return torch.frobnicate__(x)":                    "unknown operator aten::frobnicate__",
		"return torch.split_(x, 1)":                       "unknown operator aten::split_",
		"return torch.arctan2(x)":                         "arctan2: argument other is missing",
		"return torch.float([1])":                         "unknown operator aten::float",
		"return torch.unchecked_cast()":                   "unknown operator aten::unchecked_cast",
		"return wait()":                                   "an argument is missing",
		"return getattr(self)":                            "an object and the name of an attribute are needed",
		"return self[0]":                                  "a __torch__.M has no items",
		"(1, 2)[0] = 3\n    return x":                     "an item of a Tuple[int] is set",
		"raise \"bad\"":                                   "the model raises an exception: bad",
		"raise":                                           "the model raises an exception",
		"with self:\n      pass":                          "class __torch__.M has no method __enter__",
		"if uninitialized(int):\n      pass":              "a uninitialized value is no condition",
		"if range(2):\n      pass":                        "a range is no condition",
		"return \"ab\"[nan]":                              "a float is used as an int",
		"return torch.to(ops.prim.NumToTensor(1), 12)":    "12 is no element type that is supported",
		"return __torch__.M.forward()":                    "forward lacks argument self",
		"def f():\n      pass\n    return f.a":            "a function has no attribute a",
		"return __torch__.M.nothing":                      "the name __torch__.M.nothing is not defined",
		"a = __torch__.M\n    return a.nothing":           "a class has no attribute nothing",
		"return uninitialized(int).a":                     "a uninitialized value has no attribute a",
		"return (range(2)).a":                             "a range has no attribute a",
		"return (1j).a":                                   "a complex has no attribute a",
		"return (None).a":                                 "a None has no attribute a",
		"return (True).a":                                 "a bool has no attribute a",
		"return (2.5).a":                                  "a float has no attribute a",
		"return (x).a":                                    "a Tensor has no attribute a",
		"return (torch.device(\"cpu\")).a":                "a Device has no attribute a",
		"return ((1, \"a\", \"b\", x)).a":                 "a Tuple[int, str, Tensor] has no attribute a",
		"return ([1, 2, 3, 4]).a":                         "a List[int] has no attribute a",
		"return ([1, 2, 3, 4, 5]).a":                      "a List[int, ...] has no attribute a",
		"return ([[[[1]]]]).a":                            "a List[List[List[List[...]]]] has no attribute a",
		"return ([[[[]]]]).a":                             "a List[List[List[List[]]]] has no attribute a",
		"return torch.ord(\"ab\")":                        "ord",
	} {
		_, err := importBodyOf(body)
		require.Error(t, err, body)
		assert.ErrorContains(t, err, want, body)
		assert.ErrorContains(t, err, "m.pt: code/__torch__.py:", body)
		assert.NotContains(t, err.Error(), "BUG")
	}
}

// TestRefusedClasses: what a program asks of classes that they do not have.
func TestRefusedClasses(t *testing.T) {
	for body, want := range map[string]string{
		"return __torch__.P()":                                                          "__torch__.P lacks its field a",
		"return __torch__.P(b=1)":                                                       "__torch__.P lacks its field a",
		"return __torch__.P(1, 2, 3)":                                                   "__torch__.P has 2 fields, got 3 values",
		"return __torch__.P(1).c":                                                       "a Tuple[int] has no attribute c",
		"return __torch__.E(5)":                                                         "__torch__.E has no member of this value",
		"return __torch__.E(1, 2)":                                                      "__torch__.E has no member of this value",
		"return __torch__.E.C":                                                          "the name __torch__.E.C is not defined",
		"return __torch__.bad.f(x)":                                                     "code/__torch__/bad.py:1:5: a name expected",
		"return __torch__.E.A.text":                                                     "the name __torch__.E.A.text is not defined",
		"e = __torch__.E.A\n    return e.text":                                          "a __torch__.E has no attribute text",
		"return __torch__.Empty()(x)":                                                   "a __torch__.Empty is called",
		"return __torch__.Empty().f(x)":                                                 "class __torch__.Empty has no method f",
		"return __torch__.G.twice()":                                                    "twice lacks argument x",
		"return [1, 2][0:1, 1]":                                                         "a slice stands outside of brackets",
		"return torch.relu(__torch__.E.A)":                                              "a __torch__.E is given to an operator",
		"return sorted([__torch__.E.A, __torch__.E.B])":                                 "a __torch__.E and a __torch__.E have no order",
		"return ops.quantized.linear(x, [1])":                                           "argument 1 is a List[int] instead of packed parameters",
		"return torch.quantize_per_tensor(1, 0.1, 0, 13)":                               "argument 0 is a int instead of a tensor",
		"return torch.quantize_per_tensor(x, [1], 0, 13)":                               "scale is a List[int]",
		"return torch.quantize_per_tensor(x, 0.1, [1], 13)":                             "a List[int] is used as an int",
		"return ops.quantized.quantized_gru_cell_dynamic(x, [], v, v, x, x)":            "the state is a List[]",
		"return ops.quantized.add(x, x, 0.5, 10)":                                       "quantized::add with such arguments is not supported",
		"q = torch.quantize_per_tensor(x, 0.1, 0, 12)\n    return ops.quantized.add(q)": "quantized::add with such arguments is not supported",
		"q = torch.quantize_per_tensor(x, 0.1, 0, 12)\n    return ops.quantized.conv2d_prepack(q, None, [1, 1, 1], [0], [1], 1)": "3 numbers for 2 dimensions",
		"q = torch.quantize_per_tensor(x, 0.1, 0, 12)\n    return (ops.quantized.linear_prepack(q, None)).a":                     "a packed parameters has no attribute a",
		"q = torch.quantize_per_tensor(x, 0.1, 0, 12)\n    return q.a":                                                           "a quantized Tensor of i8 has no attribute a",
	} {
		m, err := keeping(t, "N", body)
		require.NoError(t, err, body)
		_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}})
		require.Error(t, err, body)
		assert.ErrorContains(t, err, want, body)
		assert.NotContains(t, err.Error(), "BUG")
	}
}

// importBodyOf imports a forward with a body, whose code may be malformed.
func importBodyOf(body string) (string, error) {
	m, err := read(moduleArchive(nil, "    "+body+"\n"))
	if err != nil {
		return "", err
	}
	_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}})
	return "", err
}

// keeping is an archive whose object has an attribute with a pickled value, and a forward that looks at it.
func keeping(t testing.TB, pickle, body string) (*Model, error) {
	return read(pack(t,
		member{"m/data.pkl", pickled(pObject("__torch__.M", "v", pickle))},
		member{"m/data/0", floats32(1, 2, 3, 4)},
		member{"m/data/none", ""},
		member{"m/data/ones", strings.Repeat("\x01\x00", 8)},
		member{"m/code/__torch__/bad.py", "def 1():\n"},
		member{"m/folder/", ""}, // folders are no members, however often they are there
		member{"m/folder/", ""},
		member{"m/code/__torch__.py", "class E(Enum):\n  A = 1\n  B = \"two\"\nclass P(NamedTuple):\n  a : int\n  b : int = 7\n" +
			"class G:\n  def __getitem__(self: __torch__.G,\n    i: int) -> int:\n    return i\n  def twice(x: int) -> int:\n    return 2 * x\n" +
			"class Empty(Module):\n  pass\nclass M(Module):\n  __parameters__ = []\n  __buffers__ = []\n" +
			"  v : Any\n  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    v = self.v\n    " + body + "\n    return x\n"},
		member{"m/constants.pkl", pickled(")")}))
}

// complexNumber is a complex number of two floats.
func complexNumber(re, im float64) string {
	float := func(f float64) string { return "G" + string(binary.BigEndian.AppendUint64(nil, math.Float64bits(f))) }
	return pGlobal("builtins", "complex") + "(" + float(re) + float(im) + "tR"
}

// TestObjects: the values that PyTorch writes into a model are those that the program finds.
func TestObjects(t *testing.T) {
	for _, c := range []struct{ pickle, body string }{
		{pInt(5), "assert v == 5"},
		{"\x88", "assert v == True and isinstance(v, bool)"},
		{"N", "assert v is None"},
		{pText("ab"), "assert v == \"ab\""},
		{"](" + pInt(1) + pText("b") + "e", "assert v[0] == 1 and v[1] == \"b\" and len(v) == 2"},
		{pInts(1, 2), "assert v == (1, 2) and isinstance(v, tuple)"},
		{"}(" + pText("a") + pInt(1) + pInt(2) + pText("b") + "u", "assert v[\"a\"] == 1 and v[2] == \"b\""},
		{pGlobal("collections", "OrderedDict") + ")R(" + pText("a") + pInt(1) + "u", "assert v[\"a\"] == 1 and len(v) == 1"},
		{pGlobal("collections", "OrderedDict") + "(](" + pInts(7, 8) + pInts(9, 10) + "etR", "assert v == {7: 8, 9: 10}"},
		{pGlobal("torch", "float64"), "assert v == 7"},
		{pGlobal("torch", "int8"), "assert v == 1"},
		{pGlobal("torch", "device") + "(" + pText("cpu") + "tR", "assert v == torch.device(\"cpu\")"},
		{"(" + complexNumber(1, 2) + complexNumber(1, 2) + complexNumber(2, 1) + "t",
			"assert isinstance(v[0], complex) and v[0] in [v[1]] and v[0] not in [v[2]]"},
		{pGlobal("torch", "Size") + "(" + pInts(2, 3) + "tR", "assert v == (2, 3)"},
		{pGlobal("torch.jit._pickle", "build_intlist") + "(](" + pInt(4) + pInt(5) + "etR", "assert v == [4, 5]"},
		{pGlobal("torch.jit._pickle", "restore_type_tag") + "(](" + pInt(4) + "e" + pText("List[int]") + "tR", "assert v == [4]"},
		{pGlobal("__torch__", "E") + "(" + pInt(1) + "tR", "assert v == __torch__.E.A and (v).name == \"A\" and isinstance(v, __torch__.E)"},
		{pGlobal("__torch__", "E") + "(" + pText("two") + "tR", "assert v == __torch__.E.B and v != __torch__.E.A and (v).value == \"two\""},
		{pTensor("FloatStorage", "0", 4, 1, []int{2}, []int{2}), "assert torch.size(v) == [2]"},
		{pTensor("FloatStorage", "0", 4, 3, nil, nil), "assert torch.size(v) == []"},
		{pTensor("FloatStorage", "none", 0, 0, []int{0, 3}, []int{3, 1}), "assert torch.size(v) == [0, 3]"},
		{pInt(1), "assert __torch__.P(1).b == 7 and __torch__.P(b=2, a=1) == (1, 2) and __torch__.P(1, b=3)[1] == 3 and __torch__.P(1, 2).a == v"},
		{pInt(1), "assert __torch__.E(1) == __torch__.E.A and str(__torch__.E.A) == \"Enum<E.A>\" and str({__torch__.E.B: 1}) == \"{Enum<E.B>: 1}\" and __torch__.E.A"},
		{pInt(3), "g = __torch__.G()\n    assert g[v] == 3 and __torch__.G.twice(v) == 6 and isinstance(g, __torch__.G)"},
		{pGlobal("__torch__", "E"), "assert (v).A == __torch__.E.A and v"},
		{pGlobal("__torch__", "Empty") + ")\x81", "assert isinstance(v, __torch__.Empty) and not hasattr(v, \"a\")"},
		{pGlobal("__torch__", "Empty") + "(K\x01tR", "assert isinstance(v, __torch__.Empty)"},
		{"(}q\x01h\x01t", "d = v[0]\n    d[1] = 2\n    assert torch.__is__(v[0], v[1]) and v[1] == {1: 2}"},
		{"((K\x01tq\x01h\x01t", "assert torch.__is__(v[0], v[1])"},
		{"](" + strings.Repeat("K\x01\x85", 3000) + "e", "assert len(v) == 3000 and v[2999] == (1, )"},
		{"(]q\x01K\x05ah\x01t", "assert torch.__is__(v[0], v[1]) and v[0] == [5]"},
		{"]q\x01h\x01a", "assert torch.__is__(v[0], v)"},
		{"B\x02\x00\x00\x00ab", "assert v == \"ab\""},
		{pGlobal("torch._utils", "_rebuild_tensor_v3") + "((" + pText("storage") + pGlobal("torch", "UntypedStorage") + pText("0") + pText("cpu") + pInt(16) + "tQ" +
			pInt(0) + pInts(2) + pInts(1) + "\x89" + pGlobal("collections", "OrderedDict") + ")R" + pGlobal("torch", "float64") + "tR",
			"assert torch.size(v) == [2] and ops.prim.dtype(v) == 7"},
		{"](" + strings.Repeat("K\x01", 6) + "e", "torch.Delete(v, 0)\n    torch.insert(v, 1, 2)\n    assert v == [1, 2, 1, 1, 1, 1]"},
	} {
		m, err := keeping(t, c.pickle, c.body)
		require.NoError(t, err, c.body)
		_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}})
		require.NoError(t, err, c.body)
	}
}

// TestRefusedObjects: what else is in a file is refused with its place.
func TestRefusedObjects(t *testing.T) {
	tensorOf := func(args string) string {
		return pGlobal("torch._utils", "_rebuild_tensor_v2") + "(" + args + "tR"
	}
	storage := "(" + pText("storage") + pGlobal("torch", "FloatStorage") + pText("0") + pText("cpu") + pInt(4) + "tQ"
	quantizedStorage := "(" + pText("storage") + pGlobal("torch", "QInt8Storage") + pText("0") + pText("cpu") + pInt(4) + "tQ" + pInt(0) + pInts(2) + pInts(1)
	q := pGlobal("torch._utils", "_rebuild_qtensor") + "(" + quantizedStorage + "(" + pGlobal("torch", "per_tensor_affine") + "F0.5\n" + pInt(0) + "t\x89" +
		pGlobal("collections", "OrderedDict") + ")RtR"
	numbers := func(n int) string { // of a convolution of one dimension: all are 1
		return pTensor("ShortStorage", "ones", 8, 0, []int{n}, []int{1})
	}
	packedOf := func(class, state string) string {
		return pGlobal("__torch__.torch.classes.quantized", class) + ")\x81" + state + "b"
	}
	for _, good := range []string{packedOf("LinearPackedParamsBase", "("+q+"Nt"), packedOf("EmbeddingPackedParamsBase", "("+pInt(1)+"("+q+"t)]t"),
		packedOf("Conv2dPackedParamsBase", "("+pText("2")+"("+numbers(7)+q+"t(Ntt"), packedOf("Conv3dPackedParamsBase", "("+pText("2")+"("+numbers(7)+q+"t(Ntt")} {
		_, err := keeping(t, good, "pass")
		require.NoError(t, err, "%q", good)
	}
	for pickle, want := range map[string]string{
		pGlobal("os", "system") + "(" + pText("ls") + "tR":       "os.system is not among the functions that a model's file may name",
		pGlobal("os", "system"):                                  "the global os.system has no meaning in a model",
		pGlobal("torch", "nothing"):                              "the global torch.nothing has no meaning in a model",
		pGlobal("torch.nn.modules.linear", "Linear") + ")R":      "save the model by torch.jit.save instead of torch.save",
		pGlobal("__main__", "Net") + ")R":                        "save the model by torch.jit.save instead of torch.save",
		pGlobal("torch._utils", "_rebuild_sparse_tensor") + ")R": "sparse tensors (torch._utils._rebuild_sparse_tensor) are not supported",
		pGlobal("torch._tensor", "_rebuild_from_type_v2") + "(" + pGlobal("torch._utils", "_rebuild_wrapper_subclass") + pGlobal("torchao.quantization", "Int8Tensor") + ")NtR": "a tensor of the Python class torchao.quantization.Int8Tensor: call run_decompositions()",
		pGlobal("torch._tensor", "_rebuild_from_type_v2") + ")R":               "a tensor of a Python class needs 4 arguments, got 0",
		pGlobal("torch._utils", "_rebuild_qtensor") + ")R":                     "a quantized tensor needs 5 arguments, got 0",
		pGlobal("__torch__", "E") + "(" + pInt(3) + "tR":                       "has no member of this value",
		pGlobal("__torch__", "Nothing") + ")R":                                 "Nothing",
		pGlobal("torch", "device") + ")R":                                      "a device lacks its name",
		pGlobal("torch", "device") + "(" + pInt(1) + "tR":                      "a device lacks its name",
		pGlobal("builtins", "complex") + "(" + pInt(1) + "tR":                  "a complex number lacks its parts",
		pGlobal("builtins", "complex") + pInts(1, 2) + "R":                     "a complex number lacks its parts",
		pGlobal("torch", "Size") + ")R":                                        "lacks its argument",
		pGlobal("collections", "OrderedDict") + "(" + pInt(1) + "tR":           "OrderedDict of",
		pGlobal("collections", "OrderedDict") + "(](" + pInts(1) + "etR":       "OrderedDict of something else than pairs",
		pGlobal("collections", "OrderedDict") + "(](" + pInts(1, 2, 3) + "etR": "OrderedDict of something else than pairs",
		pGlobal("collections", "OrderedDict") + "(]((]" + pInt(2) + "tetR":     "OrderedDict of something else than pairs",
		"}(" + "](" + pInt(1) + "e" + pInt(2) + "u":                            "is the key of a dict",
		pGlobal("__torch__", "Empty") + ")\x81" + pInt(1) + "b":                "not a dict",
		pGlobal("__torch__", "Empty") + ")\x81}(" + pInt(1) + pInt(2) + "ub":   "an attribute of __torch__.Empty is named by",
		tensorOf(storage + pInt(0) + pInts(2)):                                 "a tensor needs 4 arguments, got 3",
		tensorOf(pInt(1) + pInt(0) + pInts(2) + pInts(1)):                      "the arguments of a tensor are malformed",
		tensorOf(storage + pText("0") + pInts(2) + pInts(1)):                   "the arguments of a tensor are malformed",
		tensorOf(storage + pInt(0) + pInts(2) + pInts(1, 1)):                   "the arguments of a tensor are malformed",
		tensorOf(storage + pInt(0) + pInts(-2) + pInts(1)):                     "the arguments of a tensor are malformed",
		tensorOf(storage + pInt(0) + pInt(2) + pInt(1)):                        "the arguments of a tensor are malformed",
		tensorOf(storage + pInt(0) + "(" + pText("2") + "t" + pInts(1)):        "the arguments of a tensor are malformed",
		pTensor("FloatStorage", "0", 4, 3, []int{2}, []int{1}):                 "",
		pTensor("FloatStorage", "0", 4, 0, make([]int, 65), make([]int, 65)):   "the arguments of a tensor are malformed",
		pTensor("FloatStorage", "0", -1, 0, []int{0}, []int{1}):                "a reference to a storage is malformed",
		tensorOf("(" + pText("storing") + pGlobal("torch", "FloatStorage") + pText("0") + pText("cpu") + pInt(4) + "tQ" + pInt(0) + pInts(2) + pInts(1)): "a persistent id does not name a storage",
		tensorOf("(" + pText("storage") + pGlobal("torch", "FloatStorage") + pText("0") + pText("cpu") + "tQ" + pInt(0) + pInts(2) + pInts(1)):           "a persistent id does not name a storage",
		tensorOf("(" + pText("storage") + pText("FloatStorage") + pText("0") + pText("cpu") + pInt(4) + "tQ" + pInt(0) + pInts(2) + pInts(1)):            "a reference to a storage is malformed",
		tensorOf("(" + pText("storage") + pGlobal("torch", "FloatStorage") + pInt(0) + pText("cpu") + pInt(4) + "tQ" + pInt(0) + pInts(2) + pInts(1)):    "a reference to a storage is malformed",
		pTensor("NothingStorage", "0", 4, 0, []int{2}, []int{1}):                                                                                         "NothingStorage",
		pTensor("FloatStorage", "9", 4, 0, []int{2}, []int{1}):                                                                                           "data/9",
		pTensor("FloatStorage", "0", 5, 0, []int{2}, []int{1}):                                                                                           "data/0",
		"((" + pText("storage") + "tQ" + "t":                 "",
		pGlobal("torch.jit._pickle", "build_intlist") + ")R": "lacks its argument",
		pGlobal("torch._utils", "_rebuild_parameter") + ")R": "lacks its argument",
		"K\x01(" + "tR":                 "is called",
		"]q\x01\x85q\x02h\x01h\x02a0":   "a tuple contains itself",
		pGlobal("__torch__", "Nothing"): "the archive's code has no class __torch__.Nothing",
		"(\x91":                         "a set is not supported",
		"P1\n":                          "a persistent reference is not supported",
		strings.Repeat("(", 2001) + strings.Repeat("t", 2001):                                                                                                                "nested more than 2000 deep",
		pTensor("UntypedStorage", "0", 16, 0, []int{2}, []int{1}):                                                                                                            "the element type of a tensor is unknown",
		tensorOf(storage + pInt(0) + pGlobal("torch", "Size") + ")R" + pInts(1)):                                                                                             "the arguments of a tensor are malformed",
		pGlobal("torch._utils", "_rebuild_qtensor") + "(" + quantizedStorage + "NtR":                                                                                         "the quantizer of a tensor is malformed",
		pGlobal("torch._utils", "_rebuild_qtensor") + "(" + quantizedStorage + pInts(1, 2) + "tR":                                                                            "the quantizer of a tensor is malformed",
		pGlobal("torch._utils", "_rebuild_qtensor") + "(" + quantizedStorage + pInts(1, 2, 3) + "tR":                                                                         "the quantizer of a tensor is malformed or not supported",
		pGlobal("torch._utils", "_rebuild_qtensor") + "(" + quantizedStorage + "(" + pGlobal("torch", "per_tensor_affine") + pInt(1) + pInt(2) + "ttR":                       "the quantizer of a tensor is malformed or not supported",
		pGlobal("torch._utils", "_rebuild_qtensor") + "(" + quantizedStorage + "(" + pGlobal("torch", "per_channel_affine") + pInt(1) + pInt(2) + pInt(0) + "ttR":            "the quantizer of a tensor is malformed or not supported",
		pGlobal("torch._utils", "_rebuild_qtensor") + "(" + storage + pInt(0) + pInts(2) + pInts(1) + "(" + pGlobal("torch", "per_tensor_affine") + "F1\n" + pInt(2) + "ttR": "the quantizer of a tensor is malformed",
		pGlobal("__torch__.torch.classes.quantized", "LinearPackedParamsBase") + ")\x81" + pInts(1, 2) + "b":                                                                 "packed parameters of class __torch__.torch.classes.quantized.LinearPackedParamsBase are malformed",
		pGlobal("__torch__.torch.classes.quantized", "LinearPackedParamsBase") + ")\x81" + pInts(1) + "b":                                                                    "packed parameters of class",
		pGlobal("__torch__.torch.classes.quantized", "EmbeddingPackedParamsBase") + ")\x81" + pInts(1, 2, 3, 4) + "b":                                                        "packed parameters of class",
		pGlobal("__torch__.torch.classes.quantized", "Conv2dPackedParamsBase") + ")\x81(" + pText("2") + pInts(1) + pInts(2) + "tb":                                          "packed parameters of class",
		pGlobal("__torch__.torch.classes.quantized", "Conv2dPackedParamsBase") + ")\x81(" + pText("2") + pInts(1, 2) + pInts(2) + "tb":                                       "packed parameters of class",
		packedOf("Nothing", "("+q+"Nt"):                                                        "packed parameters of class __torch__.torch.classes.quantized.Nothing are malformed",
		packedOf("LinearPackedParamsBase", "("+q+pInt(1)+"t"):                                  "packed parameters of class",
		packedOf("LinearPackedParamsBase", "("+q+"NNt"):                                        "packed parameters of class",
		packedOf("EmbeddingPackedParamsBase", "("+pInt(2)+"("+q+"t)]t"):                        "packed parameters of class",
		packedOf("EmbeddingPackedParamsBase", "("+pInt(1)+"("+q+"Nt)]t"):                       "packed parameters of class",
		packedOf("EmbeddingPackedParamsBase", "("+pInt(1)+"("+q+"t)t"):                         "packed parameters of class",
		packedOf("Conv2dPackedParamsBase", "("+pText("3")+"("+numbers(7)+q+"t(Ntt"):            "packed parameters of class",
		packedOf("Conv4dPackedParamsBase", "("+pText("2")+"("+numbers(7)+q+"t(Ntt"):            "packed parameters of class",
		packedOf("Conv2dPackedParamsBase", "("+pText("2")+"("+numbers(6)+q+"t(Ntt"):            "packed parameters of class",
		packedOf("Conv2dPackedParamsBase", "("+pText("2")+"("+numbers(7)+q+"t)t"):              "packed parameters of class",
		packedOf("Conv2dPackedParamsBase", "("+pText("2")+"("+numbers(7)+"t(Ntt"):              "packed parameters of class",
		pGlobal("__torch__.torch.classes.rnn", "CellParamsBase") + ")\x81" + pInts(1, 2) + "b": "parameters of class __torch__.torch.classes.rnn.CellParamsBase are malformed",
		pGlobal("__torch__.torch.classes.rnn", "Other") + ")\x81" + pInts(1, 2, 3, 4, 5) + "b": "parameters of class __torch__.torch.classes.rnn.Other are malformed",
	} {
		_, err := keeping(t, pickle, "pass")
		require.Error(t, err, "%q", pickle)
		assert.ErrorContains(t, err, want, "%q", pickle)
		assert.NotContains(t, err.Error(), "BUG")
	}
}

// TestTensorsOfExtents: a size may be a tuple, a list or a torch.Size.
func TestTensorsOfExtents(t *testing.T) {
	storage := "(" + pText("storage") + pGlobal("torch", "FloatStorage") + pText("0") + pText("cpu") + pInt(4) + "tQ"
	for _, dims := range []string{pInts(2, 2), "](" + pInt(2) + pInt(2) + "e", pGlobal("torch", "Size") + "(" + pInts(2, 2) + "tR"} {
		m, err := keeping(t, pGlobal("torch._utils", "_rebuild_tensor")+"("+storage+pInt(0)+dims+pInts(1, 2)+"tR",
			"assert torch.size(v) == [2, 2]")
		require.NoError(t, err)
		_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{1}}})
		require.NoError(t, err)
		require.Equal(t, []float32{1, 3, 2, 4}, buf.Slice[float32](m.Parameters()[0].Data))
	}
}
