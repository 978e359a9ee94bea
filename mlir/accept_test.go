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
		`dense<((0.0, 1.0), (2.0, 3.0))> : tensor<2xcomplex<f32>>`: "dense<[(0.000000e+00,1.000000e+00), (2.000000e+00,3.000000e+00)]> : tensor<2xcomplex<f32>>",
		`dense<((1, 2), (3, (4, 5)))> : tensor<5xi8>`:              "dense<[1, 2, 3, 4, 5]> : tensor<5xi8>",
		`dense<(1, 2)> : tensor<3xcomplex<i8>>`:                    "dense<(1,2)> : tensor<3xcomplex<i8>>",
		`0 : i0`:                                                   "0 : i0",
		`affine_map<() -> (140737488355328)>`:                      "affine_map<() -> (140737488355328)>",
		`affine_map<(d0) -> (9223372036854775807 - 1 + d0)>`:       "affine_map<(d0) -> (9223372036854775806 + d0)>",
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
