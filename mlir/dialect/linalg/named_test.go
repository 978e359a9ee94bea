package linalg

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/arith"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
	_ "github.com/go-acap/acap/mlir/dialect/math"
	"github.com/go-acap/acap/mlir/mlirtest"
)

// elements returns an element type that the payload of a named operation takes.
func elements(name string) mlir.Type {
	if strings.HasSuffix(name, "unsigned") || strings.HasSuffix(name, "_q") {
		return mlir.I32
	}
	return mlir.F32
}

// operandTypes returns types that fit a named operation: loops of extents 2, 3, …,
// and operands just as large as the accesses need.
func operandTypes(name string, strides, dilations int) []mlir.Type {
	n := namedOps[name]
	elem := elements(name)
	if n.maps == nil {
		types := slices.Repeat([]mlir.Type{mlir.TensorType{Shape: []int{2, 3}, Elem: elem}}, n.inputs+1)
		switch name {
		case "fill":
			types[0] = elem
		case "select":
			types[0] = mlir.TensorType{Shape: []int{2, 3}, Elem: mlir.I1}
		}
		return types
	}
	symbols := append(slices.Repeat([]int{strides}, n.spatial()),
		slices.Repeat([]int{dilations}, n.spatial())...)
	if name == "fill_rng_2d" { // bounds and a seed
		return []mlir.Type{mlir.F64, mlir.F64, mlir.I32, mlir.TensorType{Shape: []int{2, 3}, Elem: elem}}
	}
	var types []mlir.Type
	for _, m := range mapsOf(name) {
		m = m.BindSymbols(symbols)
		shape := []int{}
		for _, e := range m.Results {
			coeffs, at, _ := e.Linear(m.Dims)
			for d, c := range coeffs {
				at += c * (d + 1) // loop d has the extent d + 2
			}
			shape = append(shape, at+1)
		}
		types = append(types, mlir.TensorType{Shape: shape, Elem: elem})
	}
	return types
}

// everyNamed makes a module with a function for each named operation.
func everyNamed(names []string, strides, dilations int) *mlir.Operation {
	module := mlir.NewModule()
	for _, name := range names {
		n := namedOps[name]
		types := operandTypes(name, strides, dilations)
		f, b := funcdialect.New(module, name, types, types[n.inputs:])
		args := f.Body().Args
		var attrs mlir.Attrs
		if k := n.spatial(); k > 0 {
			attrs = mlir.Attrs{
				{Name: "dilations", Value: windowAttr(slices.Repeat([]int{dilations}, k))},
				{Name: "strides", Value: windowAttr(slices.Repeat([]int{strides}, k))},
			}
		}
		funcdialect.Return(b, Named(b, name, args[:n.inputs], args[n.inputs], attrs))
	}
	return module
}

// TestCasts: operands are converted to the type of the result with their signs, or without where the operation says so.
func TestCasts(t *testing.T) {
	conversions := func(text string) (list []string) {
		m, err := mlir.Parse("cast.mlir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		m.Walk(func(op *mlir.Operation) {
			if strings.HasPrefix(op.Name, "arith.") && len(op.Operands) == 1 {
				list = append(list, op.Name)
			}
		})
		return list
	}
	for _, c := range []struct{ attrs, x, out, want string }{
		{"", "i8", "i32", "arith.extsi"},
		{"{cast = #linalg.type_fn<cast_signed>}", "i8", "i32", "arith.extsi"},
		{"{cast = #linalg.type_fn<cast_unsigned>}", "i8", "i32", "arith.extui"},
		{"{cast = #linalg.type_fn<cast_unsigned>}", "i64", "i32", "arith.trunci"},
		{"", "i8", "f32", "arith.sitofp"},
		{"{cast = #linalg.type_fn<cast_unsigned>}", "i8", "f32", "arith.uitofp"},
		{"", "f32", "i8", "arith.fptosi"},
		{"{cast = #linalg.type_fn<cast_unsigned>}", "f32", "i8", "arith.fptoui"},
		{"{cast = #linalg.type_fn<cast_unsigned>}", "i8", "index", "arith.index_castui"},
		{"{cast = #linalg.type_fn<cast_unsigned>}", "f16", "f32", "arith.extf"},
	} {
		got := conversions(strings.NewReplacer("$X", "tensor<2x2x"+c.x+">", "$O", "tensor<2x2x"+c.out+">", "$A", c.attrs).Replace(
			"func.func @main(%x: $X, %o: $O) -> $O {\n%r = linalg.matmul $A ins(%x, %x : $X, $X) outs(%o : $O) -> $O\nreturn %r : $O\n}"))
		if !slices.Equal(got, []string{c.want, c.want}) {
			t.Errorf("%s of %s in %s: %v", c.attrs, c.x, c.out, got)
		}
	}
	// What mlir-opt 22 makes of them by -linalg-generalize-named-ops: only the first has the attribute.
	for _, c := range [][3]string{{"batch_matmul", "2x2x2", "arith.extui"}, {"batch_reduce_matmul", "2x2", "arith.extsi"}} {
		name, want := c[0], c[2]
		got := conversions(strings.NewReplacer("$N", name, "$O", c[1]+"xi32").Replace(
			"func.func @main(%x: tensor<2x2x2xi8>, %o: tensor<$O>) -> tensor<$O> {\n%r = linalg.$N {cast = #linalg.type_fn<cast_unsigned>} " +
				"ins(%x, %x : tensor<2x2x2xi8>, tensor<2x2x2xi8>) outs(%o : tensor<$O>) -> tensor<$O>\nreturn %r : tensor<$O>\n}"))
		if !slices.Equal(got, []string{want, want}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for kind, want := range map[string]string{"max": "arith.extsi", "max_unsigned": "arith.extui", "min_unsigned": "arith.extui"} {
		got := conversions(strings.NewReplacer("$X", "tensor<1x4x1xi8>", "$W", "tensor<2xi8>", "$O", "tensor<1x3x1xi32>", "$K", kind).Replace(
			"func.func @main(%x: $X, %w: $W, %o: $O) -> $O {\n%r = linalg.pooling_nwc_$K ins(%x, %w : $X, $W) outs(%o : $O) -> $O\nreturn %r : $O\n}"))
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v", kind, got)
		}
	}
}

func TestNamedRoundtrip(t *testing.T) {
	module := everyNamed(Names(), 2, 3)
	if err := mlir.Verify(module); err != nil {
		t.Fatal(err)
	}
	text := module.Text(mlir.PrintOptions{})
	again, err := mlir.Parse("named.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Text(mlir.PrintOptions{}); got != text {
		t.Errorf("got %s\nwant %s", got, text)
	}
	generic := module.Text(mlir.PrintOptions{Generic: true})
	if got := again.Text(mlir.PrintOptions{Generic: true}); got != generic {
		t.Errorf("the payloads differ: got %s\nwant %s", got, generic)
	}
}

var memoized = regexp.MustCompile(`"linalg\.(\w+)".*?linalg\.memoized_indexing_maps = \[([^\]]*)\]`)

// TestNamedUpstream compares maps and payloads with mlir-opt's, which shows them in the generic form.
func TestNamedUpstream(t *testing.T) {
	// mlir-opt 19 does not know what came with LLVM 20; the engine's TestNamed has results of LLVM 22 for these.
	newer := []string{"conv_2d_nchw_fchw_q", "conv_2d_nhwgc_gfhwc", "conv_2d_nhwgc_gfhwc_q"}
	names := slices.DeleteFunc(Names(), func(name string) bool { return slices.Contains(newer, name) })
	for _, window := range [][2]int{{1, 1}, {2, 3}} {
		module := everyNamed(names, window[0], window[1])
		custom := module.Text(mlir.PrintOptions{})
		theirs := mlirtest.Upstream(t, custom, "mlir-opt-19", "-mlir-print-op-generic")
		ours := mlirtest.Upstream(t, module.Text(mlir.PrintOptions{Generic: true}),
			"mlir-opt-19", "-mlir-print-op-generic")
		strip := regexp.MustCompile(`(?m)^#.*\n| \{linalg\.memoized_indexing_maps[^}]*\}`)
		if a, b := strip.ReplaceAllString(ours, ""), strip.ReplaceAllString(theirs, ""); a != b {
			t.Errorf("payloads differ: ours\n%s\ntheirs\n%s", a, b)
		}
		compareMaps(t, module, theirs)
	}
}

func compareMaps(t *testing.T, module *mlir.Operation, theirs string) {
	t.Helper()
	aliases := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(#map\d*) = affine_map<(.*)>$`).FindAllStringSubmatch(theirs, -1) {
		aliases[m[1]] = m[2]
	}
	want := map[string]string{}
	for _, f := range strings.Split(strings.ReplaceAll(theirs, "\n", " "), `"func.func"`) {
		m := memoized.FindStringSubmatch(f)
		if m == nil {
			continue // elementwise: the maps are identities
		}
		var list []string
		for _, alias := range strings.Split(m[2], ", ") {
			list = append(list, aliases[alias])
		}
		want[m[1]] = strings.Join(list, "; ")
	}
	compared := 0
	module.Walk(func(op *mlir.Operation) {
		w, ok := want[strings.TrimPrefix(op.Name, "linalg.")]
		if !ok || namedOps[strings.TrimPrefix(op.Name, "linalg.")] == nil {
			return
		}
		var list []string
		for _, m := range IndexingMaps(op) {
			list = append(list, m.String())
		}
		compared++
		if got := strings.Join(list, "; "); got != w {
			t.Errorf("%s:\n got %s\nwant %s", op.Name, got, w)
		}
	})
	if compared < 40 {
		t.Errorf("only %d operations compared", compared)
	}
}
