// Products are computed in f16, exponentials in f32.
// RUN: acap opt %s -autocast-f16 -pretty | check

// CHECK: func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %0 = aten._to_copy %x {dtype = f16} : (tensor<2x2xf32>) -> tensor<2x2xf16>
// CHECK-NEXT: %1 = aten.mm %0, %0 : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK-NEXT: %2 = aten._to_copy %1 {dtype = f32} : (tensor<2x2xf16>) -> tensor<2x2xf32>
// CHECK-NEXT: %3 = aten.exp %2 : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %3 : tensor<2x2xf32>
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "aten.mm"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.exp"(%0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
