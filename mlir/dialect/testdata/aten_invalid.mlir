func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{%x is of type tensor<2xf32>, not tensor<3xf32>}}
  %0 = aten.relu %x : (tensor<3xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected '(', found "tensor"}}
  %0 = aten.relu %x : tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{aten.relu has 1 results, which the names on the left do not fit}}
  %0:2 = aten.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  return
}
