// A view by strides moves and computes nothing: aten_as_strided.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-as_strided-0": {
// CHECK-NEXT: "activation_in": 0,
// CHECK-NEXT: "activation_out": 0,
// CHECK-NEXT: "reads": 0,
// CHECK-NEXT: "writes": 0
// CHECK-NEXT: }
func.func @graph(%x: tensor<64x36864xf32>) -> tensor<10x7xf32> {
  %0 = "aten.as_strided"(%x) {size = array<i64: 10, 7>, stride = array<i64: 3, 2>} : (tensor<64x36864xf32>) -> tensor<10x7xf32>
  return %0 : tensor<10x7xf32>
}
