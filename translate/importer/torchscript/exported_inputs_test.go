package torchscript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestExportedInputs: inputs that are no tensors of the caller's, and signatures that do not fit.
func TestExportedInputs(t *testing.T) {
	full := func(spec, arg fields, name string) *program {
		p := newProgram()
		p.inputs, p.inputSpecs = append(p.inputs, arg), append(p.inputSpecs, spec)
		p.call("torch.ops.aten.full.default", "y", "", fields{"as_ints": []int{1}}, "", fields{"as_sym_int": fields{"as_name": name}})
		p.output("user_output", "y")
		return p
	}
	constant := fields{"constant_input": fields{"name": "k", "value": fields{"as_int": 3}}}
	out := runProgram(t, pack(t, member{"m/models/model.json", full(constant, fields{"as_int": 3}, "k").json(t)}))
	require.Equal(t, 3.0, out[0].Float64(0))
	known := strings.Replace(full(constant, fields{"as_int": 3}, "s").json(t), `"tensor_values":`,
		`"sym_int_values":{"s":{"as_int":5},"t":{"as_expr":{}}},"tensor_values":`, 1)
	require.Equal(t, 5.0, runProgram(t, pack(t, member{"m/models/model.json", known}))[0].Float64(0))

	user := func(arg fields) fields { return fields{"user_input": fields{"arg": arg}} }
	none, flag := fields{"as_none": true}, fields{"token": fields{"arg": fields{"name": "t"}}}
	for _, p := range []*program{full(user(none), none, "k"), full(flag, fields{"as_token": fields{"name": "t"}}, "k")} {
		p.inputs, p.inputSpecs = append(p.inputs, fields{"as_int": 4}), append(p.inputSpecs, constant)
		require.Equal(t, 3.0, runProgram(t, pack(t, member{"m/models/model.json", p.json(t)}))[0].Float64(0))
	}

	object := fields{"as_custom_obj": fields{"name": "k"}}
	short, outputs := linear(false), linear(false)
	short.inputSpecs = short.inputSpecs[1:]
	outputs.outputSpecs = outputs.outputSpecs[1:]
	for want, p := range map[string]*program{
		"input 0: an input of kind custom_obj is not supported: export with tensors and numbers as inputs": full(user(object), object, "k"),
		"input 0: an input of kind custom_obj is not supported":                                            full(fields{"parameter": fields{"parameter_name": "w"}}, object, "k"),
		"input 0: an input of kind odd is not supported":                                                   full(fields{"odd": fields{}}, tensorOf("k"), "k"),
		"input 0: a value of kind tensor is not supported here":                                            full(fields{"constant_input": fields{"name": "k", "value": tensorOf("k")}}, none, "k"),
		"input 0: an input of kind int is not supported":                                                   full(fields{"buffer": fields{"buffer_name": "w"}}, fields{"as_int": 1}, "k"),
		"the signature has 4 inputs, the graph 5":                                                          short,
		"the signature has 1 outputs, the graph 2":                                                         outputs,
	} {
		_, err := read(pack(t, member{"m/models/model.json", p.json(t)}))
		require.ErrorContains(t, err, want)
	}

	for name, c := range map[string]struct {
		change func(p *program)
		known  bool
	}{
		"given":  {func(*program) {}, true},
		"open":   {func(p *program) { p.values["x"].(fields)["sizes"] = sizes([]int{-1}) }, false},
		"absent": {func(p *program) { delete(p.values, "x") }, false},
	} {
		p := newProgram()
		p.input("x", dtype.F32, 2)
		p.output("user_output", "x")
		c.change(p)
		m, err := read(pack(t, member{"m/models/model.json", p.json(t)}))
		require.NoError(t, err)
		_, known := m.InputTypes()
		require.Equal(t, c.known, known, name)
		_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{3}}})
		require.Equal(t, c.known, err != nil, "another shape where the program's is %s", name)
	}
	script, err := read(moduleArchive(t, "    return x\n"))
	require.NoError(t, err)
	_, known2 := script.InputTypes()
	require.False(t, known2)
}

// TestExportedTables: entries of a table of tensors that cannot be read.
func TestExportedTables(t *testing.T) {
	text := func(change fields) string {
		meta := fields{"dtype": 7, "sizes": sizes([]int{2}), "strides": sizes([]int{1}), "storage_offset": fields{"as_int": 0}}
		entry := fields{"path_name": "weight_0", "tensor_meta": meta}
		for name, v := range change {
			if _, ok := meta[name]; ok {
				meta[name] = v
			} else {
				entry[name] = v
			}
		}
		out, err := json.Marshal(entry)
		require.NoError(t, err)
		return string(out)
	}
	load := func(entries string) (*Model, error) {
		return read(pack(t, member{"m/models/model.json", "{}"}, member{"m/data/weights/weight_0", "12345678"},
			member{"m/data/weights/saved", string(pack(t, member{"a/data.pkl", pickled("}" + pText("w") +
				pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1}) + "s")}, member{"a/data/0", "1234"}))},
			member{"m/data/weights/two", string(pack(t, member{"a/data.pkl", pickled("}" + pText("w") +
				pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1}) + "s" + pText("v") +
				pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1}) + "s")}, member{"a/data/0", "1234"}))},
			member{"m/data/weights/none", ""},
			member{"m/data/weights/program", string(pack(t, member{"a/models/model.json", "{}"}))},
			member{"m/data/weights/model_weights_config.json", `{"config":{` + entries + `}}`}))
	}
	m, err := load(`"a":` + text(nil) + `,"b":` + text(fields{"sizes": sizes(nil), "strides": sizes(nil), "storage_offset": fields{"as_int": 1}}) +
		`,"c":` + text(fields{"use_pickle": true, "path_name": "saved"}) + `,"d":` + text(fields{"use_pickle": true, "tensor_meta": nil}))
	require.NoError(t, err)
	var names []string
	for _, p := range m.Parameters() {
		names = append(names, fmt.Sprint(p.Name, p.Data.Shape, string(p.Data.Bytes())))
	}
	require.Equal(t, []string{"a[2]12345678", "b[]5678", "c[1]1234"}, names)
	saved := func(file string) fields { return fields{"use_pickle": true, "path_name": file} }
	for want, entries := range map[string]string{
		`tensor "a": the name comes twice`:              `"a":` + text(nil) + `,"a":` + text(nil),
		"the name has 513 bytes":                        `"` + strings.Repeat("a", 513) + `":` + text(nil),
		"its type is missing":                           `"a":` + text(fields{"tensor_meta": nil}),
		"complex32, complex numbers of two halves":      `"a":` + text(fields{"dtype": 9}),
		`tensor "a1": its shape is malformed`:           `"a1":` + text(fields{"storage_offset": fields{"as_name": "s"}}),
		`tensor "a2": its shape is malformed`:           `"a2":` + text(fields{"sizes": sizes([]int{-1})}),
		`tensor "a3": its shape is malformed`:           `"a3":` + text(fields{"strides": sizes([]int{-1})}),
		`tensor "a4": its shape is malformed`:           `"a4":` + text(fields{"sizes": sizes([]int{1, 1})}),
		`tensor "a5": its shape is malformed`:           `"a5":` + text(fields{"storage_offset": fields{"as_float": 0}}),
		`tensor "a6": its shape is malformed`:           `"a6":` + text(fields{"sizes": sizes(make([]int, maxRank+1)), "strides": sizes(make([]int, maxRank+1))}),
		"two holds 2 tensors, not one":                  `"a":` + text(saved("two")),
		"none holds 0 tensors, not one":                 `"a":` + text(saved("none")),
		"data/weights/nowhere: the archive has no such": `"a":` + text(saved("nowhere")),
		"a program among the tensors of another":        `"a":` + text(saved("program")),
	} {
		_, err := load(entries)
		require.ErrorContains(t, err, want)
	}
}
