package torchscript

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
)

// TestExportedKinds: each kind of argument of the schema has the value that it says, or an error.
func TestExportedKinds(t *testing.T) {
	variables := map[string]value{"a": 1, "b": 2.5, "c": "text"}
	read := func(text string) (v value, err error) {
		ev := newEvaluator(&Model{exported: &exported{}}, nil)
		ev.frame.vars = variables
		var a argument
		require.NoError(t, json.Unmarshal([]byte(text), &a), text)
		defer func() {
			if f, ok := recover().(fault); ok {
				err = f.err
			}
		}()
		return ev.argumentOf(script.Position{}, a)
	}
	for in, want := range map[string]value{
		`{"as_none":true}`:                           nil,
		`{"as_bool":true}`:                           true,
		`{"as_int":-3}`:                              -3,
		`{"as_float":2.5}`:                           2.5,
		`{"as_float":"Infinity"}`:                    math.Inf(1),
		`{"as_float":"-inf"}`:                        math.Inf(-1),
		`{"as_string":"s"}`:                          "s",
		`{"as_tensor":{"name":"a"}}`:                 1,
		`{"as_custom_obj":{"name":"c"}}`:             "text",
		`{"as_optional_tensor":{"as_none":true}}`:    nil,
		`{"as_sym_int":{"as_name":"a"}}`:             1,
		`{"as_sym_int":{"as_int":7}}`:                7,
		`{"as_sym_float":{"as_name":"b"}}`:           2.5,
		`{"as_complex":{"real":1.5,"imag":"inf"}}`:   complex(1.5, math.Inf(1)),
		`{"as_scalar_type":7}`:                       dtype.F32.TorchCode(),
		`{"as_memory_format":1}`:                     0,
		`{"as_memory_format":2}`:                     2,
		`{"as_memory_format":3}`:                     3,
		`{"as_memory_format":4}`:                     1,
		`{"as_scalar_type":34}`:                      dtype.U32.TorchCode(),
		`{"as_scalar_type":35}`:                      dtype.U64.TorchCode(),
		`{"as_layout":7}`:                            0,
		`{"as_device":{"type":"cpu","index":null}}`:  device("cpu"),
		`{"as_tensors":[{"name":"a"},{"name":"b"}]}`: &list{items: []value{1, 2.5}},
		`{"as_nested_tensors":[[{"name":"a"}],[]]}`:  &list{items: []value{&list{items: []value{1}}, &list{}}},
		`{"as_optional_tensors":[{"as_none":true}]}`: &list{items: []value{nil}},
		`{"as_sym_ints":[{"as_name":"a"}]}`:          &list{items: []value{1}},
		`{"as_ints":[1,2]}`:                          &list{items: []value{1, 2}},
		`{"as_int_lists":[[1],[2,3]]}`:               &list{items: []value{ints([]int{1}), ints([]int{2, 3})}},
		`{"as_bools":[true,false]}`:                  &list{items: []value{true, false}},
		`{"as_strings":["x","y"]}`:                   &list{items: []value{"x", "y"}},
		`{"as_floats":[1.5,"inf"]}`:                  &list{items: []value{1.5, math.Inf(1)}},
	} {
		v, err := read(in)
		require.NoError(t, err, in)
		require.Equal(t, want, v, in)
	}
	v, err := read(`{"as_float":"NaN"}`)
	require.NoError(t, err)
	require.True(t, math.IsNaN(v.(float64)))
	for in, want := range map[string]string{
		`{"as_tensor":{"name":"z"}}`:            `there is no value "z" here`,
		`{"as_sym_int":3}`:                      "there is a number, want an object",
		`{"as_ints":[1.5]}`:                     "there is the number 1.5, want a whole number",
		`{"as_floats":["odd"]}`:                 `"odd" is no number`,
		`{"as_complex":{"real":1,"imag":"no"}}`: "is no complex number",
		`{"as_complex":{"real":"no","imag":1}}`: "is no complex number",
		`{"as_complex":1}`:                      "there is a number, want an object",
		`{"as_scalar_type":9}`:                  "complex32, complex numbers of two halves, is no element type that is supported: convert to complex64",
		`{"as_scalar_type":99}`:                 "99 is no element type that is supported",
		`{"as_memory_format":5}`:                "5 is no memory format",
		`{"as_layout":1}`:                       "layout 1 is not supported: tensors are strided",
		`{"as_operator":"x"}`:                   "a value of kind operator is not supported here",
	} {
		_, err := read(in)
		require.ErrorContains(t, err, want, in)
	}
}

// TestBareFloats: the numbers of Python's JSON that the standard has not become texts, inside of texts nothing changes.
func TestBareFloats(t *testing.T) {
	for in, want := range map[string]string{
		`[1]`:                        `[1]`,
		`NaN`:                        `"NaN"`,
		`[NaN,-Infinity,Infinity]`:   `["NaN","-Infinity","Infinity"]`,
		`["NaN","a\"NaN\\",NaN]`:     `["NaN","a\"NaN\\","NaN"]`,
		`[Na,Infinit,INaN]`:          `[Na,Infinit,I"NaN"]`,
		`{"a":-NaN,"b":1-Infinity}x`: `{"a":"-NaN","b":1"-Infinity"}x`,
		`Infinity`:                   `"Infinity"`,
	} {
		require.Equal(t, want, string(withoutBareFloats([]byte(in))), in)
	}
}

// TestExportedNodes: the results of nodes other than operators on tensors, each behind an input of [1 2].
func TestExportedNodes(t *testing.T) {
	x := tensorOf("x")
	integer := func(n int) fields { return fields{"as_int": n} }
	size := func(name string) fields { return fields{"as_sym_int": fields{"as_name": name}} }
	binary := func(name string) fields { // of two values
		return fields{"as_graph": fields{"name": name, "graph": fields{"inputs": []any{tensorOf("v"), tensorOf("w")}, "outputs": []any{tensorOf("r")},
			"nodes": []any{fields{"target": "torch.ops.aten." + name + ".Tensor", "outputs": []any{tensorOf("r")}, "inputs": []any{
				fields{"name": "self", "arg": tensorOf("v"), "kind": 1}, fields{"name": "other", "arg": tensorOf("w"), "kind": 1}}}}}}}
	}
	full := func(p *program, n fields) {
		p.call("torch.ops.aten.full.default", "y", "", fields{"as_sym_ints": []any{integer(1)}}, "", n)
	}
	for name, c := range map[string]struct {
		build func(p *program)
		want  []float32
		err   string
	}{
		"an overload of its own": {build: func(p *program) { // the first two bytes of 1 and 2 as f16
			p.call("torch.ops.aten.view.dtype", "halves", "", x, "", fields{"as_scalar_type": 6})
			p.call("torch.ops.aten.reshape.default", "y", "", tensorOf("halves"), "", fields{"as_ints": []int{4}})
		}, want: []float32{0, 1.875, 0, 2}},
		"an overload that is not here": {build: func(p *program) { p.call("torch.ops.aten.view.other", "y", "", x, "", integer(6)) },
			err: "unknown operator aten::view.other"},
		"a default that is left out": {build: func(p *program) {
			p.call("torch.ops.aten.reciprocal.default", "half", "", x)
			p.call("torch.ops.aten.special_logit.default", "y", "", tensorOf("half"))
		}, want: []float32{float32(math.Inf(1)), 0}},
		"pieces along the first dimension": {build: func(p *program) {
			p.call("torch.ops.aten.unsafe_chunk.default", "", "", x, "", integer(2))
			p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		}, want: []float32{1, 2}},
		"a norm by the root of the mean of squares": {build: func(p *program) { // √((1 + 4) / 2 + 1.5) is 2
			p.call("torch.ops.aten.rms_norm.default", "y", "", x, "", fields{"as_ints": []int{2}}, "", fields{"as_none": true}, "", fields{"as_float": 1.5})
		}, want: []float32{0.5, 1}},
		"torch.vmap": {build: func(p *program) { p.call("torch._functorch.predispatch._vmap_increment_nesting", "y", "", x) },
			err: "torch.vmap is not supported as such: call run_decompositions()"},
		"torch.func.jvp": {build: func(p *program) { p.call("torch._functorch.predispatch._jvp_increment_nesting", "y", "", x) },
			err: "torch.func.jvp is not supported as such: call run_decompositions()"},
		"a library of its own": {build: func(p *program) { p.call("torch.ops.mylib.twice.default", "y", "", x) },
			err: "operator mylib::twice is not supported: it belongs to a library of its own, mylib"},
		"indices from the end": {build: func(p *program) {
			p.call("torch.ops.aten.full.default", "at", "", fields{"as_ints": []int{1, 1}}, "", integer(-1), "*", "dtype", fields{"as_scalar_type": 5})
			p.call("torch.ops.aten.take_along_dim.default", "y", "", x, "", tensorOf("at"), "", integer(1))
		}, want: []float32{2}},
		"probabilities": {build: func(p *program) { // which are 1 and 0
			p.call("torch.ops.aten.sub.Tensor", "p", "", x, "", integer(1))
			p.call("torch.ops.aten.bernoulli.default", "y", "", tensorOf("p"))
		}, want: []float32{0, 1}},
		"a constant that is lifted": {build: func(p *program) { p.call("torch.ops.aten.lift_fresh_copy.default", "y", "", x) }, want: []float32{1, 2}},
		"the number of elements": {build: func(p *program) {
			p.call("torch.ops.aten.sym_numel.default", "", "self", x)
			p.named(size("n"))
			full(p, size("n"))
		}, want: []float32{2}},
		"a stride": {build: func(p *program) {
			p.call("torch.ops.aten.sym_stride.int", "", "self", x, "dim", integer(0))
			p.named(size("n"))
			full(p, size("n"))
		}, want: []float32{2}},
		"numbers by name": {build: func(p *program) {
			p.call("_operator.sub", "", "*", "a", integer(7), "b", integer(4))
			p.named(size("n"))
			full(p, size("n"))
		}, want: []float32{3}},
		"an integer as a tensor": {build: func(p *program) { // which is f32: these are the bits of 3 as an i32
			p.call("torch.ops.aten.scalar_tensor.default", "three", "", integer(3))
			p.call("torch.ops.aten.view.dtype", "y", "", tensorOf("three"), "", fields{"as_scalar_type": 4})
		}, want: []float32{0x40400000}},
		"torch.vmap by columns": {build: func(p *program) { vmapped(p, "error", 2) }, want: []float32{-1, -2}},
		"torch.vmap of nothing": {build: func(p *program) {
			p.call("torch.ops.aten.slice.Tensor", "none", "", x, "", integer(1), "", integer(2))
			vmapped(p, "error", 0)
			p.call("torch.ops.aten.sum.default", "y", "", tensorOf("y"))
		}, want: []float32{0}},
		"torch.vmap in torch.vmap": {build: func(p *program) { // by rows and columns: of numbers
			none := []any{fields{"as_none": true}}
			p.call(predispatch+"_vmap_increment_nesting", "", "", integer(1), "", fields{"as_string": "different"})
			p.named(none...)
			p.call(predispatch+"_add_batch_dim", "row", "", x, "", integer(0), "", integer(1))
			p.call(predispatch+"_vmap_increment_nesting", "", "", integer(2), "", fields{"as_string": "error"})
			p.named(none...)
			p.call(predispatch+"_add_batch_dim", "one", "", tensorOf("row"), "", integer(-1), "", integer(2))
			p.call("torch.ops.aten.sum.default", "sum", "", tensorOf("one"))
			p.call(predispatch+"_remove_batch_dim", "sums", "", tensorOf("sum"), "", integer(2), "", integer(2), "", integer(0))
			p.call(predispatch+"_vmap_decrement_nesting", "")
			p.named(none...)
			p.call(predispatch+"_remove_batch_dim", "y", "", tensorOf("sums"), "", integer(1), "", integer(1), "", integer(1))
			p.call(predispatch+"_vmap_decrement_nesting", "")
			p.named(none...)
		}, want: []float32{1, 2}},
		"the same numbers in torch.vmap": {build: func(p *program) { vmapped(p, "same", 2) }, err: "randomness=\"same\" is not supported"},
		"a call with effects": {build: func(p *program) {
			p.call("torch.ops.higher_order.with_effects", "", "", x, "", fields{"as_operator": "torch.ops.aten.exp2.default"}, "", x)
			p.named(tensorOf("token"), tensorOf("y"))
		}, want: []float32{2, 4}},
		"two results with effects": {build: func(p *program) {
			p.call("torch.ops.higher_order.with_effects", "", "", x, "", fields{"as_operator": "torch.ops.aten.max.dim"}, "", x, "", integer(1))
			p.named(tensorOf("token"), tensorOf("y"), tensorOf("at"))
		}, want: []float32{2}},
		"effects of nothing": {build: func(p *program) { p.call("torch.ops.higher_order.with_effects", "y", "", x, "", x) },
			err: "with_effects without an operator"},
		"a check": {build: func(p *program) {
			p.call("torch.ops.aten._assert_tensor_metadata.default", "", "a", x)
			p.named(fields{"as_none": true})
			full(p, integer(1))
		}, want: []float32{1}},
		"what an assertion says": {build: func(p *program) {
			p.call("torch.ops.aten._assert_scalar.default", "", "self", fields{"as_bool": false}, "assert_msg", fields{"as_string": "small"})
		}, err: "the inputs do not hold what the program asserts: small"},
		"a graph without gradients": {build: func(p *program) {
			p.call("torch.ops.higher_order.wrap_with_set_grad_enabled", "", "", fields{"as_bool": false}, "", graphOf("neg"), "", x)
			p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		}, want: []float32{-1, -2}},
		"a graph that is missing": {build: func(p *program) {
			p.call("torch.ops.higher_order.wrap_with_set_grad_enabled", "y", "", fields{"as_bool": false}, "", x)
		}, err: "torch.ops.higher_order.wrap_with_set_grad_enabled is not supported"},
		"a graph that is invoked": {build: func(p *program) {
			p.call("torch.ops.higher_order.invoke_subgraph", "", "", graphOf("neg"), "", fields{"as_string": "subgraph_0"}, "", x)
			p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		}, want: []float32{-1, -2}},
		"a graph with hints": {build: func(p *program) {
			p.call("torch.ops.higher_order.hints_wrapper", "", "", graphOf("neg"), "", fields{"as_tensors": []any{fields{"name": "x"}}}, "",
				fields{"as_string_to_argument": fields{}}, "*", "hints", fields{"as_string_to_argument": fields{"fast": fields{"as_bool": true}}})
			p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		}, want: []float32{-1, -2}},
		"a graph in strict mode": {build: func(p *program) {
			p.call("torch.ops.higher_order.strict_mode", "", "", graphOf("neg"), "", fields{"as_tensors": []any{fields{"name": "x"}}})
			p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		}, want: []float32{-1, -2}},
		"running differences": {build: func(p *program) { // 1, 1 - 2
			p.call("torch.ops.aten.t.default", "column", "", x)
			p.call("torch.ops.higher_order.associative_scan", "", "", binary("sub"), "", fields{"as_tensors": []any{fields{"name": "column"}}}, "",
				fields{"as_tensors": []any{}})
			p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		}, want: []float32{1, -1}},
		"a scan of nothing": {build: func(p *program) {
			p.call("torch.ops.higher_order.associative_scan", "y", "", binary("sub"), "", fields{"as_tensors": []any{}}, "",
				fields{"as_tensors": []any{}})
		}, err: "a scan over no tensor"},
		"an operator with the type of its result": {build: func(p *program) { // 100·100 is 16 in i8
			p.call("torch.ops.aten.mul.Tensor", "hundreds", "", x, "", integer(100))
			p.call("torch.ops.aten._to_copy.default", "bytes", "", tensorOf("hundreds"), "*", "dtype", fields{"as_scalar_type": 2})
			p.call("torch.ops.higher_order.out_dtype", "y", "", fields{"as_operator": "torch.ops.aten.mul.Tensor"}, "",
				fields{"as_scalar_type": 4}, "", tensorOf("bytes"), "", tensorOf("bytes"))
		}, want: []float32{10000, 3136}},
		"a type without an operator": {build: func(p *program) { p.call("torch.ops.higher_order.out_dtype", "y", "", x) },
			err: "torch.ops.higher_order.out_dtype without an operator"},
		"an operator of another library with a type": {build: func(p *program) {
			p.call("torch.ops.higher_order.out_dtype", "y", "", fields{"as_operator": "torch.ops.mylib.twice.default"}, "",
				fields{"as_scalar_type": 4}, "", x)
		}, err: "unknown operator torch.ops.mylib.twice"},
		"a function of graphs": {build: func(p *program) { p.call("torch.ops.higher_order.while_loop", "y", "", graphOf("neg"), "", x) },
			err: "torch.ops.higher_order.while_loop is not supported"},
		"a branch without values": {build: func(p *program) {
			p.call("torch.ops.higher_order.cond", "y", "", fields{"as_bool": true}, "", graphOf("neg"), "", graphOf("abs"))
		}, err: "torch.ops.higher_order.cond is not supported"},
		"a branch that is no graph": {build: func(p *program) {
			p.call("torch.ops.higher_order.cond", "y", "", fields{"as_bool": true}, "", graphOf("neg"), "", x, "", fields{"as_tensors": []any{}})
		}, err: "torch.ops.higher_order.cond is not supported"},
		"values for a graph": {build: func(p *program) {
			p.call("torch.ops.higher_order.cond", "y", "", fields{"as_bool": true}, "", graphOf("neg"), "", graphOf("abs"), "",
				fields{"as_tensors": []any{fields{"name": "x"}, fields{"name": "x"}}})
		}, err: "graph neg takes 1 values, got 2"},
		"the branch that is not taken": {build: func(p *program) {
			p.call("torch.ops.higher_order.cond", "", "", fields{"as_bool": false}, "", graphOf("neg"), "", graphOf("exp2"), "",
				fields{"as_tensors": []any{fields{"name": "x"}}})
			p.named(fields{"as_tensors": []any{fields{"name": "y"}}})
		}, want: []float32{2, 4}},
		"a place behind a name": {build: func(p *program) {
			p.call("torch.ops.aten.add.Tensor", "y", "self", x, "*", "other", x)
			list := p.nodes[0].(fields)["inputs"].([]any)
			list[0], list[1] = list[1], list[0]
		}, err: "torch.ops.aten.add.Tensor: argument 1 has a place behind one with a name"},
		"one tensor with two names": {build: func(p *program) {
			p.call("torch.ops.aten.neg.default", "", "self", x)
			p.named(tensorOf("y"), tensorOf("z"))
		}, err: "2 results are named, the operator gives Tensor"},
		"two tensors with three names": {build: func(p *program) {
			p.call("torch.ops.aten.unbind.int", "", "self", x, "dim", integer(1))
			p.named(fields{"as_tensors": []any{fields{"name": "y"}, fields{"name": "z"}, fields{"name": "w"}}})
		}, err: "3 tensors are named, the operator gives"},
		"a list item by item": {build: func(p *program) {
			p.call("torch.ops.aten.unbind.int", "", "self", x, "dim", integer(1))
			p.named(tensorOf("z"), tensorOf("y"))
		}, want: []float32{2}},
		"a list of too few items": {build: func(p *program) {
			p.call("torch.ops.aten.unbind.int", "", "self", x, "dim", integer(1))
			p.named(tensorOf("z"), tensorOf("y"), tensorOf("w"))
		}, err: "3 results are named, the operator gives"},
		"a result of another kind": {build: func(p *program) {
			p.call("torch.ops.aten.neg.default", "", "self", x)
			p.named(fields{"as_ints": []int{1}})
		}, err: "a result of kind ints is not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram()
			p.input("x", dtype.F32, 1, 2)
			c.build(p)
			p.output("user_output", "y")
			m, err := read(pack(t, member{"m/models/model.json", p.json(t)}))
			require.NoError(t, err)
			in := buf.From([]float32{1, 2}, 1, 2)
			module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{1, 2}}})
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			out, err := runHost(module, []*buf.Buffer{in})
			require.NoError(t, err)
			for i, want := range c.want {
				require.Equal(t, want, float32(out[0].Float64(i)))
			}
		})
	}
}

// vmapped is torch.vmap(lambda v: -v.sum()) over n columns of x.
func vmapped(p *program, randomness string, n int) {
	integer := func(n int) fields { return fields{"as_int": n} }
	of := "x"
	if n == 0 {
		of = "none"
	}
	p.call(predispatch+"_vmap_increment_nesting", "", "", integer(n), "", fields{"as_string": randomness})
	p.named(fields{"as_none": true})
	p.call(predispatch+"_add_batch_dim", "part", "", tensorOf(of), "", integer(1), "", integer(1))
	p.call("torch.ops.aten.sum.default", "sum", "", tensorOf("part"))
	p.call("torch.ops.aten.neg.default", "minus", "", tensorOf("sum"))
	p.call(predispatch+"_remove_batch_dim", "y", "", tensorOf("minus"), "", integer(1), "", integer(n), "", integer(0))
	p.call(predispatch+"_vmap_decrement_nesting", "")
	p.named(fields{"as_none": true})
}

// TestNodePlaces: the Python lines and modules that nodes come from.
func TestNodePlaces(t *testing.T) {
	node := func(key, text string) *graphNode { return &graphNode{Metadata: map[string]string{key: text}} }
	for stack, want := range map[string]string{
		"":                             " 0 false",
		`File "a.py", line 7, in f`:    "a.py 7 true",
		`File "a.py", line 7`:          "a.py 7 true",
		`File "a.py", line x`:          "a.py 0 false",
		`File "a.py"`:                  `a.py" 0 false`,
		`File "a.py", line 9999999999`: "a.py 999999999 true",
		`File "a.py", line 7` + "\n" + `File "b.py", line 8, in g`: "b.py 8 true",
		`File "` + strings.Repeat("a", maxPath) + `", line 7`:      strings.Repeat("a", maxPath) + " 7 true",
		`File "` + strings.Repeat("a", maxPath+1) + `", line 7`:    strings.Repeat("a", maxPath+1) + " 7 false",
	} {
		file, line, ok := node("stack_trace", stack).origin()
		require.Equal(t, want, fmt.Sprint(file, " ", line, " ", ok))
	}
	for stack, want := range map[string]string{
		"":                                    "",
		"k":                                   "",
		"k,fc,Linear":                         "fc",
		"k,,Net;k2,fc.act,ReLU":               "fc.act",
		"k,L['self'].fc,Linear":               "fc",
		"k," + strings.Repeat("a", maxPath):   strings.Repeat("a", maxPath),
		"k," + strings.Repeat("a", maxPath+1): "",
	} {
		require.Equal(t, want, node("nn_module_stack", stack).module(), stack)
	}
}

// TestOrigins: the line of Python that a node comes from is the last of its stack trace, and its module the last of its
// path.
func TestOrigins(t *testing.T) {
	for trace, want := range map[string]string{
		"  File \"a.py\", line 1, in f\n  File \"b.py\", line 1090, in g\n    x\n": "b.py:1090 true",
		"File \"c d.py\", line 7":        "c d.py:7 true",
		"File \"a.py\", line 1234567890": "a.py:123456789 true",
		"File \"a.py\", line , in f":     "a.py:0 false",
		"File \"a.py\"":                  "a.py\":0 false",
		"nothing":                        ":0 false",
		"File \"" + strings.Repeat("a", 513) + "\", line 1": strings.Repeat("a", 513) + ":1 false",
		"File \"" + strings.Repeat("a", 512) + "\", line 1": strings.Repeat("a", 512) + ":1 true",
	} {
		n := graphNode{Metadata: map[string]string{"stack_trace": trace}}
		file, line, ok := n.origin()
		require.Equal(t, want, fmt.Sprintf("%s:%d %v", file, line, ok))
	}
	for stack, want := range map[string]string{
		"a,,net.Net;b,fc,Linear": "fc", "b,L['self'].layers.0,Linear": "layers.0", "a,,net.Net": "", "a": "", "": "",
		"a," + strings.Repeat("b", 513) + ",c": "", "a," + strings.Repeat("b", 512) + ",c": strings.Repeat("b", 512),
	} {
		n := graphNode{Metadata: map[string]string{"nn_module_stack": stack}}
		require.Equal(t, want, n.module(), stack)
	}
}
