package stablehlo_test

import (
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// Operations of mhlo are refused with the way out, and attributes of that dialect are read.
func TestMHLO(t *testing.T) {
	_, err := mlir.Parse("x.mlir", []byte("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n%0 = mhlo.add %x, %x : tensor<2xf32>\nreturn %0 : tensor<2xf32>\n}"))
	if err == nil || !strings.Contains(err.Error(), "--hlo-legalize-to-stablehlo") {
		t.Error(err)
	}
	_, err = mlir.Parse("x.mlir", []byte("module attributes {mhlo.num_partitions = 1 : i32} {\nfunc.func private @f(tensor<2xf32> {mhlo.sharding = \"{replicated}\", a = #mhlo<precision DEFAULT>})\n}"))
	if err != nil {
		t.Error(err)
	}
}
