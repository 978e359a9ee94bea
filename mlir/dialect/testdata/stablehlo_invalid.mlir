func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.add' has 1 operands, not 2}}
  %0 = stablehlo.add %x : tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{stablehlo.transpose has no "perm"}}
  %0 = stablehlo.transpose %x, perm = [0] : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>, %y: tensor<f32>) {
  // expected-error@+1 {{expected 'dimensions', found "dims"}}
  %0 = stablehlo.reduce(%x init: %y) applies stablehlo.add across dims = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a tensor of complex numbers, not tensor<2xf32>}}
  %0 = stablehlo.complex %x, %x : tensor<2xf32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{a constant must be elements of a tensor}}
  %0 = stablehlo.constant 5 : i32
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected ':', found "-"}}
  %0 = stablehlo.slice %x [0-1] : (tensor<2xf32>) -> tensor<1xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{the operation "stablehlo.frobnicate" has no custom form here}}
  %0 = stablehlo.frobnicate %x : tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>, %w: tensor<2xf32>) {
  // expected-error@+1 {{a window has no "dance"}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f]x[i, o]->[b, f], window = {dance = [1]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected 'k', found "n"}}
  %0 = chlo.top_k(%x, n = 2) : tensor<2xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a number, found "many"}}
  check.expect_close %x, %x, max_ulp_difference = many : tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected 'dimension', found "dim"}}
  %0:2 = chlo.scan(%x) inits() dim=0 {
  } : (tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
  return
}
// -----
func.func @f(%x: tensor<?x?x?xi32>, %i: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
  // expected-error@+1 {{slice_sizes}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 8, 1, 7, 3>, indices_are_sorted = false} : (tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  return %0 : tensor<?x?x?xi32>
}
// -----
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{layout}}
  "stablehlo.custom_call"(%t) {call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = []} : (!stablehlo.token) -> ()
  return
}
