// A running sum along rows is a loop that carries the sum, in f64.
// RUN: acap opt %s -expand-acap -pretty | check

// CHECK: scf.for
// CHECK: scf.for
// CHECK: [[FIRST:%[a-z0-9_]+]] = arith.extf
// CHECK: scf.for {{.*}} iter_args({{.*}} = [[FIRST]]) -> (tensor<2x3xf32>, f64)
// CHECK: arith.addf {{.*}} : f64
// CHECK: arith.truncf
// CHECK: tensor.insert
// CHECK-NOT: acap.
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = acap.scan add %x axis 1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
