// Products take and give the 16-bit type, a softmax f32, a sum of both f32, and the function keeps
// its types. What is not in the table follows.
// RUN: autocast-bf16

// CHECK: func.func @mixed(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK-NEXT: aten._to_copy %x {dtype = bf16} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
// CHECK-NEXT: aten._to_copy %w {dtype = bf16} : (tensor<8x8xf32>) -> tensor<8x8xbf16>
// CHECK-NEXT: aten.mm
// CHECK-SAME: -> tensor<4x8xbf16>
// CHECK-NEXT: aten.relu
// CHECK-SAME: -> tensor<4x8xbf16>
// CHECK-NEXT: aten._to_copy
// CHECK-SAME: (tensor<4x8xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT: aten._softmax
// CHECK-SAME: -> tensor<4x8xf32>
// CHECK-NEXT: aten.add.Tensor
// CHECK-SAME: (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: return
func.func @mixed(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = "aten.mm"(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = "aten.relu"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "aten._softmax"(%1) {dim = 1 : i64, half_to_float = false} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = "aten.add.Tensor"(%1, %2) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Numbers of f64 are left alone, and one cast of a weight serves two products.
// CHECK: func.func @double
// CHECK-NEXT: aten.mm
// CHECK-SAME: -> tensor<2x2xf64>
func.func @double(%x: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %0 = "aten.mm"(%x, %x) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// CHECK: func.func @twice
// CHECK-NEXT: aten._to_copy %x
// CHECK-NEXT: aten.mm
// CHECK-NEXT: aten.mm
func.func @twice(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "aten.mm"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.mm"(%0, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Regions and calls get what the program wrote.
// CHECK: func.func @regions
// CHECK-NEXT: scf.if
// CHECK: aten.mm
// CHECK-SAME: -> tensor<2x2xbf16>
// CHECK-NEXT: aten._to_copy
// CHECK-SAME: -> tensor<2x2xf32>
// CHECK-NEXT: scf.yield
func.func @regions(%x: tensor<2x2xf32>, %c: i1) -> tensor<2x2xf32> {
  %r = scf.if %c -> (tensor<2x2xf32>) {
    %y = "aten.mm"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %y : tensor<2x2xf32>
  } else {
    scf.yield %x : tensor<2x2xf32>
  }
  return %r : tensor<2x2xf32>
}
