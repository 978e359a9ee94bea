func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>, %c: tensor<2x5xf32>) {
  // expected-error@+1 {{operand 1 has extent 4 in dimension 0, but loop d2 has 3}}
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<4x5xf32>) outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %c: tensor<2x3xf32>) {
  // expected-error@+1 {{needs an affine map for each of its 2 operands}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x3xf32>
  return
}
// -----
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<2x3xf32>, %c: tensor<2x3xf32>) {
  // expected-error@+1 {{map 0 must have 1 dims}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x3xf32>
  // expected-error@+1 {{argument 0 of the region must be f32, not f64}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%x: f64, %y: f32):
    linalg.yield %y : f32
  } -> tensor<2x3xf32>
  // expected-error@+1 {{gives the types of its outputs}}
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y : f32
  } -> tensor<3x3xf32>
  // expected-error@+1 {{yields 2 values for 1 outputs}}
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y, %y : f32, f32
  } -> tensor<2x3xf32>
  return
}
// -----
#id = affine_map<(d0) -> (d0)>
#shift = affine_map<(d0) -> (d0 + 1)>
func.func @f(%a: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error@+1 {{operand 0 of type tensor<4xf32> is accessed at 1 to 4 in dimension 0}}
  %0 = linalg.generic {indexing_maps = [#shift, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-error@+1 {{there is no loop 1 among 1}}
    %i = linalg.index 1 : index
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<1x3x8x8xf32>, %w: tensor<5x3x3x3xf32>, %o: tensor<1x5x7x6xf32>) {
  // expected-error@+1 {{operand 0 of type tensor<1x3x8x8xf32> is accessed at 0 to 8 in dimension 2}}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<5x3x3x3xf32>) outs(%o : tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{dimensions must be different and below 2: [2]}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<2x3xf32>) outs(%b : tensor<2xf32>) dimensions = [2]
  // expected-error@+1 {{permutation must be different and below 1: [0 0]}}
  %1 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<2xf32>) permutation = [0, 0]
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{takes 2 inputs and one output}}
  %0 = linalg.matmul ins(%a : tensor<2x3xf32>) outs(%b : tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%x: tensor<2x16xf32>, %y: tensor<2x17xf32>) {
  // expected-error@+1 {{input, output: shapes must be the same, not tensor<2x16xf32> and tensor<2x17xf32>}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x16xf32>) outs(%y : tensor<2x17xf32>) -> tensor<2x17xf32>
  return
}
// -----
func.func @f(%x: f32) {
  scf.execute_region {
    // expected-error@+1 {{stands in linalg., and not in scf.execute_region}}
    linalg.yield %x : f32
  }
  return
}
