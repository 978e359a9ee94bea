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
  // expected-error@+1 {{operand 0 must have 3 dimensions, not the type tensor<2x3xf32>}}
  %0 = tosa.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
