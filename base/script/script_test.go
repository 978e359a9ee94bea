package script

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// show writes an expression with every grouping in parentheses.
func show(e Expr) string {
	list := func(items []Expr) string {
		parts := make([]string, len(items))
		for i, item := range items {
			parts[i] = show(item)
		}
		return strings.Join(parts, " ")
	}
	switch e := e.(type) {
	case nil:
		return "_"
	case *Name:
		return e.Name
	case *Literal:
		if e.Value == nil {
			return "None"
		}
		return fmt.Sprintf("%#v", e.Value)
	case *Attribute:
		return show(e.X) + "." + e.Name
	case *Subscript:
		return show(e.X) + "[" + show(e.Index) + "]"
	case *Slice:
		return show(e.Low) + ":" + show(e.High) + ":" + show(e.Step)
	case *Call:
		s := show(e.Func) + "(" + list(e.Args)
		for _, k := range e.Keywords {
			s += " " + k.Name + "=" + show(k.Value)
		}
		return s + ")"
	case *List:
		return "[" + list(e.Items) + "]"
	case *Tuple:
		return "tuple(" + list(e.Items) + ")"
	case *Dict:
		s := "{"
		for i, k := range e.Keys {
			s += show(k) + ":" + show(e.Values[i]) + " "
		}
		return s + "}"
	case *Unary:
		return "(" + e.Op + " " + show(e.X) + ")"
	case *Binary:
		return "(" + show(e.X) + " " + e.Op + " " + show(e.Y) + ")"
	case *Compare:
		s := "(" + show(e.X)
		for i, op := range e.Ops {
			s += " " + op + " " + show(e.Ys[i])
		}
		return s + ")"
	case *Conditional:
		return "(" + show(e.Then) + " if " + show(e.Condition) + " else " + show(e.Else) + ")"
	}
	return fmt.Sprintf("%T", e)
}

func TestExpressions(t *testing.T) {
	for source, want := range map[string]string{
		"1 + 2 * 3 - 4":                "((1 + (2 * 3)) - 4)",
		"-x ** -y ** 2":                "(- (x ** (- (y ** 2))))",
		"not a or b and c == d":        "((not a) or (b and (c == d)))",
		"not not a":                    "(not (not a))",
		"a < b <= c is not None":       "(a < b <= c is not None)",
		"a not in b":                   "(a not in b)",
		"a | b ^ c & d << 1 + 2":       "(a | (b ^ (c & (d << (1 + 2)))))",
		"a // b % c / d @ e":           "((((a // b) % c) / d) @ e)",
		"a if b else c if d else e":    "(a if b else (c if d else e))",
		"~-+x":                         "(~ (- (+ x)))",
		"x[1:2, ::3, None, :, -1]":     "x[tuple(1:2:_ _:_:3 None _:_:_ -1)]",
		"x[0][a,].b.c()":               "x[0][tuple(a)].b.c()",
		"(m).forward(x, )":             "m.forward(x)",
		"f(a, b=1, c=[2, ])":           "f(a b=1 c=[2])",
		"()":                           "tuple()",
		"(1,)":                         "tuple(1)",
		"(1)":                          "1",
		"1, 2":                         "tuple(1 2)",
		"{}":                           "{}",
		`{"a": 1, "b": {},}`:           `{"a":1 "b":{} }`,
		"annotate(List[int], [])":      "annotate(List[int] [])",
		"9223372036854775807":          "9223372036854775807",
		"-9223372036854775808":         "-9223372036854775808",
		"0.":                           "0",
		".5":                           "0.5",
		"1.0000000000000001e-05":       "1e-05",
		"1e400":                        "+Inf",
		"-inf":                         "(- inf)",
		"0x1F":                         "31",
		"1_000":                        "1000",
		"2.5j":                         "(0+2.5i)",
		"-0.":                          "-0",
		"1e+5 + 1E-5 - 0xe+1":          "(((100000 + 1e-05) - 14) + 1)",
		"1.5e3":                        "1500",
		"a[1:][:2][::][:, 1]":          "a[1:_:_][_:2:_][_:_:_][tuple(_:_:_ 1)]",
		"a[...]":                       "a[...]",
		"1@b":                          "(1 @ b)",
		"[1]":                          "[1]",
		"{1:2}":                        "{1:2 }",
		"a is b":                       "(a is b)",
		"a in b in c":                  "(a in b in c)",
		"+1":                           "(+ 1)",
		"- 1":                          "-1",
		"(a, b)":                       "tuple(a b)",
		"[]":                           "[]",
		"[a]":                          "[a]",
		"f()()":                        "f()()",
		"True and False or None":       "((true and false) or None)",
		`"a\\\n" "b"`:                  `"a\\\nb"`,
		`"\a\b\f\r\t\v\'\0\12\1234"`:   `"\a\b\f\r\t\v'\x00\nS4"`,
		`"\U0001f600\xe9"`:             `"😀\xe9"`,
		`""`:                           `""`,
		`"a" 'b'`:                      `"ab"`,
		`"\x41\101\n\\\"\u00e9\q"`:     `"AA\n\\\"é\\q"`,
		"'\\000\\377'":                 `"\x00\xff"`,
		"Tuple[()]":                    "Tuple[tuple()]",
		"Callable[[int], Tensor]":      "Callable[tuple([int] Tensor)]",
		"torch.add(x,\n     y) # note": "torch.add(x y)",
		"f(x)[\n 1\n ]":                "f(x)[1]",
		"a.range.print":                "a.range.print",
		"été":                          "été",
	} {
		file, err := Parse("f.py", "def f():\n  return "+source+"\n")
		require.NoError(t, err, source)
		assert.Equal(t, want, show(file.Functions[0].Body[0].(*Return).Value), source)
	}
}

// showAll writes statements in one line, each block in braces.
func showAll(body []Stmt) string {
	var out []string
	optional := func(before string, e Expr) string {
		if e == nil {
			return ""
		}
		return before + show(e)
	}
	for _, s := range body {
		text := fmt.Sprintf("%T", s)
		switch s := s.(type) {
		case *Assign:
			text = ""
			for i, target := range s.Targets {
				if i > 0 {
					text += " = "
				}
				text += show(target)
			}
			text += optional(": ", s.Type) + optional(" = ", s.Value)
		case *AugmentedAssign:
			text = show(s.Target) + " " + s.Op + "= " + show(s.Value)
		case *ExprStmt:
			text = show(s.Value)
		case *Return:
			text = "return" + optional(" ", s.Value)
		case *If:
			text = "if " + show(s.Condition) + " {" + showAll(s.Then) + "} {" + showAll(s.Else) + "}"
		case *While:
			text = "while " + show(s.Condition) + " {" + showAll(s.Body) + "}"
		case *For:
			text = "for " + show(s.Target) + " in " + show(s.Iterable) + " {" + showAll(s.Body) + "}"
		case *With:
			text = "with " + show(s.Context) + optional(" as ", s.Target) + " {" + showAll(s.Body) + "}"
		case *Raise:
			text = "raise" + optional(" ", s.Value)
		case *Assert:
			text = "assert " + show(s.Condition) + optional(", ", s.Message)
		case *Define:
			text = "def " + s.Function.Name + " {" + showAll(s.Function.Body) + "}"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// TestStatements: each form of a statement, with and without the end of the last line, in blocks of one line and more.
func TestStatements(t *testing.T) {
	for source, want := range map[string]string{
		"pass":                                  "*script.Pass",
		"while a:\n    break\n    continue":     "while a {*script.Break; *script.Continue}",
		"return":                                "return",
		"return 1, 2":                           "return tuple(1 2)",
		"return 1,":                             "return tuple(1)",
		"raise":                                 "raise",
		"raise E(1)":                            "raise E(1)",
		"assert a":                              "assert a",
		"assert a, b":                           "assert a, b",
		"a = b = c, d":                          "a = b = tuple(c d)",
		"a, b, = c":                             "tuple(a b) = c",
		"(a, [b, c.d]), = x[0], ":               "tuple(tuple(a [b c.d])) = tuple(x[0])",
		"[a, b] = c":                            "[a b] = c",
		"a : int":                               "a: int",
		"a.b : List[int] = c, d":                "a.b: List[int] = tuple(c d)",
		"f(a)\n  g(b)":                          "f(a); g(b)",
		"f(a);\n  g(b)":                         "f(a); g(b)",
		"f(a); g(b); h()":                       "f(a); g(b); h()",
		"a = \\\n 1\n\n  # nothing\n\tb = 2":    "",
		"a = \\\n 1\n\n     # nothing\n  b = 2": "a = 1; b = 2",
		"if a: b":                               "if a {b} {}",
		"if a:\n    b\n  else:\n    c\n  d":     "if a {b} {c}; d",
		"if a: b\n  elif c: d\n  elif e: f\n  else: g": "if a {b} {if c {d} {if e {f} {g}}}",
		"if a:\n    if b:\n      c\n  d":               "if a {if b {c} {}} {}; d",
		"for a in b: c":                                "for a in b {c}",
		"for a, b in c, d: e":                          "for tuple(a b) in tuple(c d) {e}",
		"for a, in b,: c":                              "for tuple(a) in tuple(b) {c}",
		"for a.b, c[0] in d:\n    e":                   "for tuple(a.b c[0]) in d {e}",
		"with a: b":                                    "with a {b}",
		"with a() as b.c:\n    d":                      "with a() as b.c {d}",
		"def g(a, *, b: int=1) -> int: return a":       "def g {return a}",
		"a += 1, 2":                                    "a += tuple(1 2)",
		"a.b -= 1":                                     "a.b -= 1",
		"a[0] *= 1":                                    "a[0] *= 1",
		"a /= b\n  a //= b\n  a %= b\n  a **= b\n  a &= b\n  a |= b\n  a ^= b\n  a <<= b\n  a >>= b\n  a @= b": "a /= b; a //= b; a %= b; a **= b; a &= b; a |= b; a ^= b; a <<= b; a >>= b; a @= b",
	} {
		for _, end := range []string{"\n", "", "\n\n  \n", " # done", "\n# done"} {
			file, err := Parse("f.py", "def f():\n  "+source+end)
			if want == "" {
				require.Error(t, err, source)
				continue
			}
			require.NoError(t, err, source)
			require.Len(t, file.Functions, 1)
			assert.Equal(t, want, showAll(file.Functions[0].Body), source)
		}
	}
}

// TestClasses: what a class declares, and what stands around classes and says nothing.
func TestClasses(t *testing.T) {
	file, err := Parse("f.py", "import torch\nfrom torch import nn, jit\nop_version_set = 3\nclass A:\nclass B(torch.nn.Module):\n"+
		"  \"what it is\"\n  pass\n  a : int\n  b : Final[int] = 2\n  c = 3\n  __annotations__[\"0\"] = T\n"+
		"  def f(self): pass\n  d : str\ndef g(): pass\nclass C():\n  pass\nimport last")
	require.NoError(t, err)
	assert.Equal(t, 3, file.Version)
	require.Len(t, file.Functions, 1)
	var classes []string
	for _, c := range file.Classes {
		text := c.Name + "(" + c.Base + ")"
		for _, f := range c.Fields {
			text += fmt.Sprintf(" %s:%s=%s", f.Name, show(f.Type), show(f.Value))
		}
		for _, m := range c.Methods {
			text += " " + m.Name + "()"
		}
		classes = append(classes, text)
	}
	assert.Equal(t, []string{"A()", "B(Module) a:int=_ b:Final[int]=2 c:_=3 0:T=_ d:str=_ f()", "C()"}, classes)
}

func TestDeclarations(t *testing.T) {
	source, err := os.ReadFile("testdata/scripted.py")
	require.NoError(t, err)
	file, err := Parse("scripted.py", string(source))
	require.NoError(t, err)
	assert.Equal(t, 1, file.Version)
	require.Len(t, file.Classes, 4)
	module := file.Classes[0]
	assert.Equal(t, "Module", module.Base)
	assert.Equal(t, "Final[float]", show(module.Field("scale").Type))
	assert.Equal(t, 0.5, module.Field("scale").Value.(*Literal).Value)
	assert.Nil(t, module.Field("weight").Value)
	assert.Nil(t, module.Field("absent"))
	forward := module.Method("forward")
	require.Len(t, forward.Parameters, 4)
	assert.False(t, forward.Parameters[1].KeywordOnly)
	assert.True(t, forward.Parameters[2].KeywordOnly)
	assert.Equal(t, "None", show(forward.Parameters[2].Default))
	assert.Equal(t, "Tuple[tuple(Tensor Dict[tuple(str int)])]", show(forward.Result))
	assert.Equal(t, Position{"scripted.py", 11, 7}, forward.Position)
	loop := forward.Body[4].(*For)
	assert.Equal(t, "scripted.py:23:5", loop.Pos().String())
	assert.Len(t, loop.Body, 1)
	assert.Equal(t, "Enum", file.Classes[2].Base)
	assert.Empty(t, file.Classes[3].Fields)
	assert.Equal(t, "((((2 ** (- x)) // 3) % 4) | ((~ x) ^ (1 << 2)))",
		show(file.Functions[0].Body[0].(*Return).Value))
}

func TestErrors(t *testing.T) {
	for source, want := range map[string]string{
		"x = 1\n":                                                       "f.py:1:1: a class or a function expected",
		"def f(:\n":                                                     `f.py:1:7: a name expected, not ":"`,
		"def f():\n":                                                    "f.py:2:1: an indented block expected, not the end of the file",
		"def f():\n  return (1\n":                                       "f.py:3:1: the file ends inside of brackets",
		"def f():\n  return \"abc\n":                                    "f.py:2:14: a string is not closed on its line",
		"def f():\n  return \"abc":                                      "f.py:2:14: the file ends inside of a string",
		"def f():\n  return \"abc\\":                                    "f.py:2:15: the file ends inside of a string",
		"def f():\n  return \"abc\\\"":                                  "f.py:2:16: the file ends inside of a string",
		"def f():\n  return $\n":                                        "f.py:2:10: the character '$' is not part of the language",
		"def f():\n    pass\n  pass\n":                                  "f.py:3:3: the indentation fits no block",
		"def f():\n  f(x) = 1\n":                                        "f.py:2:3: this cannot be assigned to",
		"def f():\n  f(a=1, 2)\n":                                       "f.py:2:10: a positional argument follows a named one",
		"def f():\n  f(*a)\n":                                           "f.py:2:5: star arguments are not part of the language",
		"def f():\n  return [x for x in y]\n":                           `f.py:2:13: "]" expected, not "for"`,
		"def f():\n  return 1 2\n":                                      `f.py:2:12: the end of the line expected, not "2"`,
		"def f():\n  return 99999999999999999999\n":                     "f.py:2:10: the integer 99999999999999999999 does not fit 64 bits",
		"def f():\n  return 9223372036854775809\n":                      "f.py:2:10: the integer 9223372036854775809 does not fit 64 bits",
		"def f():\n  return 18446744073709551615\n":                     "f.py:2:10: the integer 18446744073709551615 does not fit 64 bits",
		"def f():\n  return 1z\n":                                       `f.py:2:10: "1z" is not a number of 64 bits`,
		"def f():\n  return 1A\n":                                       `f.py:2:10: "1A" is not a number of 64 bits`,
		"def f():\n  return 1abc\n":                                     `f.py:2:10: "1abc" is not a number of 64 bits`,
		"def f():\n  return \"\\xg\"\n":                                 "f.py:2:10: an escape in a string lacks digits",
		"class C:\n  a = b = 1\n":                                       "f.py:2:3: a field or a method expected",
		"class C:\n  a, b = 1\n":                                        "f.py:2:3: a field or a method expected",
		"class C:\n  a[\"b\"] = 1\n":                                    "f.py:2:3: a field or a method expected",
		"class C:\n  __annotations__[1] = 1\n":                          "f.py:2:3: a field or a method expected",
		"class C:\n  1\n":                                               "f.py:2:3: a field or a method expected",
		"class C: pass\n":                                               `f.py:1:10: the end of the line expected, not "pass"`,
		"a = op_version_set = 1\n":                                      "f.py:1:1: a class or a function expected",
		"op_version_set\n":                                              "f.py:1:1: a class or a function expected",
		"def f():\n  a, f(x) = 1\n":                                     "f.py:2:6: this cannot be assigned to",
		"def f():\n  [a, 1] = 1\n":                                      "f.py:2:7: this cannot be assigned to",
		"def f():\n  f(x) += 1\n":                                       "f.py:2:3: this cannot be assigned to",
		"def f():\n  f(x) : int = 1\n":                                  "f.py:2:3: this cannot be assigned to",
		"def f():\n  for f(x) in y:\n    pass\n":                        "f.py:2:7: this cannot be assigned to",
		"def f():\n  for a, f(x) in y:\n    pass\n":                     "f.py:2:10: this cannot be assigned to",
		"def f():\n  with a as f(x):\n    pass\n":                       "f.py:2:13: this cannot be assigned to",
		"def f():\n  a.1\n":                                             `f.py:2:4: the end of the line expected, not ".1"`,
		"def f():\n  a.(1)\n":                                           `f.py:2:5: a name expected, not "("`,
		"def f():\n  a[]\n":                                             `f.py:2:5: an index expected, not "]"`,
		"def f():\n  a[1,,]\n":                                          `f.py:2:7: an index expected, not ","`,
		"def f():\n  a[1:2:3:4]\n":                                      `f.py:2:10: "]" expected, not ":"`,
		"def f():\n  f(**a)\n":                                          "f.py:2:5: star arguments are not part of the language",
		"def f():\n  return {1}\n":                                      `f.py:2:12: ":" expected, not "}"`,
		"def f():\n  return a if b\n":                                   `f.py:2:16: "else" expected, not the end of the line`,
		"def f():\n  return a not b\n":                                  `f.py:2:16: "in" expected, not "b"`,
		"def f():\n  if a:\n  b\n":                                      `f.py:3:3: an indented block expected, not "b"`,
		"def f():\n  a\n    b\n":                                        "f.py:3:5: an expression expected, not an indentation",
		"def f():\n  if a:\n    b = (\n":                                "f.py:4:1: the file ends inside of brackets",
		"def f():\n  return (1)) + (\n  2)\n":                           `f.py:2:13: the end of the line expected, not ")"`,
		"def f():\n  return 1 " + strings.Repeat("x", 41):               `f.py:2:12: the end of the line expected, not "` + strings.Repeat("x", 40) + `"...`,
		"def f():\n  return 1 " + strings.Repeat("x", 40):               `f.py:2:12: the end of the line expected, not "` + strings.Repeat("x", 40) + `"`,
		"def f():\n  return 1" + strings.Repeat("+1", 30000):            "f.py:2:40011: more than 20000 operators in one expression",
		"def f():\n  if a: b\n" + strings.Repeat("  elif a: b\n", 1001): "f.py:1001:8: expressions are nested more than 1000 deep",
		"def f():\n  return 1e\n":                                       `f.py:2:10: "1e" is not a number of 64 bits`,
		"def f():\n  return 0x\n":                                       `f.py:2:10: "0x" is not a number of 64 bits`,
		"def f():\n  return 0x1p3\n":                                    `f.py:2:10: "0x1p3" is not a number of 64 bits`,
		"def f():\n  return \"\\u12\"\n":                                "f.py:2:10: an escape in a string lacks digits",
		"def f():\n  return \"\\U0001f60\"\n":                           "f.py:2:10: an escape in a string lacks digits",
		strings.Repeat(" ", 16<<20+1):                                   "f.py:1:1: 16777217 bytes exceed the limit of 16777216",
		"class C:\n  f()\n":                                             "f.py:2:3: a field or a method expected",
		"def f():\n  return if\n":                                       `f.py:2:10: a name expected, not "if"`,
		"def f():\n  return " + strings.Repeat("(", 2000):               "f.py:2:509: expressions are nested more than 1000 deep",
		"def f():\n  return x" + strings.Repeat(".a", 30000):            "f.py:2:40011: more than 20000 operators in one expression",
	} {
		_, err := Parse("f.py", source)
		assert.EqualError(t, err, want, "%.60q", source)
		var positioned *Error
		assert.True(t, errors.As(err, &positioned))
	}
}

// Whatever the text is, the result is a tree or an error.
func FuzzParse(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.py")
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
	f.Fuzz(func(t *testing.T, source string) {
		file, err := Parse("f.py", source)
		if (file == nil) == (err == nil) {
			t.Fatalf("%v, %v", file, err)
		}
	})
}

func ExampleParse() {
	file, err := Parse("model.py", `class ReLU(Module):
  training : bool
  def forward(self: __torch__.ReLU,
    x: Tensor) -> Tensor:
    return torch.relu(x)
`)
	if err != nil {
		panic(err)
	}
	forward := file.Classes[0].Method("forward")
	fmt.Println(forward.Name, "at", forward.Position, "returns at", forward.Body[0].Pos())
	_, err = Parse("model.py", "def f(x):\n  return x +\n")
	fmt.Println(err)
	// Output:
	// forward at model.py:3:7 returns at model.py:5:5
	// model.py:2:13: an expression expected, not the end of the line
}

// TestKeywords: Python's keywords name nothing, and what only begins like one does.
func TestKeywords(t *testing.T) {
	for word := range strings.FieldsSeq("False None True and as assert async await break class continue def del elif else except " +
		"finally for from global if import in is lambda nonlocal not or pass raise return try while with yield") {
		for _, source := range []string{"def %s():\n  pass\n", "def f(%s):\n  pass\n", "class %s:\n  pass\n"} {
			_, err := Parse("f.py", strings.Replace(source, "%s", word, 1))
			require.ErrorContains(t, err, "a name expected, not \""+word+"\"", source)
			_, err = Parse("f.py", strings.Replace(source, "%s", word+"_", 1))
			require.NoError(t, err, source)
		}
	}
}
