// A logarithmic softmax is named, and its cost left out of the sums: aten_log_softmax.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-log_softmax-0": {}
func.func @graph(%x: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  %0 = "aten.log_softmax.int"(%x) {dim = 0 : i64} : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}
