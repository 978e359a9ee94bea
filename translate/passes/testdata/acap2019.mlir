// RUN: aten-to-acap-2019

// CHECK: func.func @clamp
// CHECK-NEXT: aten.constant{{.*}}type = "none", value
// CHECK-NEXT: aten.constant{{.*}}type = "f32", value = 1.000000e+00 : f32
// CHECK-NEXT: aten.clamp %x, %0, %1
func.func @clamp(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "aten.clamp"(%x) {max = 1.0 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK: func.func @branch
// CHECK: scf.if
// CHECK: aten.constant
// CHECK: aten.add %x, %x
func.func @branch(%x: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %r = scf.if %c -> (tensor<2xf32>) {
    %0 = "aten.add.Tensor"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %0 : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
