package mlir_test

import (
	"strings"
	"testing"

	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/mlir"
)

// TestAccepted: rare forms that mlir-opt takes are read as what it prints for them.
func TestAccepted(t *testing.T) {
	for text, want := range map[string]string{
		`dense<((0.0, 1.0), (2.0, 3.0))> : tensor<2xcomplex<f32>>`:      "dense<[(0.000000e+00,1.000000e+00), (2.000000e+00,3.000000e+00)]> : tensor<2xcomplex<f32>>",
		`dense<((1, 2), (3, (4, 5)))> : tensor<5xi8>`:                   "dense<[1, 2, 3, 4, 5]> : tensor<5xi8>",
		`dense<(1, 2)> : tensor<3xcomplex<i8>>`:                         "dense<(1,2)> : tensor<3xcomplex<i8>>",
		`0 : i0`:                                                        "0 : i0",
		`affine_map<() -> (140737488355328)>`:                           "affine_map<() -> (140737488355328)>",
		`loc("a":1)`:                                                    `loc("a":1:0)`,
		`loc("a":1:2 to :3)`:                                            `loc("a":1:2 to :3)`,
		`loc("a":1:2 to 3:4)`:                                           `loc("a":1:2 to 3:4)`,
		`loc("a":1:2 to 1:2)`:                                           `loc("a":1:2)`,
		`0x1FFFFFFFFFFFFFFFF : f80`:                                     "0x1FFFFFFFFFFFFFFFF : f80",
		`dense<1.5> : tensor<2xf128>`:                                   "dense<1.5> : tensor<2xf128>",
		`dense<["a", "b"]> : tensor<2x!x.y>`:                            `dense<["a", "b"]> : tensor<2x!x.y>`,
		`affine_map<(d0) -> (----d0)>`:                                  "affine_map<(d0) -> (d0)>",
		`affine_map<(d0) -> (` + strings.Repeat("-", 3001) + `d0)>`:     "affine_map<(d0) -> (-d0)>",
		`affine_map<(d0) -> (` + strings.Repeat("1 * ", 3000) + `d0)>`:  "affine_map<(d0) -> (d0)>",
		`affine_map<(d0) -> (` + strings.Repeat("d0 + ", 3000) + `d0)>`: "affine_map<(d0) -> (" + strings.Repeat("d0 + ", 3000) + "d0)>",
		`affine_map<(d0) -> (9223372036854775807 - 1 + d0)>`:            "affine_map<(d0) -> (9223372036854775806 + d0)>",
	} {
		module, err := mlir.Parse("text.mlir", []byte(`"a.b"() {a = `+text+`} : () -> ()`))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := module.Body().Ops[0].Attrs.Get("a").String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestElementsOfTypes: types whose elements MLIR refuses are refused where the element stands, in text and in bytecode.
func TestElementsOfTypes(t *testing.T) {
	for text, want := range map[string]string{
		"tensor<4xnone>":                            "x:1:26: error: none cannot be an element of tensor<4xnone>",
		"tensor<*xtuple<>>":                         "tuple<> cannot be an element",
		"tensor<4xmemref<2xf32>>":                   "memref<2xf32> cannot be an element",
		"tensor<4xtensor<4xf32>>":                   "tensor<4xf32> cannot be an element",
		"vector<4xnone>":                            "none cannot be an element",
		"vector<4xcomplex<f32>>":                    "complex<f32> cannot be an element",
		"memref<4xtensor<f32>>":                     "tensor<f32> cannot be an element",
		"memref<*xtuple<>>":                         "tuple<> cannot be an element",
		"complex<index>":                            "index cannot be an element",
		"complex<complex<f32>>":                     "complex<f32> cannot be an element",
		"memref<4xmemref<4xvector<2xindex>>>":       "",
		"tensor<4xvector<2xf32>>":                   "",
		"tensor<4x!a.b>":                            "",
		"tuple<none, tensor<*xcomplex<i8>>, index>": "",
	} {
		_, err := mlir.Parse("x", []byte(`"a.b"() : () -> `+text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := mlir.CheckElement(mlir.MemRefType{Elem: mlir.NoneType{}}); err == nil {
		t.Error("a memref of none")
	}
}

// TestRefused: text that mlir-opt 22 refuses is refused, with the place and the cause.
func TestRefused(t *testing.T) {
	op := func(attr string) string { return `"a.b"() {a = ` + attr + `} : () -> ()` }
	for text, want := range map[string]string{
		op(`-0 : i8`):   "x:1:15: error: integer out of range for i8",
		op(`-0 : i128`): "integer out of range for i128",
		op(`0x1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128`): "the bits do not fit type f128",
		op(`array<i1: 1>`):                              `expected true or false, found "1"`,
		op(`array<i7: 1>`):                              "integers of 8, 16, … 64 bits, not i7",
		op(`loc("a":-1:1)`):                             "x:1:22: error: a line or column has 32 bits and no sign",
		op(`loc("a":99999999999:1)`):                    "a line or column has 32 bits",
		op(`dense<1> : tensor<2x!x.y>`):                 "x:1:20: error: expected a string, which is how elements of !x.y are written",
		op(`dense<["a"]> : tensor<2x!x.y>`):             "1 elements in dimension 0, expected 2",
		op(`dense<1> : tensor<2xvector<2xi32>>`):        "expected a string",
		op(`dense<1> : tensor<2xi0>`):                   "integer out of range for i0",
		op(`dense<"0x00"> : tensor<2xi0>`):              "does not hold 2 elements",
		op(`dense<> : tensor<2xi0>`):                    "2 elements expected, none found",
		`"a.b"() ({` + "\n^a:\n^b:\n" + `}) : () -> ()`: "an empty block among several",
		"#a.b = 1":        "x:1:1: error: alias #a.b has a dot",
		"{-# foo: {} #-}": "expected dialect_resources or external_resources, found foo",
		op(`dense_resource<x> : tensor<1xi32>`) + "\n" + `{-# dialect_resources: {builtin: {x: "0x0300000001000000"}} #-}`: "the alignment, which is a power of two and not 3",
	} {
		module, err := mlir.Parse("x", []byte(text))
		if err == nil {
			err = mlir.Verify(module)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestPairsThatDoNotFit(t *testing.T) {
	for _, text := range []string{
		`dense<((1, 2), 3)> : tensor<4xi8>`, `dense<((1, 2), 3)> : tensor<2xcomplex<i8>>`, `1 : i0`, `dense<((1, 2))> : tensor<2xi8>`,
	} {
		_, err := mlir.Parse("text.mlir", []byte(`"a.b"() {a = `+text+`} : () -> ()`))
		if err == nil || !strings.HasPrefix(err.Error(), "text.mlir:1:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
