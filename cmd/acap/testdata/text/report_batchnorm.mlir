// The report of a normalization: aten_batchnorm.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-native_batch_norm-0": {
// CHECK-NEXT: "activation_in": 103320,
// CHECK-NEXT: "activation_out": 103320,
// CHECK-NEXT: "ops:*": 310206,
// CHECK-NEXT: "ops:+": 413280,
// CHECK-NEXT: "ops:-": 123,
// CHECK-NEXT: "ops:/": 123,
// CHECK-NEXT: "ops:sqrt": 123,
// CHECK-NEXT: "parameters_in": 246,
// CHECK-NEXT: "reads": 103566,
// CHECK-NEXT: "writes": 103320
func.func @graph(%x: tensor<42x123x4x5xf32>, %w: tensor<123xf32>, %b: tensor<123xf32>) -> tensor<42x123x4x5xf32> {
  %0:3 = "aten.native_batch_norm"(%x, %w, %b) {training = true, momentum = 0.1 : f64, eps = 1.0e-5 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<42x123x4x5xf32>, tensor<123xf32>, tensor<123xf32>) -> (tensor<42x123x4x5xf32>, tensor<123xf32>, tensor<123xf32>)
  return %0#0 : tensor<42x123x4x5xf32>
}
