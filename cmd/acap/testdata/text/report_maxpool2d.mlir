// The report of the largest of windows: aten_maxpool2d.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-max_pool2d-0": {
// CHECK-NEXT: "activation_in": 8192,
// CHECK-NEXT: "activation_out": 2048,
// CHECK-NEXT: "ops:>": 16384,
// CHECK-NEXT: "reads": 8192,
// CHECK-NEXT: "writes": 2048
func.func @graph(%x: tensor<1x32x16x16xf32>) -> tensor<1x32x8x8xf32> {
  %0 = "aten.max_pool2d"(%x) {kernel_size = array<i64: 3, 3>, stride = array<i64: 2, 2>, padding = array<i64: 1, 1>} : (tensor<1x32x16x16xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}
