// Both operands of a product of bf16 are rounded to blocks with one exponent, along what the product sums, constant or not.
// RUN: acap opt %s -bf16-as-bfp16 -pretty | check

// CHECK: %0 = aten._to_bfp16 %a : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
// CHECK-NEXT: %1 = aten.transpose.int %b
// CHECK-NEXT: %2 = aten._to_bfp16 %1 : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
// CHECK-NEXT: %3 = aten.transpose.int %2
// CHECK-NEXT: %r = aten.mm %0, %3 : (tensor<4x16xbf16>, tensor<16x8xbf16>) -> tensor<4x8xbf16>
func.func @product(%a: tensor<4x16xbf16>, %b: tensor<16x8xbf16>) -> tensor<4x8xbf16> {
  %r = "aten.mm"(%a, %b) : (tensor<4x16xbf16>, tensor<16x8xbf16>) -> tensor<4x8xbf16>
  return %r : tensor<4x8xbf16>
}
