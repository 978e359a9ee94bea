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
