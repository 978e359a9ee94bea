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
// -----
func.func @f(%a: tensor<3x5xf32>, %b: tensor<7xf32>, %c: tensor<3x7xf32>) -> tensor<3x7xf32> {
  // expected-error@+1 {{map 1 of linalg.matmul cannot be ((d0, d1, d2) -> (d1)); its dimensions must be the dimensions of}}
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : tensor<3x5xf32>, tensor<7xf32>) outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
// -----
func.func @f(%a: tensor<2x3x5xf32>, %b: tensor<2x5x7xf32>, %c: tensor<2x3x7xf32>) -> tensor<2x3x7xf32> {
  // expected-error@+1 {{map 0 of linalg.batch_matmul cannot be}}
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x7xf32>) outs(%c : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0 : tensor<2x3x7xf32>
}
// -----
func.func @f(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<7x3xf32>) -> tensor<7x3xf32> {
  // expected-error@+1 {{map 2 of linalg.matmul cannot be}}
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>] ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%c : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %0 : tensor<7x3xf32>
}
// -----
func.func @f(%a: tensor<4x1xf32>, %b: tensor<1x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error@+1 {{map 0 is no choice of dimensions}}
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + d2, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : tensor<4x1xf32>, tensor<1x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
func.func @f(%a: tensor<2x3x4xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{the dimensions [2 1] are not in increasing order}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<2x3x4xf32>) outs(%b : tensor<2xf32>) dimensions = [2, 1]
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<8x5xf32>, %b: tensor<4x5x2xf32>) -> tensor<4x5x2xf32> {
  // expected-error@+1 {{inner_dims_pos [2] does not name dimensions of tensor<8x5xf32> once each}}
  %0 = linalg.pack %a inner_dims_pos = [2] inner_tiles = [2] into %b : tensor<8x5xf32> -> tensor<4x5x2xf32>
  return %0 : tensor<4x5x2xf32>
}
// -----
func.func @f(%a: tensor<8x5xf32>, %b: tensor<4x5x2xf32>) -> tensor<4x5x2xf32> {
  // expected-error@+1 {{outer_dims_perm [1 1] is no permutation}}
  %0 = linalg.pack %a outer_dims_perm = [1, 1] inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<8x5xf32> -> tensor<4x5x2xf32>
  return %0 : tensor<4x5x2xf32>
}
// -----
func.func @f(%a: tensor<8x5xf32>, %b: tensor<4x5x2xf32>) -> tensor<4x5x2xf32> {
  // expected-error@+1 {{tile 0 of tensor<4x5x2xf32> has not the extent of inner_tiles}}
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [4] into %b : tensor<8x5xf32> -> tensor<4x5x2xf32>
  return %0 : tensor<4x5x2xf32>
}
// -----
func.func @f(%a: tensor<9x5xf32>, %b: tensor<5x5x2xf32>) -> tensor<5x5x2xf32> {
  // expected-error@+1 {{tiles of 2 do not divide the extent 9 of dimension 0; give a padding_value}}
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<9x5xf32> -> tensor<5x5x2xf32>
  return %0 : tensor<5x5x2xf32>
}
// -----
func.func @f(%a: tensor<9x5xf32>, %b: tensor<5x4x2xf32>, %z: f32) -> tensor<5x4x2xf32> {
  // expected-error@+1 {{dimension 1 of tensor<5x4x2xf32> is 4, want 5}}
  %0 = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<9x5xf32> -> tensor<5x4x2xf32>
  return %0 : tensor<5x4x2xf32>
}
// -----
func.func @f(%a: tensor<9x5xf32>, %b: tensor<5x5x2xf32>, %z: i32) -> tensor<5x5x2xf32> {
  // expected-error@+1 {{a padding value of type i32 for elements of type f32}}
  %0 = linalg.pack %a padding_value(%z : i32) inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<9x5xf32> -> tensor<5x5x2xf32>
  return %0 : tensor<5x5x2xf32>
}
// -----
func.func @f(%a: tensor<4x5x2xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error@+1 {{dimension 1 of tensor<4x5x2xf32> is 5, want 6}}
  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<4x5x2xf32> -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-error@+1 {{the maps have no dimension to sum over}}
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%a, %b : tensor<3xf32>, tensor<4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
// -----
func.func @f(%a: tensor<3x5xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{the dimension d0 is neither one of the output nor one of both inputs}}
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d1)>] ins(%a, %b : tensor<3x5xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @f(%x: tensor<2x16xf32>) {
  // expected-error@+1 {{dimension 2 is not below the rank 2}}
  %0 = linalg.softmax dimension(2) ins(%x : tensor<2x16xf32>) outs(%x : tensor<2x16xf32>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%x: tensor<2x16xf32>) {
  // expected-error@+1 {{output, result: types must be the same, not tensor<2x16xf32> and tensor<2x0xf32>}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x16xf32>) outs(%x : tensor<2x16xf32>) -> tensor<2x0xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %u: tensor<4x4xf64>) {
  // expected-error@+1 {{'linalg.transpose' moves elements of type f32 to elements of type f64}}
  %0 = linalg.transpose ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf64>) permutation = [1, 0]
  return
}

// -----

func.func @f(%l: tensor<4xf32>, %u: tensor<4x4xf64>) {
  // expected-error@+1 {{'linalg.broadcast' moves elements of type f32 to elements of type f64}}
  %0 = linalg.broadcast ins(%l : tensor<4xf32>) outs(%u : tensor<4x4xf64>) dimensions = [1]
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %u: tensor<4x4xf64>) {
  // expected-error@+1 {{'linalg.softmax'}}
  %0 = linalg.softmax dimension(0) ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf64>) -> tensor<4x4xf64>
  return
}
