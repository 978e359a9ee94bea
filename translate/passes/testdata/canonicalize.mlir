// RUN: canonicalize
func.func @ints(%x: i32) -> (i32, i32, i32, i1, i8, i32) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : i32
  %cm = arith.constant -7 : i32
  %0 = arith.addi %c2, %c3 : i32
  %1 = arith.muli %0, %cm : i32
  %2 = arith.addi %c0, %x : i32
  %3 = arith.cmpi slt, %cm, %c2 : i32
  %4 = arith.divsi %c2, %c0 : i32
  %5 = arith.trunci %1 : i32 to i8
  %6 = arith.floordivsi %cm, %c2 : i32
  return %1, %2, %4, %3, %5, %6 : i32, i32, i32, i1, i8, i32
}
// CHECK: func.func @ints(%x: i32)
// CHECK-NEXT: %c2 = arith.constant 2 : i32
// CHECK-NEXT: %c0 = arith.constant 0 : i32
// CHECK-NEXT: %c-35_i32 = arith.constant -35 : i32
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: %0 = arith.divsi %c2, %c0 : i32
// CHECK-NEXT: %c-35_i8 = arith.constant -35 : i8
// CHECK-NEXT: %c-4_i32 = arith.constant -4 : i32
// CHECK-NEXT: return %c-35_i32, %x, %0, %true, %c-35_i8, %c-4_i32

func.func @floats(%x: f32, %t: tensor<2x2xf32>) -> (f32, f32, f32, tensor<2x2xf32>, f16, f32) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %third = arith.constant 0.333333343 : f32
  %ones = arith.constant dense<1.0> : tensor<2x2xf32>
  %0 = arith.mulf %one, %x : f32
  %1 = arith.addf %x, %zero : f32
  %2 = arith.addf %third, %third : f32
  %3 = arith.mulf %t, %ones : tensor<2x2xf32>
  %4 = arith.truncf %third : f32 to f16
  %5 = arith.negf %x : f32
  %6 = arith.negf %5 : f32
  return %0, %1, %2, %3, %4, %6 : f32, f32, f32, tensor<2x2xf32>, f16, f32
}
// CHECK: func.func @floats
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = arith.addf %x, %zero : f32
// CHECK-NEXT: %cst = arith.constant 0.666666686 : f32
// CHECK-NEXT: %cst_0 = arith.constant 3.332520e-01 : f16
// CHECK-NEXT: return %x, %0, %cst, %t, %cst_0, %x

func.func @tensors(%t: tensor<2x3xf32>) -> (index, tensor<2x3xf32>, f32, tensor<6xi32>, tensor<2x3xf32>) {
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %t, %c1 : tensor<2x3xf32>
  %1 = tensor.cast %t : tensor<2x3xf32> to tensor<?x3xf32>
  %2 = tensor.cast %1 : tensor<?x3xf32> to tensor<2x3xf32>
  %k = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %3 = tensor.extract %k[%c1, %c1] : tensor<2x2xf32>
  %s = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %4 = tensor.collapse_shape %s [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  %5 = tensor.extract_slice %t[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> to tensor<2x3xf32>
  return %0, %2, %3, %4, %5 : index, tensor<2x3xf32>, f32, tensor<6xi32>, tensor<2x3xf32>
}
// CHECK: func.func @tensors
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %cst = arith.constant 4.000000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
// CHECK-NEXT: return %c3, %t, %cst, %cst_0, %t

func.func @effects(%x: f32) {
  %0 = arith.addf %x, %x : f32
  %1 = "other.op"(%x) : (f32) -> f32
  %2 = aten.mul %x, %x : (f32, f32) -> f32
  return
}
// CHECK: func.func @effects
// CHECK-NEXT: %0 = "other.op"(%x)
// CHECK-NEXT: return
