package torchscript

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// program writes what torch.export saves, by the schema.
type program struct {
	inputs, inputSpecs, outputs, outputSpecs, nodes []any
	values, symInts                                 map[string]any
	weights, constants                              map[string]*buf.Buffer
	saved                                           map[string]string // weights that torch.save wrote
	ranges                                          fields            // of symbols
	guards                                          []string          // guards_code
}

type fields = map[string]any

func newProgram() *program {
	return &program{values: fields{}, symInts: fields{}, weights: map[string]*buf.Buffer{}, constants: map[string]*buf.Buffer{}}
}

func tensorOf(name string) fields { return fields{"as_tensor": fields{"name": name}} }

func sizes(dims []int) []any {
	out := []any{}
	for _, n := range dims {
		if n < 0 {
			out = append(out, fields{"as_expr": fields{"expr_str": "s0", "hint": fields{"as_int": 4}}})
			continue
		}
		out = append(out, fields{"as_int": n})
	}
	return out
}

var schemaTypes = map[dtype.DType]int{dtype.F32: 7, dtype.I64: 5, dtype.U8: schemaU8, dtype.I8: schemaI8, dtype.U16: 28, dtype.F8E5M2: 30, dtype.C64: 10,
	dtype.I32: 4, dtype.F16: 6, dtype.F64: 8, dtype.BF16: 13, dtype.Bool: 12}

func meta(d dtype.DType, dims, strides []int) fields {
	return fields{"dtype": schemaTypes[d], "sizes": sizes(dims), "requires_grad": false, "device": fields{"type": "cpu", "index": nil},
		"strides": sizes(strides), "storage_offset": fields{"as_int": 0}, "layout": 7}
}

// input adds an input of the caller's; an extent of -1 is open.
func (p *program) input(name string, d dtype.DType, dims ...int) {
	p.inputs = append(p.inputs, tensorOf(name))
	p.inputSpecs = append(p.inputSpecs, fields{"user_input": fields{"arg": tensorOf(name)}})
	p.values[name] = meta(d, dims, make([]int, len(dims)))
}

func (p *program) tensor(kind, name, path string, b *buf.Buffer) {
	p.inputs = append(p.inputs, tensorOf(name))
	field := map[string]string{"parameter": "parameter_name", "buffer": "buffer_name", "tensor_constant": "tensor_constant_name"}[kind]
	p.inputSpecs = append(p.inputSpecs, fields{kind: fields{"arg": fields{"name": name}, field: path, "persistent": true}})
	if kind == "tensor_constant" {
		p.constants[path] = b
		return
	}
	p.weights[path] = b
}

// call adds a node; arguments are pairs of a name and a value, and those after a "*" are given by name.
func (p *program) call(target, out string, args ...any) {
	n := fields{"target": target, "outputs": []any{tensorOf(out)}, "metadata": fields{
		"stack_trace":     "  File \"/src/model.py\", line 12, in forward\n    y = f(x)\n",
		"nn_module_stack": "L__self__,,net.Net;L__self___fc,fc,torch.nn.modules.linear.Linear"}}
	kind, list := 1, []any{}
	for i := 0; i < len(args); i++ {
		if args[i] == "*" {
			kind = 2
			continue
		}
		list = append(list, fields{"name": args[i], "arg": args[i+1], "kind": kind})
		i++
	}
	n["inputs"] = list
	p.nodes = append(p.nodes, n)
}

// graphOf is a graph inside of another, of one operator of one tensor.
func graphOf(operator string) fields {
	return fields{"as_graph": fields{"name": operator, "graph": fields{"inputs": []any{tensorOf("v")}, "outputs": []any{tensorOf("r")},
		"nodes": []any{fields{"target": "torch.ops.aten." + operator + ".default", "outputs": []any{tensorOf("r")},
			"inputs": []any{fields{"name": "self", "arg": tensorOf("v"), "kind": 1}}}}}}}
}

func (p *program) named(outputs ...any) { p.nodes[len(p.nodes)-1].(fields)["outputs"] = outputs }

func (p *program) output(kind, name string) {
	p.outputs = append(p.outputs, tensorOf(name))
	p.outputSpecs = append(p.outputSpecs, fields{kind: fields{"arg": tensorOf(name), "buffer_name": "b"}})
}

func (p *program) json(t testing.TB) string {
	text, err := json.Marshal(fields{"graph_module": fields{
		"graph":     fields{"inputs": p.inputs, "outputs": p.outputs, "nodes": p.nodes, "tensor_values": p.values, "sym_int_values": p.symInts},
		"signature": fields{"input_specs": p.inputSpecs, "output_specs": p.outputSpecs}},
		"range_constraints": p.ranges, "guards_code": p.guards, "opset_version": fields{"aten": 10}, "schema_version": fields{"major": 8, "minor": 17}})
	require.NoError(t, err)
	return string(text)
}

// archive is the file as releases from 2.9 on write it: elements in files of their own.
func (p *program) archive(t testing.TB) []byte {
	members := []member{{"m/archive_format", "pt2"}, {"m/models/model.json", p.json(t)}, {"m/archive_version", "0"}}
	for folder, tensors := range map[string]map[string]*buf.Buffer{"weights": p.weights, "constants": p.constants} {
		table := fields{}
		for name, b := range tensors {
			file := fmt.Sprintf("%s_%d", strings.TrimSuffix(folder, "s"), len(table))
			table[name] = fields{"path_name": file, "is_param": true, "use_pickle": false,
				"tensor_meta": meta(b.DType, b.Shape, strides(b.Shape))}
			members = append(members, member{"m/data/" + folder + "/" + file, string(b.Bytes())})
		}
		for name, data := range p.saved {
			if folder == "weights" {
				table[name] = fields{"path_name": name, "is_param": true, "use_pickle": true, "tensor_meta": meta(dtype.F32, nil, nil)}
				members = append(members, member{"m/data/weights/" + name, data})
			}
		}
		text, err := json.Marshal(fields{"config": table})
		require.NoError(t, err)
		members = append(members, member{"m/data/" + folder + "/model_" + folder + "_config.json", string(text)})
	}
	return pack(t, members...)
}

// oldArchive is the file as releases before 2.8 wrote it: tensors by torch.save.
func (p *program) oldArchive(t testing.TB) []byte {
	saved := func(tensors map[string]*buf.Buffer) string {
		body, files := "}", []member{}
		for name, b := range tensors {
			key := fmt.Sprint(len(files))
			body += pText(name) + pTensor("FloatStorage", key, b.Len(), 0, b.Shape, strides(b.Shape)) + "s"
			files = append(files, member{"archive/data/" + key, string(b.Bytes())})
		}
		return string(pack(t, append([]member{{"archive/data.pkl", pickled(body)}}, files...)...))
	}
	return pack(t, member{"serialized_exported_program.json", p.json(t)}, member{"version", "5.1"},
		member{"serialized_state_dict.pt", saved(p.weights)}, member{"serialized_constants.pt", saved(p.constants)})
}

func strides(dims []int) []int {
	out, n := make([]int, len(dims)), 1
	for i := len(dims) - 1; i >= 0; i-- {
		out[i] = n
		n *= dims[i]
	}
	return out
}

// runHost computes what the structure of a model depends on.
var runHost importer.Run = host.Run

func runProgram(t *testing.T, data []byte, inputs ...*buf.Buffer) []*buf.Buffer {
	t.Helper()
	m, err := read(data)
	require.NoError(t, err)
	module, err := m.Specialize(inputs, runHost)
	require.NoError(t, err)
	out, err := runHost(module, inputs)
	require.NoError(t, err)
	return out
}

// linear is relu(linear(x, w, b) + c) with a counter that it would change.
func linear(open bool) *program {
	p := newProgram()
	p.tensor("parameter", "p_fc_weight", "fc.weight", buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	p.tensor("parameter", "p_fc_bias", "fc.bias", buf.From([]float32{10, -100}, 2))
	p.tensor("buffer", "b_count", "count", buf.From([]float32{7}, 1))
	p.tensor("tensor_constant", "c_half", "half", buf.From([]float32{0.5}, 1))
	rows := 1
	if open {
		rows = -1
	}
	p.input("x", dtype.F32, rows, 3)
	p.call("torch.ops.aten.linear.default", "linear", "input", tensorOf("x"), "weight", tensorOf("p_fc_weight"),
		"bias", tensorOf("p_fc_bias"))
	p.call("torch.ops.aten.add.Tensor", "add", "self", tensorOf("linear"), "other", tensorOf("c_half"),
		"*", "alpha", fields{"as_int": 2})
	p.call("torch.ops.aten.relu.default", "relu", "self", tensorOf("add"))
	p.call("torch.ops.aten.add.Tensor", "count", "self", tensorOf("b_count"), "other", fields{"as_int": 1})
	p.output("buffer_mutation", "count")
	p.output("user_output", "relu")
	return p
}

// TestGradientOutputs: a graph with its backward part gives the loss and the gradients, in the order of the signature,
// and no new values of buffers. A number that the file does not name is not computed.
func TestGradientOutputs(t *testing.T) {
	p := newProgram()
	p.tensor("parameter", "p_w", "w", buf.From([]float32{2, -3}, 2))
	p.input("x", dtype.F32, 2)
	p.call("torch.ops.aten.result_type.Tensor", "none", "tensor", tensorOf("x"), "other", tensorOf("p_w"))
	p.named(fields{"as_none": true})
	p.call("torch.ops.aten.dot.default", "loss", "self", tensorOf("x"), "tensor", tensorOf("p_w"))
	p.call("torch.ops.aten.clone.default", "dw", "self", tensorOf("x"))
	p.call("torch.ops.aten.neg.default", "new", "self", tensorOf("x"))
	p.output("loss_output", "loss")
	p.output("buffer_mutation", "new")
	p.output("gradient_to_parameter", "dw")
	p.output("gradient_to_user_input", "p_w")
	out := runProgram(t, p.archive(t), buf.From([]float32{5, 1}, 2))
	require.Len(t, out, 3)
	for i, want := range [][]float32{{7}, {5, 1}, {2, -3}} {
		require.Equal(t, want, buf.Slice[float32](out[i]), i)
	}
}

func TestExported(t *testing.T) {
	x := buf.From([]float32{1, 1, 1}, 1, 3)
	file, err := os.ReadFile("testdata/linear.pt2") // as archive writes it
	require.NoError(t, err)
	for name, data := range map[string][]byte{"new": linear(false).archive(t), "old": linear(false).oldArchive(t), "file": file} {
		out := runProgram(t, data, x)
		require.Len(t, out, 1, name) // the new value of a buffer is no result
		require.Equal(t, []float32{17, 0}, buf.Slice[float32](out[0]), name)
		m, err := read(data)
		require.NoError(t, err)
		require.Equal(t, []string{"x"}, m.InputNames())
		types, ok := m.InputTypes()
		require.True(t, ok)
		require.Equal(t, []ops.TensorType{{DType: dtype.F32, Shape: []int{1, 3}}}, types)
		trained := map[string]bool{}
		for _, p := range m.Parameters() {
			trained[p.Name] = !p.IsBuffer
		}
		require.Equal(t, map[string]bool{"fc.weight": true, "fc.bias": true, "count": false, "half": false}, trained)
		module, err := m.Import(types)
		require.NoError(t, err)
		require.Equal(t, "/src/model.py:12:1", module.Body().Ops[0].Body().Ops[2].Loc.Short())
	}
	out := runProgram(t, linear(true).archive(t), buf.From(make([]float32, 12), 4, 3))
	require.Equal(t, []int{4, 2}, out[0].Shape)
}

// Every kind of argument, results of several kinds, sizes that are computed, and branches.
func TestExportedArguments(t *testing.T) {
	p := newProgram()
	p.input("x", dtype.F32, -1, 4)
	size := func(name string) fields { return fields{"as_sym_int": fields{"as_name": name}} }
	p.call("torch.ops.aten.sym_size.int", "", "self", tensorOf("x"), "dim", fields{"as_int": 0})
	p.named(size("s"))
	p.call("_operator.mul", "", "", size("s"), "", fields{"as_int": 2})
	p.named(size("twice"))
	p.call("torch.ops.aten.view.default", "view", "self", tensorOf("x"),
		"size", fields{"as_sym_ints": []any{fields{"as_name": "twice"}, fields{"as_int": 2}}})
	p.call("torch.ops.aten.split_with_sizes.default", "", "self", tensorOf("view"), "split_sizes", fields{"as_ints": []int{1, 1}},
		"dim", fields{"as_int": 1})
	p.named(fields{"as_tensors": []any{fields{"name": "left"}, fields{"name": "right"}}})
	p.call("torch.ops.aten.cat.default", "cat", "tensors", fields{"as_tensors": []any{fields{"name": "right"}, fields{"name": "left"}}},
		"dim", fields{"as_int": 1})
	p.call("torch.ops.aten.max.dim", "", "self", tensorOf("cat"), "dim", fields{"as_int": 1}, "keepdim", fields{"as_bool": false})
	p.named(tensorOf("values"), tensorOf("places"))
	p.call("torch.ops.aten._to_copy.default", "places_f", "self", tensorOf("places"), "*", "dtype", fields{"as_scalar_type": 7},
		"memory_format", fields{"as_memory_format": 4}, "device", fields{"as_device": fields{"type": "cpu", "index": nil}},
		"layout", fields{"as_layout": 7})
	p.call("torch.ops.aten.clamp.default", "clamp", "self", tensorOf("values"), "min", fields{"as_none": true}, "max", fields{"as_float": 6.5})
	p.call("torch.ops.aten.gelu.default", "gelu", "self", tensorOf("clamp"), "*", "approximate", fields{"as_string": "tanh"})
	p.call("torch.ops.aten.index.Tensor", "index", "self", tensorOf("cat"),
		"indices", fields{"as_optional_tensors": []any{fields{"as_none": true}, fields{"as_tensor": fields{"name": "places"}}}})
	p.call("torch.ops.aten.full.default", "full", "size", fields{"as_ints": []int{2}}, "fill_value", fields{"as_float": math.Inf(-1)},
		"*", "dtype", fields{"as_scalar_type": 7})
	branch := func(target string) fields {
		g := newProgram()
		g.inputs, g.outputs = []any{tensorOf("v")}, []any{tensorOf("r")}
		g.call("torch.ops.aten."+target+".default", "r", "self", tensorOf("v"))
		return fields{"as_graph": fields{"name": target, "graph": fields{"inputs": g.inputs, "outputs": g.outputs, "nodes": g.nodes}}}
	}
	p.call("torch.ops.aten.gt.Scalar", "some", "self", tensorOf("values"), "other", fields{"as_float": 7})
	p.call("torch.ops.aten.any.default", "any", "self", tensorOf("some"))
	p.call("torch.ops.higher_order.cond", "", "", tensorOf("any"), "", branch("neg"), "", branch("abs"),
		"", fields{"as_tensors": []any{fields{"name": "values"}}})
	p.named(fields{"as_tensors": []any{fields{"name": "chosen"}}})
	p.call("torch.ops.aten._assert_scalar.default", "", "self", fields{"as_bool": true}, "assert_msg", fields{"as_string": "no"})
	p.named(fields{"as_none": true})
	for _, name := range []string{"cat", "values", "places_f", "clamp", "full", "chosen"} {
		p.output("user_output", name)
	}
	// JSON has no infinity; Python writes it in either of these ways.
	for _, infinity := range []string{`-Infinity`, `"-Infinity"`} {
		q := *p
		for i, n := range q.nodes {
			if n.(fields)["target"] == "torch.ops.aten.full.default" {
				n.(fields)["inputs"].([]any)[1].(fields)["arg"] = fields{"as_float": "@"}
				q.nodes[i] = n
			}
		}
		text := strings.Replace(q.json(t), `"@"`, infinity, 1)
		data := pack(t, member{"m/models/other.json", text})
		out := runProgram(t, data, buf.From([]float32{1, 2, 3, 4, 8, 7, 6, 5}, 2, 4))
		require.Equal(t, []float32{2, 1, 4, 3, 7, 8, 5, 6}, buf.Slice[float32](out[0]))
		require.Equal(t, []float32{2, 4, 8, 6}, buf.Slice[float32](out[1]))
		require.Equal(t, []float32{0, 0, 1, 1}, buf.Slice[float32](out[2]))
		require.Equal(t, []float32{2, 4, 6.5, 6}, buf.Slice[float32](out[3]))
		require.Equal(t, float32(math.Inf(-1)), buf.Slice[float32](out[4])[1])
		require.Equal(t, []float32{-2, -4, -8, -6}, buf.Slice[float32](out[5]))
	}
}

func TestExportedErrors(t *testing.T) {
	x := ops.TensorType{DType: dtype.F32, Shape: []int{1, 3}}
	text := linear(false).json(t)
	load := func(members ...member) error {
		m, err := read(pack(t, members...))
		if err != nil {
			return err
		}
		_, err = m.Import([]ops.TensorType{x})
		return err
	}
	whole, err := read(linear(false).archive(t))
	require.NoError(t, err)
	_, err = whole.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}})
	require.ErrorContains(t, err, "input x: the program was exported for the shape [1 3], not [2 3]")
	_, err = whole.Import([]ops.TensorType{{DType: dtype.F64, Shape: []int{1, 3}}})
	require.ErrorContains(t, err, "input x: the program was exported for elements of type f32, not f64")
	_, err = whole.Import(nil)
	require.ErrorContains(t, err, "inputs are 0, and the program takes 1 (tensors and numbers)")
	for code, want := range map[int]string{99: "99 is no element type that is supported", 9: "complex32, complex numbers of two halves", 14: "14 is no element type"} {
		odd := linear(false)
		odd.values["made"] = fields{"dtype": code}
		require.ErrorContains(t, load(member{"m/models/model.json", odd.json(t)}), `models/model.json: tensor "made": `+want)
		inner, graph := newProgram(), graphOf("neg")
		graph["as_graph"].(fields)["graph"].(fields)["tensor_values"] = fields{"v": fields{"dtype": code}}
		inner.input("x", dtype.F32, 1, 3)
		inner.call("torch.ops.higher_order.strict_mode", "y", "", graph, "", fields{"as_tensors": []any{fields{"name": "x"}}})
		inner.output("user_output", "y")
		require.ErrorContains(t, load(member{"m/models/model.json", inner.json(t)}), `tensor "v": `+want)
	}
	unknown := newProgram()
	unknown.input("x", dtype.F32, 1, 3)
	unknown.call("torch.ops.mine.twist.default", "y", "self", tensorOf("x"))
	unknown.output("user_output", "y")
	require.ErrorContains(t, load(member{"m/models/model.json", unknown.json(t)}), "/src/model.py:12:1: ")
	require.ErrorContains(t, load(member{"m/models/model.json", unknown.json(t)}), "operator mine::twist is not supported: it belongs to a library of its own, mine")
	for want, members := range map[string][]member{
		`models/model.json: input 0: the archive has no tensor "fc.weight"`: {{"m/models/model.json", text}},
		"models/model.json: byte 1":                                         {{"m/models/model.json", "?"}},
		"models/model.json: a value of 0 kinds, not of one":                 {{"m/models/model.json", `{"graph_module":{"graph":{"inputs":[{}]}}}`}},
		"models/model.json: a node without a target":                        {{"m/models/model.json", `{"graph_module":{"graph":{"nodes":[{}]}}}`}},
		"version 9.1 of the schema is newer than 8":                         {{"m/models/model.json", `{"schema_version":{"major":9,"minor":1}}`}},
		"the archive has 2 programs (a, b): name one, as in model.pt2#a":    {{"m/models/a.json", "{}"}, {"m/models/b.json", "{}"}},
		"the archive holds compiled code and no program":                    {{"m/data/aotinductor/model/x.so", "ELF"}},
		"model_weights_config.json: byte 1: the table does not begin":       {{"m/models/model.json", `{}`}, {"m/data/weights/model_weights_config.json", "["}},
		`tensor "w": data/weights/weight_0: the archive has no such member`: {{"m/models/model.json", `{}`},
			{"m/data/weights/model_weights_config.json", `{"config":{"w":{"path_name":"weight_0","tensor_meta":{"dtype":7,"sizes":[],"strides":[],"storage_offset":{"as_int":0}}}}}`}},
		`tensor "w": a tensor [9] reaches beyond its storage of 1 elements`: {{"m/models/model.json", `{}`}, {"m/data/weights/weight_0", "1234"},
			{"m/data/weights/model_weights_config.json", `{"config":{"w":{"path_name":"weight_0","tensor_meta":{"dtype":7,"sizes":[{"as_int":9}],"strides":[{"as_int":1}],"storage_offset":{"as_int":0}}}}}`}},
	} {
		require.ErrorContains(t, load(members...), want)
	}
}

// Short files do not ask for much memory: what a list holds is checked as it is read, text may not be compressed to a
// small part, and archives in archives not at all.
func TestExportedHostile(t *testing.T) {
	const prefix = `{"graph_module":{"graph":{"nodes":[`
	squeezed := func(members ...member) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for _, m := range members {
			w, err := z.Create(m.name)
			require.NoError(t, err)
			_, err = w.Write([]byte(m.body))
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		return out.Bytes()
	}
	var spaced strings.Builder // about 40 times as long as it is compressed
	for i := range 1000 {
		fmt.Fprintf(&spaced, "%08x%300s", uint32(i)*2654435761, "")
	}
	for want, data := range map[string][]byte{
		"a node without a target":        pack(t, member{"m/models/model.json", prefix + strings.Repeat("{},", 1<<18) + "{}]}}}"}),
		"exceeded max depth":             pack(t, member{"m/models/model.json", strings.Repeat("[", 1<<20)}),
		"bytes of text in an archive of": squeezed(member{"m/models/model.json", spaced.String()}),
		"serialized_state_dict.pt: an archive that is compressed in another one": squeezed(
			member{"serialized_exported_program.json", "{}"}, member{"serialized_state_dict.pt", "PK"}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(data)
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, want)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20), want)
	}
}

// Whatever the text says, reading and importing it ends with a module or an error.
func FuzzExported(f *testing.F) {
	for _, p := range []*program{linear(false), linear(true)} {
		f.Add(p.json(f))
	}
	f.Add(`{"graph_module":{"graph":{"nodes":[{"target":"_operator.pow","inputs":[{"arg":{"as_int":9}},{"arg":{"as_int":99}}]}]}}}`)
	weights := buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := read(pack(t, member{"m/models/model.json", text}, member{"m/data/weights/weight_0", string(weights.Bytes())},
			member{"m/data/weights/model_weights_config.json", `{"config":{"fc.weight":{"path_name":"weight_0","tensor_meta":{"dtype":7,` +
				`"sizes":[{"as_int":2},{"as_int":3}],"strides":[{"as_int":3},{"as_int":1}],"storage_offset":{"as_int":0}}}}}`}))
		if (m == nil) == (err == nil) {
			t.Fatal(m, err)
		}
		if err == nil {
			_, _ = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{1, 3}}})
		}
	})
}
