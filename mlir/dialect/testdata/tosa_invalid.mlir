func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected '(', found "tensor"}}
  %0 = tosa.add %x : tensor<2x3xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{the operation "tosa.nosuch" has no custom form here}}
  %0 = tosa.nosuch %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{a must be tensor(3), not tensor<2x3xf32>}}
  %0 = tosa.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{a, b, output: elements must be of one type, not tensor<2x3xf32> and tensor<2x3xi32>}}
  %0 = tosa.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{together make an extent of 3 where tensor<2x4xf32> has 4}}
  %0 = tosa.maximum %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+1 {{extents 2 and 4 do not fit each other}}
  %0 = tosa.sub %x, %y : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@+1 {{input must be tensor*(i1), not tensor<2x3xi32>}}
  %0 = tosa.logical_not %x : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}
// -----
func.func @f(%x: tensor<1x4x4x2xf32>) {
  // expected-error@+1 {{attribute 'stride' has 1 numbers, not 2}}
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2>} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axis 2 of tensor<2x3xf32>}}
  %0 = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{gives the extents [1 3], not the type tensor<2x1xf32>}}
  %0 = tosa.reduce_sum %x {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{the extents 3 and 4 of dimension 1 do not fit each other}}
  %0 = tosa.concat %x, %y {axis = 0 : i32} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{new_shape [3 3] is not the shape of tensor<3x2xf32>}}
  %0 = tosa.reshape %x {new_shape = array<i64: 3, 3>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{requires attribute 'max_int'}}
  %0 = tosa.clamp %x {min_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
// expected-error@+1 {{requires attribute 'value'}}
%0 = "tosa.const"() : () -> tensor<2xf32>
// -----
func.func @f(%x: tensor<6xf32>, %shape: !tosa.shape<2>) -> tensor<?x?xf32> {
  // expected-error@+1 {{operand 1 is a shape that is not known when the program is compiled; make it by tosa.const_shape}}
  %0 = tosa.reshape %x, %shape : (tensor<6xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
