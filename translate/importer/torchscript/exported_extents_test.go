package torchscript

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
)

// extent is one that the schema leaves open.
func extent(text string) fields {
	return fields{"as_expr": fields{"expr_str": text, "hint": fields{"as_int": 4}}}
}

// TestOpenExtents: what a program of torch.export assumes of extents that it leaves open is checked at each call.
// PyTorch 2.14 writes these bounds and conditions, and refuses the same inputs.
func TestOpenExtents(t *testing.T) {
	const s0, s1 = "Symbol('s10', positive=True, integer=True)", "Symbol('s21', positive=True, integer=True)"
	bounds := func(low, high any) fields { return fields{"min_val": low, "max_val": high} }
	for name, c := range map[string]struct {
		x, y   []any // sizes
		ranges fields
		guards []string
		right  [][2][]int
		wrong  map[string][2][]int
	}{
		"bounds": {x: []any{extent(s0), fields{"as_int": 4}}, ranges: fields{"s10": bounds(3, 5)}, guards: []string{"L['x'].size()[0] <= 5"},
			right: [][2][]int{{{3, 4}, {1}}, {{5, 4}, {1}}}, wrong: map[string][2][]int{
				"/src/model.py:12:1: extent 0 of input x is 9, and the program was exported for s10 from 3 to 5": {{9, 4}, {1}},
				"extent 0 of input x is 2, and the program was exported for s10 from 3 to 5":                     {{2, 4}, {1}},
				"input x: the program was exported for the shape [s10 4], not [4 5]":                             {{4, 5}, {1}}}},
		"a least extent of 2 says nothing": {x: []any{extent(s0)}, ranges: fields{"s10": bounds(2, 5)},
			right: [][2][]int{{{1}, {1}}, {{0}, {1}}}, wrong: map[string][2][]int{"s10 of at most 5": {{6}, {1}}}},
		"no largest extent": {x: []any{extent(s0)}, ranges: fields{"s10": bounds(4, nil)},
			right: [][2][]int{{{4}, {1}}, {{400}, {1}}}, wrong: map[string][2][]int{"extent 0 of input x is 3, and the program was exported for s10 of 4 and more": {{3}, {1}}}},
		"an infinite one of old files": {x: []any{extent("s0")}, ranges: fields{"s0": bounds(2, int64(1<<63-2))}, right: [][2][]int{{{400}, {1}}}},
		"one symbol in two inputs": {x: []any{extent(s0)}, y: []any{extent(s0)}, right: [][2][]int{{{4}, {4}}, {{1}, {1}}}, wrong: map[string][2][]int{
			"extent 0 of input y is 6, and must be 7, as extent 0 of input x is: both are s10 in the exported program": {{7}, {6}},
			"extent 0 of input y is 1, and must be 7": {{7}, {1}}}},
		"one symbol in one input": {x: []any{extent(s0), extent(s0)}, right: [][2][]int{{{4, 4}, {1}}}, wrong: map[string][2][]int{"extent 1 of input x is 5, and must be 4": {{4, 5}, {1}}}},
		"a multiple": {x: []any{extent(s0)}, y: []any{extent("Mul(Integer(2), " + s0 + ")")}, right: [][2][]int{{{5}, {10}}}, wrong: map[string][2][]int{
			"extent 0 of input y is 9, and must be 10: it is Mul(2, s10) in the exported program": {{5}, {9}}}},
		"divisible": {x: []any{extent("4*s0")}, ranges: fields{"s0": bounds(0, 3), "4*s0": bounds(0, 12)}, right: [][2][]int{{{8}, {1}}, {{12}, {1}}}, wrong: map[string][2][]int{
			"extent 0 of input x is 7, and is 4*s0 in the exported program: s0 would be 7/4, no whole number": {{7}, {1}},
			"4*s0 is 16, and the program was exported for 4*s0 of at most 12":                                 {{16}, {1}}}},
		"a sum": {x: []any{extent("Add(" + s0 + ", Integer(1))")}, y: []any{extent(s0)}, right: [][2][]int{{{6}, {5}}}, wrong: map[string][2][]int{
			"extent 0 of input x is 6, and must be 5: it is Add(s10, 1) in the exported program": {{6}, {4}}}},
		"a remainder": {x: []any{extent(s0)}, guards: []string{"(L['x'].size()[0] % 3) == 0"}, right: [][2][]int{{{9}, {1}}}, wrong: map[string][2][]int{
			"the program was exported for inputs with (L['x'].size()[0] % 3) == 0, and x.size(0) is 8": {{8}, {1}}}},
		"an order": {x: []any{extent(s0), extent(s1)}, guards: []string{"L['x'].size()[0] < L['x'].size()[1]"}, right: [][2][]int{{{3, 4}, {1}}}, wrong: map[string][2][]int{
			"and x.size(0) is 9, x.size(1) is 4": {{9, 4}, {1}}}},
		"other conditions": {x: []any{extent(s0)}, guards: []string{"L['self'].training == False", "Max(2, L['x'].size()[0] // 2) <= 4 and not L['x'].size()[0] == 5"},
			right: [][2][]int{{{9}, {1}}, {{1}, {1}}}, wrong: map[string][2][]int{"x.size(0) is 10": {{10}, {1}}, "x.size(0) is 5": {{5}, {1}}}},
		"what is not known": {x: []any{extent(s0)}, guards: []string{"Bessel(L['x'].size()[0]) > 2"}, wrong: map[string][2][]int{"cannot be checked": {{5}, {1}}}},
	} {
		p := newProgram()
		p.ranges, p.guards = c.ranges, c.guards
		for i, sizes := range [][]any{c.x, c.y} {
			in := string(rune('x' + i))
			p.input(in, dtype.F32, make([]int, max(len(sizes), 1))...)
			if sizes == nil {
				sizes = []any{fields{"as_int": 1}}
			}
			p.values[in].(fields)["sizes"] = sizes
		}
		p.call("torch.ops.aten.neg.default", "neg", "self", tensorOf("x"))
		p.output("user_output", "neg")
		m, err := read(p.archive(t))
		require.NoError(t, err, name)
		run := func(shapes [2][]int) error {
			_, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: shapes[0]}, {DType: dtype.F32, Shape: shapes[1]}})
			return err
		}
		for _, shapes := range c.right {
			require.NoError(t, run(shapes), "%s: %v", name, shapes)
		}
		for what, shapes := range c.wrong {
			require.ErrorContains(t, run(shapes), what, "%s: %v", name, shapes)
		}
	}
}

// TestOpenNumbers: what a program assumes of numbers that are inputs. PyTorch 2.14 writes these bounds and conditions
// for `if n > 5`, `if n * x.shape[0] > 20` and for d["n"] of a dictionary, and refuses the same inputs.
func TestOpenNumbers(t *testing.T) {
	for _, c := range []struct {
		input string
		least int
		guard string
		right []*buf.Buffer
		wrong map[string]*buf.Buffer
	}{
		{"n", 6, "L['n'] > 5", []*buf.Buffer{buf.From([]int64{6}, 1), buf.From([]int64{7})}, map[string]*buf.Buffer{
			"input n is 5, and the program was exported for s86 of 6 and more": buf.From([]int64{5}),
			"the program was exported for an integer, and it is 6.5":           buf.From([]float32{6.5}),
			"the program was exported for an integer, and it is True":          buf.From([]bool{true})}},
		{"n", 0, "L['n']*L['x'].size()[0] > 20", []*buf.Buffer{buf.From([]int64{6})}, map[string]*buf.Buffer{
			"exported for inputs with L['n']*L['x'].size()[0] > 20, and n is 5, x.size(0) is 4": buf.From([]int64{5}),
			"input n is -6, and the program was exported for s86 of 0 and more":                 buf.From([]int64{-6})}},
		{"d_n", 2, "L['d']['n'] >= L['x'].size()[0]", []*buf.Buffer{buf.From([]int64{4})}, map[string]*buf.Buffer{
			"and d_n is 3, x.size(0) is 4": buf.From([]int64{3})}},
	} {
		p := newProgram()
		p.input("x", dtype.F32, -1)
		n := fields{"as_sym_int": fields{"as_name": c.input}}
		p.inputs, p.inputSpecs = append(p.inputs, n), append(p.inputSpecs, fields{"user_input": fields{"arg": n}})
		p.symInts[c.input] = extent("Symbol('s86', integer=True)")
		p.ranges, p.guards = fields{"s86": fields{"min_val": c.least, "max_val": nil}}, []string{c.guard}
		p.call("torch.ops.aten.mul.Tensor", "y", "self", tensorOf("x"), "other", n)
		p.output("user_output", "y")
		x := buf.From([]float32{1, 2, 3, 4}, 4)
		for _, number := range c.right {
			require.Equal(t, 4*number.Float64(0), runProgram(t, p.archive(t), x, number)[0].Float64(3))
		}
		m, err := read(p.archive(t))
		require.NoError(t, err)
		for want, number := range c.wrong {
			_, err := m.Specialize([]*buf.Buffer{x, number}, runHost)
			require.ErrorContains(t, err, want)
		}
	}
}

// TestBadExtents: what is no expression is refused when the file is read.
func TestBadExtents(t *testing.T) {
	for what, change := range map[string]func(p *program){
		`guards_code: "L['x' <"`:     func(p *program) { p.guards = []string{"L['x' <"} },
		`range_constraints: "s0 +"`:  func(p *program) { p.ranges = fields{"s0 +": fields{"min_val": 1, "max_val": 2}} },
		"is no expression":           func(p *program) { p.values["x"].(fields)["sizes"] = []any{fields{"as_expr": fields{}}} },
		`extent 0 of input x is ")"`: func(p *program) { p.values["x"].(fields)["sizes"] = []any{extent(")")} },
	} {
		p := newProgram()
		p.input("x", dtype.F32, -1)
		p.call("torch.ops.aten.neg.default", "neg", "self", tensorOf("x"))
		p.output("user_output", "neg")
		change(p)
		data := p.archive(t)
		m := &Model{Name: "m"}
		err := m.read(bytes.NewReader(data), int64(len(data)), "")
		if err == nil {
			_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{4}}})
		}
		require.ErrorContains(t, err, what)
	}
}

// TestSymbolic: expressions have SymPy's and Python's meaning, with exact numbers; an expression that would take long
// is an error.
func TestSymbolic(t *testing.T) {
	s := &symbolic{}
	for text, want := range map[string]string{
		"7 // 2": "3", "-7 // 2": "-4", "-7 % 3": "2", "FloorDiv(Integer(-7), Integer(2))": "-4", "Mod(7, 4)": "3", "Rational(1, 2)*4": "2",
		"Pow(Integer(2), Integer(-1))": "1/2", "2**10": "1024", "CeilToInt(IntTrueDiv(7, 2))": "4", "TruncToInt(Rational(-7, 2))": "-3",
		"Max(1, 5, 3) - Min(4, 2)": "3", "1 < 2 < 3": "1", "1 < 3 < 2": "0", "Eq(2, 2)": "1", "Or(Ne(1, 1), Not(0))": "1", "0.5 + 0.25": "3/4",
		"math.floor(7/2)": "3", "2.25 ** 0.5": "3/2", "torch.sym_float(16) ** -0.5": "1/4", "math.sqrt(2.25) < 1.6": "1", "True and False": "0",
		"6 & 3 >= 2": "1", "6 | 9": "15", "6 ^ 3": "5", "3 << 2": "12", "-7 >> 1": "-4", "(7 > 3) & (2 > 1)": "1", "6/10 == 0.6": "1",
		"2**53 + 1 == 2**53": "0", "Where(3 > 2, 5, 7)": "5", "torch.sym_ite(2 > 3, 5, 7)": "7", "RoundToInt(5/2)": "2", "math.log2(8)": "3",
	} {
		e, err := script.ParseExpression("test", text)
		require.NoError(t, err, text)
		v, err := s.eval(e)
		require.NoError(t, err, text)
		require.Equal(t, want, v.RatString(), text)
	}
	for _, text := range []string{"1 // 0", "1 % 0", "2**65", "0**-1", "((2**64)**64)**64", "Integer(1, 2)", "Max()", "[1]", "'a'", "nothing", "f(1)", "1 << -1", "1 << 2**40", "0.5 & 1", "math.log(0)"} {
		e, err := script.ParseExpression("test", text)
		require.NoError(t, err, text)
		_, err = s.eval(e)
		require.Error(t, err, text)
	}
	_, err := script.ParseExpression("test", "1 +\n2")
	require.Error(t, err)
	_, err = script.ParseExpression("test", fmt.Sprint("1 ", "2"))
	require.Error(t, err)
}
