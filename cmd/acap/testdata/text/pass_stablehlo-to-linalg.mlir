// An elementwise sum is a generic operation.
// RUN: acap opt %s -stablehlo-to-linalg -pretty | check

// CHECK: func.func @main(%x: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %0 = tensor.empty() : tensor<2xf32>
// CHECK-NEXT: %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<2xf32>)
// CHECK-NEXT: ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT: %2 = arith.addf %in, %in_0 : f32
// CHECK-NEXT: linalg.yield %2 : f32
// CHECK-NEXT: } -> tensor<2xf32>
// CHECK-NEXT: return %1 : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
