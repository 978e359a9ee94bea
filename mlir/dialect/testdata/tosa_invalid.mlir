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
