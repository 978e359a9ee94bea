func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'aten.relu' result 0 is tensor<3x2xf32>, its operands give tensor<2x3xf32>}}
  %0 = "aten.relu"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'aten.add.Tensor' add.Tensor: shapes do not broadcast: [2 3] and [4]}}
  %0 = "aten.add.Tensor"(%x, %y) : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'aten.transpose.int' transpose.int: dimension 5 is out of range, expected -2 to 1}}
  %0 = "aten.transpose.int"(%x) {dim0 = 0 : i64, dim1 = 5 : i64} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'aten.view' view: shape is invalid for the size of the input: [2 3] and [4]}}
  %0 = "aten.view"(%x) {size = [4]} : (tensor<2x3xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected '(', found "tensor"}}
  %0 = aten.relu %x : tensor<2x3xf32> tensor<2x3xf32>
  return
}
