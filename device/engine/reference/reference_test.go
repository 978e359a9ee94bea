package reference_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// eval runs the only function of a text.
func eval(t *testing.T, text string, inputs ...*buf.Buffer) ([]*buf.Buffer, error) {
	t.Helper()
	m, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	return reference.Run(m.Funcs()[0], inputs)
}

func TestMatmul(t *testing.T) {
	out, err := eval(t, `
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}`, buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3), buf.From([]float32{1, 0, 0, 1, 1, 1}, 3, 2),
		buf.From([]float32{10, 20, 30, 40}, 2, 2))
	require.NoError(t, err)
	require.Equal(t, []float32{14, 25, 40, 51}, buf.Slice[float32](out[0]))
}

func TestTensorOps(t *testing.T) {
	out, err := eval(t, `
func.func @main(%x: tensor<2x3xi32>) -> (tensor<3x4xi32>, tensor<2xi32>, tensor<2x6xi32>) {
  %c7 = arith.constant 7 : i32
  %p = tensor.pad %x low[1, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c7 : i32
  } : tensor<2x3xi32> to tensor<3x4xi32>
  %s = tensor.extract_slice %x[1, 0] [1, 2] [1, 2] : tensor<2x3xi32> to tensor<2xi32>
  %c = tensor.concat dim(1) %x, %x : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x6xi32>
  return %p, %s, %c : tensor<3x4xi32>, tensor<2xi32>, tensor<2x6xi32>
}`, buf.From([]int32{1, 2, 3, 4, 5, 6}, 2, 3))
	require.NoError(t, err)
	require.Equal(t, []int32{7, 7, 7, 7, 1, 2, 3, 7, 4, 5, 6, 7}, buf.Slice[int32](out[0]))
	require.Equal(t, []int32{4, 6}, buf.Slice[int32](out[1]))
	require.Equal(t, []int32{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}, buf.Slice[int32](out[2]))
}

// TestComparisons checks all predicates against their definitions in the arith dialect.
func TestComparisons(t *testing.T) {
	nan := math.NaN()
	pairs := [][2]float64{{1, 2}, {2, 1}, {2, 2}, {nan, 1}}
	want := map[string][4]bool{ // less, greater, equal, unordered
		"false": {}, "oeq": {2: true}, "ogt": {1: true}, "oge": {1: true, 2: true}, "olt": {0: true},
		"ole": {0: true, 2: true}, "one": {0: true, 1: true}, "ord": {true, true, true, false},
		"ueq": {2: true, 3: true}, "ugt": {1: true, 3: true}, "uge": {1: true, 2: true, 3: true},
		"ult": {0: true, 3: true}, "ule": {0: true, 2: true, 3: true}, "une": {true, true, false, true},
		"uno": {3: true}, "true": {true, true, true, true},
	}
	var x, y []float64
	for _, p := range pairs {
		x, y = append(x, p[0]), append(y, p[1])
	}
	for predicate, w := range want {
		out, err := eval(t, fmt.Sprintf(`
func.func @main(%%x: tensor<4xf64>, %%y: tensor<4xf64>) -> tensor<4xi1> {
  %%c = arith.cmpf %s, %%x, %%y : tensor<4xf64>
  return %%c : tensor<4xi1>
}`, predicate), buf.From(x, 4), buf.From(y, 4))
		require.NoError(t, err)
		require.Equal(t, w[:], buf.Slice[bool](out[0]), predicate)
	}
}

// TestPrograms compares small functions with values counted by hand.
func TestPrograms(t *testing.T) {
	x := buf.From([]int32{1, 2, 3, 4, 5, 6}, 2, 3)
	at := func(v ...int64) []*buf.Buffer {
		list := []*buf.Buffer{x}
		for _, i := range v {
			list = append(list, buf.From([]int64{i}))
		}
		return list
	}
	const head = "func.func @main(%x: tensor<2x3xi32>"
	generic := func(maps, kinds, body string) string {
		return head + `) -> tensor<2x3xi32> {
  %e = tensor.empty() : tensor<2x3xi32>
  %r = linalg.generic {indexing_maps = [` + maps + `], iterator_types = [` + kinds + `]} ins(%x : tensor<2x3xi32>) outs(%e : tensor<2x3xi32>) {
    ^bb0(%a: i32, %o: i32):
` + body + `
  } -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}`
	}
	const branch = head + `, %n: index) -> tensor<2x3xi32> {
  %one = arith.constant 1 : index
  %c = arith.cmpi eq, %n, %one : index
  %r = scf.if %c -> (tensor<2x3xi32>) {
    %a = arith.addi %x, %x : tensor<2x3xi32>
    scf.yield %a : tensor<2x3xi32>
  } else {
    scf.yield %x : tensor<2x3xi32>
  }
  scf.if %c {
    scf.yield
  }
  return %r : tensor<2x3xi32>
}`
	const ij, parallel = "affine_map<(i, j) -> (i, j)>", `"parallel", "parallel"`
	for name, c := range map[string]struct {
		text   string
		inputs []*buf.Buffer
		want   any
	}{
		"for": {head + `, %n: index) -> tensor<2x3xi32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r, %k = scf.for %i = %one to %n step %two iter_args(%s = %x, %c = %one) -> (tensor<2x3xi32>, index) {
    %a = arith.addi %s, %x : tensor<2x3xi32>
    %d = arith.addi %c, %i : index
    scf.yield %a, %d : tensor<2x3xi32>, index
  }
  %b = arith.index_cast %k : index to i32
  %t = tensor.splat %b : tensor<2x3xi32>
  %u = arith.addi %r, %t : tensor<2x3xi32>
  return %u : tensor<2x3xi32>
}`, at(7), []int32{14, 18, 22, 26, 30, 34}}, // 1 + 1 + 3 + 5, and four times x
		"for none": {head + `, %n: index) -> tensor<2x3xi32> {
  %one = arith.constant 1 : index
  %r = scf.for %i = %one to %n step %one iter_args(%s = %x) -> (tensor<2x3xi32>) {
    %a = arith.addi %s, %x : tensor<2x3xi32>
    scf.yield %a : tensor<2x3xi32>
  }
  return %r : tensor<2x3xi32>
}`, at(1), []int32{1, 2, 3, 4, 5, 6}},
		"if":   {branch, at(1), []int32{2, 4, 6, 8, 10, 12}},
		"else": {branch, at(2), []int32{1, 2, 3, 4, 5, 6}},
		"insert": {head + `, %i: index, %j: index) -> tensor<2x3xi32> {
  %c = arith.constant -7 : i32
  %r = tensor.insert %c into %x[%i, %j] : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}`, at(1, 2), []int32{1, 2, 3, 4, 5, -7}},
		"slices of a loop": {head + `, %n: index) -> tensor<2x3xi32> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (tensor<2x3xi32>) {
    %j = arith.addi %i, %one : index
    %a = tensor.extract_slice %s[0, %j] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
    %b = tensor.insert_slice %a into %s[0, %i] [%two, 1] [%one, 1] : tensor<2x1xi32> into tensor<2x3xi32>
    scf.yield %b : tensor<2x3xi32>
  }
  return %r : tensor<2x3xi32>
}`, at(2), []int32{2, 3, 3, 5, 6, 6}},
		"padding that is computed": {head + `, %n: index) -> tensor<3x4xi32> {
  %zero = arith.constant 0 : index
  %c = arith.constant 9 : i32
  %r = tensor.pad %x low[%zero, %n] high[%n, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i32
  } : tensor<2x3xi32> to tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}`, at(1), []int32{9, 1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9}},
		"extract": {head + `, %i: index, %j: index) -> tensor<1xi32> {
  %v = tensor.extract %x[%i, %j] : tensor<2x3xi32>
  %r = tensor.from_elements %v : tensor<1xi32>
  return %r : tensor<1xi32>
}`, at(1, 1), []int32{5}},
		"insert a slice": {head + `) -> tensor<2x3xi32> {
  %c = arith.constant dense<[[7, 8]]> : tensor<1x2xi32>
  %r = tensor.insert_slice %c into %x[1, 0] [1, 2] [1, 2] : tensor<1x2xi32> into tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}`, at(), []int32{1, 2, 3, 7, 5, 8}},
		"extents": {head + `, %i: index) -> tensor<2xindex> {
  %d = tensor.dim %x, %i : tensor<2x3xi32>
  %r = tensor.rank %x : tensor<2x3xi32>
  %f = tensor.from_elements %d, %r : tensor<2xindex>
  return %f : tensor<2xindex>
}`, at(1), []int64{3, 2}},
		"generate": {head + `) -> tensor<2x3xindex> {
  %r = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = "affine.apply"(%i, %j) {map = affine_map<(a)[b] -> (a * 10 + b)>} : (index, index) -> index
    tensor.yield %k : index
  } : tensor<2x3xindex>
  return %r : tensor<2x3xindex>
}`, at(), []int64{0, 1, 2, 10, 11, 12}},
		"constants": {head + `) -> tensor<4xi32> {
  %i = arith.constant -3 : i32
  %d = arith.constant dense<9> : tensor<2xi32>
  %f = arith.constant 2.75 : f64
  %n = arith.fptosi %f : f64 to i32
  %two = tensor.from_elements %i, %n : tensor<2xi32>
  %r = tensor.concat dim(0) %two, %d : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}`, at(), []int32{-3, 2, 9, 9}},
		"concatenate": {head + `) -> tensor<2x5xi32> {
  %d = arith.constant dense<[[7, 8], [9, 10]]> : tensor<2x2xi32>
  %r = tensor.concat dim(1) %d, %x : (tensor<2x2xi32>, tensor<2x3xi32>) -> tensor<2x5xi32>
  return %r : tensor<2x5xi32>
}`, at(), []int32{7, 8, 1, 2, 3, 9, 10, 4, 5, 6}},
		"pad by the place": {head + `) -> tensor<3x4xi32> {
  %p = tensor.pad %x low[0, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    %a = arith.constant 10 : index
    %b = arith.muli %i, %a : index
    %c = arith.addi %b, %j : index
    %d = arith.index_cast %c : index to i32
    tensor.yield %d : i32
  } : tensor<2x3xi32> to tensor<3x4xi32>
  return %p : tensor<3x4xi32>
}`, at(), []int32{0, 1, 2, 3, 10, 4, 5, 6, 20, 21, 22, 23}},
		"body with an element from outside": {generic(ij+", "+ij, parallel, `      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %one = arith.constant 1 : index
      %k = arith.subi %one, %i : index
      %v = tensor.extract %x[%k, %j] : tensor<2x3xi32>
      %s = arith.subi %a, %v : i32
      linalg.yield %s : i32`), at(), []int32{-3, -3, -3, 3, 3, 3}},
		"reversed by a map": {generic("affine_map<(i, j) -> (i, 2 - j)>, "+ij, parallel, `      linalg.yield %a : i32`), at(), []int32{3, 2, 1, 6, 5, 4}},
		"running sum": {head + `) -> tensor<2xi32> {
  %e = arith.constant dense<100> : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xi32>) outs(%e : tensor<2xi32>) {
    ^bb0(%a: i32, %o: i32):
      %two = arith.constant 2 : i32
      %d = arith.divsi %o, %two : i32
      %s = arith.addi %d, %a : i32
      linalg.yield %s : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}`, at(), []int32{16, 22}}, // ((100/2 + 1)/2 + 2)/2 + 3 and so on
		"fill of nothing": {head + `) -> tensor<0x3xi32> {
  %e = tensor.empty() : tensor<0x3xi32>
  %c = arith.constant 1 : i32
  %r = linalg.fill ins(%c : i32) outs(%e : tensor<0x3xi32>) -> tensor<0x3xi32>
  return %r : tensor<0x3xi32>
}`, at(), []int32(nil)},
		"product of bytes without a body": {`func.func @main(%x: tensor<1x2xi8>, %y: tensor<2x1xi8>) -> tensor<1x1xi32> {
  %e = arith.constant dense<5> : tensor<1x1xi32>
  %r = "linalg.matmul"(%x, %y, %e) {operandSegmentSizes = array<i32: 2, 1>} : (tensor<1x2xi8>, tensor<2x1xi8>, tensor<1x1xi32>) -> tensor<1x1xi32>
  return %r : tensor<1x1xi32>
}`, []*buf.Buffer{buf.From([]int8{-100, 3}, 1, 2), buf.From([]int8{100, 4}, 2, 1)}, []int32{5 - 10000 + 12}},
		"product of floats without a body": {`func.func @main(%x: tensor<1x2xf32>, %y: tensor<2x1xf32>) -> tensor<1x1xf16> {
  %e = arith.constant dense<2048.0> : tensor<1x1xf16>
  %r = "linalg.matmul"(%x, %y, %e) {operandSegmentSizes = array<i32: 2, 1>} : (tensor<1x2xf32>, tensor<2x1xf32>, tensor<1x1xf16>) -> tensor<1x1xf16>
  return %r : tensor<1x1xf16>
}`, []*buf.Buffer{buf.From([]float32{1, 1}, 1, 2), buf.From([]float32{1, 1}, 2, 1)}, []dtype.Float16{dtype.ToFloat16(2048)}}, // 2049 is none of f16
		"product of unsigned bytes": {`func.func @main(%x: tensor<1x2xi8>, %y: tensor<2x1xi8>) -> tensor<1x1xi32> {
  %e = arith.constant dense<5> : tensor<1x1xi32>
  %r = "linalg.matmul"(%x, %y, %e) {cast = #linalg.type_fn<cast_unsigned>, operandSegmentSizes = array<i32: 2, 1>} :
      (tensor<1x2xi8>, tensor<2x1xi8>, tensor<1x1xi32>) -> tensor<1x1xi32>
  return %r : tensor<1x1xi32>
}`, []*buf.Buffer{buf.From([]int8{-1, 3}, 1, 2), buf.From([]int8{-2, 4}, 2, 1)}, []int32{5 + 255*254 + 12}},
		"product of bytes in halves": {`func.func @main(%x: tensor<1x2xi8>, %y: tensor<2x1xi8>) -> tensor<1x1xf16> {
  %e = arith.constant dense<0.5> : tensor<1x1xf16>
  %r = "linalg.matmul"(%x, %y, %e) {operandSegmentSizes = array<i32: 2, 1>} : (tensor<1x2xi8>, tensor<2x1xi8>, tensor<1x1xf16>) -> tensor<1x1xf16>
  return %r : tensor<1x1xf16>
}`, []*buf.Buffer{buf.From([]int8{-1, 3}, 1, 2), buf.From([]int8{-2, 4}, 2, 1)}, []dtype.Float16{dtype.ToFloat16(14.5)}},
		"product of unsigned bytes in halves": {`func.func @main(%x: tensor<1x1xi8>, %y: tensor<1x1xi8>) -> tensor<1x1xf16> {
  %e = arith.constant dense<0.5> : tensor<1x1xf16>
  %r = "linalg.matmul"(%x, %y, %e) {cast = #linalg.type_fn<cast_unsigned>, operandSegmentSizes = array<i32: 2, 1>} :
      (tensor<1x1xi8>, tensor<1x1xi8>, tensor<1x1xf16>) -> tensor<1x1xf16>
  return %r : tensor<1x1xf16>
}`, []*buf.Buffer{buf.From([]int8{-1}, 1, 1), buf.From([]int8{3}, 1, 1)}, []dtype.Float16{dtype.ToFloat16(765.5)}},
		"whole tensor by a scalar": {head + `) -> tensor<2x3xi32> {
  %c = arith.constant 3 : i32
  %r = "arith.muli"(%x, %c) : (tensor<2x3xi32>, i32) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}`, at(), []int32{3, 6, 9, 12, 15, 18}},
	} {
		out, err := eval(t, c.text, c.inputs...)
		require.NoError(t, err, name)
		require.Equal(t, c.want, values(out[0]), name)
	}
}

// values gives the elements of a tensor as a slice of their type.
func values(b *buf.Buffer) any {
	switch b.DType {
	case dtype.I32:
		return buf.Slice[int32](b)
	case dtype.F16:
		return buf.Slice[dtype.Float16](b)
	}
	return buf.Slice[int64](b)
}

// TestResults: results are the caller's own, also where they are inputs.
func TestResults(t *testing.T) {
	x := buf.From([]int32{1, 2}, 2)
	out, err := eval(t, "func.func @main(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {\nreturn %x, %x : tensor<2xi32>, tensor<2xi32>\n}", x)
	require.NoError(t, err)
	out[0].SetInt64(0, 9)
	require.Equal(t, []int32{1, 2}, buf.Slice[int32](out[1]))
	require.Equal(t, []int32{1, 2}, buf.Slice[int32](x))
}

// TestErrors: what cannot be evaluated is said with its place.
func TestErrors(t *testing.T) {
	const generic = `%%e = tensor.empty() : tensor<4xf32>
  %%y = "linalg.generic"(%%x, %%e) ({
    ^bb0(%%a: f32, %%o: f32):
      %s
    }) {indexing_maps = [%s], iterator_types = ["parallel"], operandSegmentSizes = array<i32: 1, 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`
	const maps, yield = "affine_map<(i) -> (i)>, affine_map<(i) -> (i)>", `"linalg.yield"(%a) : (f32) -> ()`
	for text, want := range map[string]string{
		`%y = "foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:         "test.mlir:2:8: foo.bar: operation is not supported",
		`"foo.bar"(%x) : (tensor<4xf32>) -> ()`:                         "foo.bar: operation is not supported",
		`%y = "tensor.foo"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:      "tensor.foo: operation is not supported",
		`%y = "acap.foo"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:        "acap.foo: there is no such operation",
		`"scf.foo"(%x) : (tensor<4xf32>) -> ()`:                         "scf.foo: operation is not supported",
		`%y = "linalg.foo"(%x) : (tensor<4xf32>) -> tensor<4xf32>`:      "linalg.foo: no indexing maps",
		`%y = "tensor.empty"() : () -> tensor<?xf32>`:                   "tensor.empty: value of type tensor<?xf32>",
		`%y = "tensor.empty"() : () -> tensor<2xcomplex<f32>>`:          "tensor.empty: value of type tensor<2xcomplex<f32>>",
		`%y = "tensor.empty"() : () -> tensor<4294967297xi8>`:           "tensor.empty: value of type tensor<4294967297xi8>",
		`%y = "tensor.empty"() : () -> none`:                            "tensor.empty: value of type none",
		`%y = "arith.constant"() {value = "no"} : () -> f32`:            "arith.constant: constant without data",
		`%y = "tensor.extract"(%x, %i) : (tensor<4xf32>, index) -> f32`: "tensor.extract: index 4 is out of range",
		`%y = "tensor.extract"(%x, %n) : (tensor<4xf32>, index) -> f32`: "tensor.extract: index -1 is out of range",
		`%v = "tensor.extract"(%x, %z) : (tensor<4xf32>, index) -> f32
  %y = "tensor.insert"(%v, %x, %i) : (f32, tensor<4xf32>, index) -> tensor<4xf32>`: "tensor.insert: index 4 is out of range",
		`%y = "tensor.extract_slice"(%x) : (tensor<4xf32>) -> tensor<2xf32>`:                                                                                                "tensor.extract_slice: there is no static_offsets",
		`%y = "tensor.extract_slice"(%x) {static_offsets = array<i64: 0>, static_sizes = array<i64: 3>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>`: "a slice of [3] as [2]",
		`%y = "tensor.pad"(%x) ({
      ^bb0(%k: index):
        "tensor.yield"(%k) : (index) -> ()
      }) : (tensor<4xf32>) -> tensor<4xf32>`: "tensor.pad: there is no static_low",
		`%y = "tensor.pad"(%x) ({
      ^bb0(%k: index):
        "foo.bar"(%x) : (tensor<4xf32>) -> ()
      }) {static_low = array<i64: 0>, static_high = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>`: "tensor.pad: a body uses a value that has no scalar here",
		`%y = "tensor.generate"() ({
      ^bb0(%k: index):
        %v = "foo.bar"(%k) : (index) -> index
        "tensor.yield"(%v) : (index) -> ()
      }) : () -> tensor<4xindex>`: "tensor.generate: foo.bar is not supported in a body",
		`%y = "tensor.generate"() ({
      ^bb0(%k: index):
        "tensor.yield"(%x) : (tensor<4xf32>) -> ()
      }) : () -> tensor<4xindex>`: "tensor.generate: a body uses a value that has no scalar here",
		`"scf.for"(%z, %i, %z) ({
      ^bb0(%k: index):
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()`: "scf.for: the step is 0",
		`%y = "scf.for"(%z, %i, %i, %x) ({
      ^bb0(%k: index, %c: tensor<4xf32>):
        %b = "foo.bar"(%c) : (tensor<4xf32>) -> tensor<4xf32>
        "scf.yield"(%b) : (tensor<4xf32>) -> ()
      }) : (index, index, index, tensor<4xf32>) -> tensor<4xf32>`: "scf.for: foo.bar: operation is not supported",
		fmt.Sprintf(generic, yield, "1, 2"):                                               "linalg.generic: no indexing maps",
		fmt.Sprintf(generic, yield, "affine_map<(i) -> (i)>"):                             "linalg.generic: no indexing maps",
		fmt.Sprintf(generic, yield, "affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>"): "linalg.generic: index 4 of operand 0",
		fmt.Sprintf(generic, yield, "affine_map<(i) -> (i - 1)>, affine_map<(i) -> (i)>"): "linalg.generic: index -1 of operand 0",
		fmt.Sprintf(generic, `%b = "linalg.index"() {dim = 1} : () -> index
      `+yield, maps): "linalg.generic: linalg.index is not supported in a body",
		fmt.Sprintf(generic, `%b = "arith.constant"() {value = "no"} : () -> f32
      `+yield, maps): "linalg.generic: arith.constant is not supported in a body",
		fmt.Sprintf(generic, `%b = "affine.apply"() {map = affine_map<() -> (1, 2)>} : () -> index
      `+yield, maps): "linalg.generic: affine.apply is not supported in a body",
		fmt.Sprintf(generic, `%b = "tensor.extract"(%x, %i) : (tensor<4xf32>, index) -> f32
      `+yield, maps): "linalg.generic: index 4 is out of range for an extent of 4",
		fmt.Sprintf(generic, `%b = "tensor.extract"(%x, %n) : (tensor<4xf32>, index) -> f32
      `+yield, maps): "linalg.generic: index -1 is out of range for an extent of 4",
		fmt.Sprintf(generic, `%b = "arith.addf"(%a, %x) : (f32, tensor<4xf32>) -> f32
      `+yield, maps): "linalg.generic: a body uses a value that has no scalar here",
		`%p = tensor.empty() : tensor<1x1x4xf32>
  %w = tensor.empty() : tensor<1xf32>
  %y = "linalg.pooling_ncw_max"(%p, %w, %p) {operandSegmentSizes = array<i32: 2, 1>} : (tensor<1x1x4xf32>, tensor<1xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>`: "linalg.pooling_ncw_max: operation without a body",
	} {
		_, err := eval(t, "func.func @main(%x: tensor<4xf32>, %i: index, %n: index, %z: index) -> tensor<4xf32> {\n  "+text+"\n  return %x : tensor<4xf32>\n}",
			buf.From(make([]float32, 4), 4), buf.From([]int64{4}), buf.From([]int64{-1}), buf.From([]int64{0}))
		require.ErrorContains(t, err, want, text)
	}
	_, err := eval(t, "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}")
	require.ErrorContains(t, err, "reference: 0 inputs for the function")
	_, err = eval(t, "func.func private @main(tensor<4xf32>) -> tensor<4xf32>")
	require.ErrorContains(t, err, "reference: 0 inputs for the function")
	_, err = eval(t, "func.func @main(%x: tensor<4xf32>) {\n  %y = arith.addf %x, %x : tensor<4xf32>\n}", buf.From(make([]float32, 4), 4))
	require.ErrorContains(t, err, "reference: the function does not return")
}

// TestOperation evaluates one operation of a function from the values of its operands.
func TestOperation(t *testing.T) {
	m, err := mlir.Parse("test.mlir", []byte(`func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = arith.subi %x, %y : tensor<2xi32>
  %s = "foo.bar"(%r) : (tensor<2xi32>) -> tensor<2xi32>
  return %s : tensor<2xi32>
}`))
	require.NoError(t, err)
	body := m.Funcs()[0].Body()
	env := map[*mlir.Value]*buf.Buffer{body.Args[0]: buf.From([]int32{5, 6}, 2)}
	_, err = reference.Operation(body.Ops[0], env)
	require.EqualError(t, err, "an operand has no value")
	env[body.Args[1]] = buf.From([]int32{1, 9}, 2)
	out, err := reference.Operation(body.Ops[0], env)
	require.NoError(t, err)
	require.Len(t, out, 1)
	require.Equal(t, []int32{4, -3}, buf.Slice[int32](out[0]))
	_, err = reference.Operation(body.Ops[1], env)
	require.EqualError(t, err, "operation is not supported")
}
