package bytecode

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// Targets are the versions of StableHLO whose artifacts are written, the usual one first: all of them are read by
// StableHLO of today and by every release since.
var Targets = []string{"1.10.0", "1.9.0", "1.6.0", "1.5.0", "1.1.0", "1.0.0"}

// second are the operations that have a second version, by the number of the release in which it took the place of the
// first.
var second = map[int]string{
	1:  "gather dynamic_gather scatter",
	5:  "all_gather all_reduce all_to_all",
	6:  "dot_general",
	9:  "exponential",
	10: "cbrt cosine exponential_minus_one log_plus_one logistic log rsqrt sine sqrt tan tanh",
}

// versionOf is the name of an operation of StableHLO in a release 1.minor.
func versionOf(name string, minor int) string {
	if name == "dynamic_conv" { // whose first version is older than all of these
		return name + "_v2"
	}
	for since, list := range second {
		if slices.Contains(strings.Fields(list), name) && minor >= since {
			return name + "_v2"
		}
	}
	return name + "_v1"
}

// WritePortable writes a module of StableHLO as a portable artifact for a release, one of [Targets]. The module is not
// changed. Operations that the release does not have are errors, and so are operations of other dialects.
func WritePortable(w io.Writer, module *mlir.Operation, target string) error {
	if !slices.Contains(Targets, target) {
		return fmt.Errorf("no artifacts of StableHLO %q are written: give the newest version that the reader knows, of %s",
			target, strings.Join(Targets, ", "))
	}
	minor, _ := strconv.Atoi(strings.Split(target, ".")[1])
	copied := module.Clone(map[*mlir.Value]*mlir.Value{})
	if err := toVHLO(copied, minor); err != nil {
		return err
	}
	return write(w, copied, "StableHLO_v"+target, true)
}

// toVHLO makes versions of the operations of StableHLO, with all attributes that go without saying.
func toVHLO(module *mlir.Operation, minor int) (err error) {
	module.Walk(func(op *mlir.Operation) {
		if op == module || err != nil {
			return
		}
		dialect, name, _ := strings.Cut(op.Name, ".")
		attrs := versioner{op: op, name: name, minor: minor}
		switch {
		case op.Name == "func.func":
			op.Name = "vhlo.func_v1"
			op.Attrs = attrs.function()
		case op.Name == "func.call":
			op.Name = "vhlo.call_v1"
		case op.Name == "func.return" || op.Name == "stablehlo.return":
			op.Name = "vhlo.return_v1"
		case dialect == "stablehlo":
			op.Name = "vhlo." + versionOf(name, minor)
			op.Attrs = attrs.all()
		default:
			err = op.Errorf("is no operation of StableHLO, and a portable artifact holds these alone; functions of chlo are expanded by " +
				"stablehlo-opt --chlo-legalize-to-stablehlo, and MLIR's bytecode holds all dialects")
			return
		}
		if attrs.err != nil {
			err = op.Errorf("%w", attrs.err)
		}
	})
	return err
}

// versioner makes the attributes of a version.
type versioner struct {
	op    *mlir.Operation
	name  string
	minor int
	out   mlir.Attrs
	err   error
}

func (f *versioner) add(name string, a mlir.Attribute) {
	f.out = append(f.out, mlir.Named{Name: name, Value: a})
}

func (f *versioner) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// function are the attributes of a function.
func (f *versioner) function() mlir.Attrs {
	f.out = slices.Clone(f.op.Attrs)
	for name, none := range map[string]mlir.Attribute{"sym_visibility": mlir.StringAttr(""), "arg_attrs": mlir.ArrayAttr{}, "res_attrs": mlir.ArrayAttr{}} {
		if f.op.Attrs.Get(name) == nil {
			f.add(name, none)
		}
	}
	return f.out
}

// absent are lists that an operation may leave out here and has in vhlo, with the value of all items: as many as the
// window has dimensions, or none for -1.
var absent = map[string]map[string]int64{
	"convolution":              {"window_strides": 1, "lhs_dilation": 1, "rhs_dilation": 1, "window_reversal": 0},
	"dynamic_conv":             {"window_strides": 1, "lhs_dilation": 1, "rhs_dilation": 1, "window_reversal": 0},
	"reduce_window":            {"window_strides": 1, "base_dilations": 1, "window_dilations": 1},
	"select_and_scatter":       {"window_strides": 1},
	"dynamic_broadcast_in_dim": {"known_expanding_dimensions": -1, "known_nonexpanding_dimensions": -1},
}

// tensor is a list of numbers as a tensor.
func tensor(list []int64, elem mlir.Type) mlir.Attribute {
	t := mlir.TensorType{Shape: []int{len(list)}, Elem: elem}
	if len(list) == 0 {
		return mlir.DenseAttr{Type: t}
	}
	return mlir.DenseInts(t, list)
}

func wide(list []int) []int64 {
	out := make([]int64, len(list))
	for i, n := range list {
		out[i] = int64(n)
	}
	return out
}

func (f *versioner) has(name string) bool { return f.op.Attrs.Get(name) != nil }

// all are the attributes of an operation.
func (f *versioner) all() mlir.Attrs {
	taken := map[string]bool{"operandSegmentSizes": true}
	if g, ok := grouped[f.name]; ok {
		taken[g.attr] = true
		f.group(g.attr, g.fields)
	}
	windows := 0
	switch f.name {
	case "convolution", "dynamic_conv":
		taken["dimension_numbers"] = true
		windows = f.convolution()
	case "reduce_window", "select_and_scatter":
		list, _ := mlir.IntList(f.op.Attrs.Get("window_dimensions"))
		windows = len(list)
	case "dot_general":
		taken["algorithm"] = true
		f.algorithm()
	}
	for _, n := range f.op.Attrs {
		if !taken[n.Name] {
			f.one(n)
		}
	}
	for name, v := range absent[f.name] {
		if f.has(name) {
			continue
		}
		list := make([]int64, windows)
		for i := range list {
			list[i] = v
		}
		switch {
		case v < 0:
			f.add(name, tensor(nil, mlir.I64))
		case name == "window_reversal":
			f.add(name, tensor(list, mlir.I1))
		default:
			f.add(name, tensor(list, mlir.I64))
		}
	}
	if windows > 0 && !f.has("padding") && f.name != "dynamic_conv" {
		f.add("padding", mlir.DenseInts(mlir.TensorType{Shape: []int{windows, 2}, Elem: mlir.I64}, []int64{0}))
	}
	f.defaults()
	slices.SortFunc(f.out, func(a, b mlir.Named) int { return strings.Compare(a.Name, b.Name) })
	return f.out
}

// group adds the fields of dimension numbers one by one.
func (f *versioner) group(attr string, names []string) {
	have := hlo.Fields(f.op.Attrs.Get(attr))
	for _, name := range names {
		list := have[name]
		if name == "index_vector_dim" {
			n := 0
			if len(list) == 1 {
				n = list[0]
			}
			f.add(name, mlir.IntegerAttr{Value: int64(n), Type: mlir.I64})
			continue
		}
		if batching := strings.Contains(name, "batching") && f.name != "dot_general"; batching && f.minor < 1 {
			if len(list) > 0 {
				f.fail("has %s, which StableHLO 1.0.0 has not", name)
			}
			continue
		}
		f.add(name, tensor(wide(list), mlir.I64))
	}
}

// convolution adds the dimension numbers [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], and gives the number of spatial ones.
func (f *versioner) convolution() int {
	o, _ := f.op.Attrs.Get("dimension_numbers").(mlir.OpaqueAttr)
	_, text, _ := strings.Cut(o.Text, "<")
	windows := 0
	rest := strings.NewReplacer("->", "x", " ", "").Replace(strings.TrimSuffix(text, ">"))
	parts := strings.Split(rest, "x")
	if len(parts) != 3 {
		f.fail("has the dimension numbers %s", o.Text)
		return 0
	}
	for i, side := range []struct{ name, a, b, first, second string }{{"input", "b", "f", "_batch_dimension", "_feature_dimension"},
		{"kernel", "i", "o", "_input_feature_dimension", "_output_feature_dimension"}, {"output", "b", "f", "_batch_dimension", "_feature_dimension"}} {
		labels := strings.Split(strings.Trim(parts[i], "[]"), ",")
		spatial := make([]int64, max(len(labels)-2, 0))
		windows = len(spatial)
		for d, label := range labels {
			switch n, err := strconv.Atoi(label); {
			case label == side.a:
				f.add(side.name+side.first, mlir.IntegerAttr{Value: int64(d), Type: mlir.I64})
			case label == side.b:
				f.add(side.name+side.second, mlir.IntegerAttr{Value: int64(d), Type: mlir.I64})
			case err == nil && n >= 0 && n < len(spatial):
				spatial[n] = int64(d)
			default:
				f.fail("has the dimension numbers %s", o.Text)
			}
		}
		f.add(side.name+"_spatial_dimensions", tensor(spatial, mlir.I64))
	}
	return windows
}

// algorithm says that a product has no algorithm of its own.
func (f *versioner) algorithm() {
	if f.has("algorithm") {
		f.fail("has an algorithm, which is not written")
	}
	if f.minor < 6 {
		return
	}
	for _, name := range algorithm {
		f.add(name, mlir.TypeAttr{Type: mlir.NoneType{}})
	}
}

// one adds an attribute, as a version has it.
func (f *versioner) one(n mlir.Named) {
	switch a := n.Value.(type) {
	case mlir.DenseArrayAttr:
		elem := a.Elem
		if !mlir.SameType(elem, mlir.I1) {
			elem = mlir.I64
		}
		f.add(n.Name, tensor(a.Ints, elem))
	case mlir.SymbolRefAttr:
		f.add(n.Name, mlir.StringAttr(a[0]))
	case mlir.UnitAttr:
		f.add(n.Name, mlir.Bool(true))
	case mlir.ArrayAttr:
		if n.Name == "called_computations" {
			list := mlir.ArrayAttr{}
			for _, s := range a {
				ref, _ := s.(mlir.SymbolRefAttr)
				list = append(list, mlir.StringAttr(strings.Join(ref, ".")))
			}
			f.add(n.Name, list)
			return
		}
		f.add(n.Name, a)
	case mlir.OpaqueAttr:
		if n.Name != "channel_handle" {
			f.add(n.Name, a)
			return
		}
		numbers := hlo.Fields(a)
		for name, field := range map[string]string{"channel_id": "handle", "channel_type": "type"} {
			if list := numbers[field]; len(list) == 1 && (name == "channel_id" || f.name == "send" || f.name == "recv") {
				f.add(name, mlir.IntegerAttr{Value: int64(list[0]), Type: mlir.I64})
			}
		}
	default:
		f.add(n.Name, a)
	}
}

// usual are what absent attributes stand for.
var usual = map[string]map[string]mlir.Attribute{
	"compare":        {"compare_type": mlir.OpaqueAttr{Text: "#stablehlo<comparison_type NOTYPE>"}},
	"cholesky":       {"lower": mlir.Bool(false)},
	"sort":           {"dimension": mlir.IntegerAttr{Value: -1, Type: mlir.I64}, "is_stable": mlir.Bool(false)},
	"gather":         {"indices_are_sorted": mlir.Bool(false)},
	"dynamic_gather": {"indices_are_sorted": mlir.Bool(false)},
	"scatter":        {"indices_are_sorted": mlir.Bool(false), "unique_indices": mlir.Bool(false)},
	"composite":      {"version": mlir.IntegerAttr{Value: 0, Type: mlir.I64}, "composite_attributes": mlir.DictAttr{}},
	"infeed":         {"infeed_config": mlir.StringAttr(""), "layout": mlir.ArrayAttr{}},
	"outfeed":        {"outfeed_config": mlir.StringAttr("")},
	"send":           {"is_host_transfer": mlir.Bool(false)}, "recv": {"is_host_transfer": mlir.Bool(false)},
	"all_to_all": {"channel_id": zero64}, "collective_permute": {"channel_id": zero64}, "collective_broadcast": {"channel_id": zero64},
	"all_gather": global, "all_reduce": global, "reduce_scatter": global,
	"custom_call": {"has_side_effect": mlir.Bool(false), "backend_config": mlir.StringAttr(""), "called_computations": mlir.ArrayAttr{},
		"operand_layouts": mlir.ArrayAttr{}, "result_layouts": mlir.ArrayAttr{}, "output_operand_aliases": mlir.ArrayAttr{},
		"api_version": mlir.IntegerAttr{Value: 1, Type: mlir.I32}},
}

var (
	zero64 = mlir.IntegerAttr{Type: mlir.I64}
	global = map[string]mlir.Attribute{"channel_id": zero64, "use_global_device_ids": mlir.Bool(false)}
)

func (f *versioner) defaults() {
	have := func(name string) bool {
		return slices.ContainsFunc(f.out, func(n mlir.Named) bool { return n.Name == name })
	}
	for name, a := range usual[f.name] {
		if !have(name) {
			f.add(name, a)
		}
	}
	precision := mlir.OpaqueAttr{Text: "#stablehlo<precision DEFAULT>"}
	if slices.Contains([]string{"dot", "dot_general", "convolution", "dynamic_conv"}, f.name) && !have("precision_config") {
		f.add("precision_config", mlir.ArrayAttr{precision, precision})
	}
	versioned := versionOf(f.name, f.minor)
	accurate := strings.Contains(vhloFields[versioned], "result_accuracy")
	switch {
	case accurate && !have("result_accuracy"):
		f.add("result_accuracy", mlir.OpaqueAttr{Text: defaultAccuracy})
	case !accurate && have("result_accuracy"):
		f.fail("has a result_accuracy, which came with StableHLO 1.10.0")
	}
	for _, name := range strings.Fields(vhloFields[versioned]) {
		if !have(name) {
			f.fail("has no %s", name)
		}
	}
	if f.name == "composite" && len(f.op.Regions) > 0 {
		f.fail("has a region, which came with StableHLO 1.14.0")
	}
	if f.name == "tan" && f.minor < 4 {
		f.fail("came with StableHLO 1.4.0")
	}
}
