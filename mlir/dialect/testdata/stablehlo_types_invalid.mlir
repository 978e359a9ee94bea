func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.tanh' operand must be tensor(real | pairs | quantized), not tensor<4xi32>}}
  %0 = stablehlo.tanh %i : tensor<4xi32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.popcnt' operand must be tensor(signed | unsigned), not tensor<4xf32>}}
  %0 = stablehlo.popcnt %v : tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.negate' operand, result: types are not compatible: tensor<4xf32> and tensor<3xf32>}}
  %0 = "stablehlo.negate"(%v) : (tensor<4xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.abs' gives tensor<4xf32> for result 0, not tensor<4xf64>}}
  %0 = "stablehlo.abs"(%v) : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.not' operand must be tensor(pred | signed | unsigned), not tensor<4xf32>}}
  %0 = stablehlo.not %v : tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.add' needs elements of one type, not f32, i32 and f32}}
  %0 = "stablehlo.add"(%v, %i) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.add' lhs, rhs, result: shapes are not compatible: tensor<4xf32> and tensor<2x3xf32>}}
  %0 = "stablehlo.add"(%v, %w) : (tensor<4xf32>, tensor<2x3xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.and' lhs must be tensor(pred | signed | unsigned), not tensor<4xf32>}}
  %0 = "stablehlo.and"(%v, %v) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{#stablehlo<comparison_direction UP> is none of EQ NE GE GT LE LT}}
  %0 = "stablehlo.compare"(%v, %v) {comparison_direction = #stablehlo<comparison_direction UP>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.compare' result must be tensor(pred), not tensor<4xi8>}}
  %0 = stablehlo.compare LT, %v, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi8>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.select' chooses between values of one type, not tensor<4xf32> and tensor<4xi32>}}
  %0 = "stablehlo.select"(%p, %v, %i) : (tensor<i1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.clamp' a bound is one number or one for each element: tensor<2x3xf32> and tensor<4xf32>}}
  %0 = "stablehlo.clamp"(%w, %v, %z) : (tensor<2x3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.bitcast_convert' 3 elements of 8 bits are not one of 32 bits}}
  %0 = stablehlo.bitcast_convert %v : (tensor<4xf32>) -> tensor<4x3xi8>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.complex' gives tensor<4xcomplex<f32>> for result 0, not tensor<4xcomplex<f64>>}}
  %0 = "stablehlo.complex"(%v, %v) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reduce_precision' attribute 'exponent_bits' is 0, and not from 1 on}}
  %0 = stablehlo.reduce_precision %v, format = e0m10 : tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{the mode TOLERANCE has tolerances, and HIGHEST does not have these}}
  %0 = stablehlo.exponential %v {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reshape' tensor<4xf32> has 4 elements, and tensor<5xf32> has 5}}
  %0 = stablehlo.reshape %v : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reshape' result: needs a static shape, or one open dimension with a bound: tensor<2x?xf32>}}
  %0 = stablehlo.reshape %v : (tensor<4xf32>) -> tensor<2x?xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' dimension 0 of the operand has 4 places, where dimension 0 of the result has 5}}
  %0 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<4xf32>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast_in_dim' broadcast_dimensions has 2, and not only dimensions from 0 to 1}}
  %0 = stablehlo.broadcast_in_dim %v, dims = [2] : (tensor<4xf32>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.broadcast' broadcast_sizes must not be negative: [-2]}}
  %0 = stablehlo.broadcast %v, sizes = [-2] : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' permutation has 0 twice}}
  %0 = stablehlo.transpose %w, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' gives a result of shape [3, 2], not [2, 3]}}
  %0 = stablehlo.transpose %w, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reverse' dimensions has 1, and not only dimensions from 0 to 0}}
  %0 = stablehlo.reverse %v, dims = [1] : tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.concatenate' operands have 1 and 2 dimensions}}
  %0 = stablehlo.concatenate %v, %w, dim = 0 : (tensor<4xf32>, tensor<2x3xf32>) -> tensor<6xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.concatenate' gives a result of shape [8], not [9]}}
  %0 = stablehlo.concatenate %v, %v, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<9xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.slice' ends at 9 in dimension 0, which has 4 places}}
  %0 = stablehlo.slice %v [1:9] : (tensor<4xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.slice' has the stride 0 in dimension 0}}
  %0 = stablehlo.slice %v [1:3:0] : (tensor<4xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.slice' begins at 3 and ends at 1 in dimension 0}}
  %0 = stablehlo.slice %v [3:1] : (tensor<4xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.dynamic_slice' slice_sizes takes 5 of the 4 places of dimension 0}}
  %0 = stablehlo.dynamic_slice %v, %n, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.dynamic_slice' has 1 start indices for 2 dimensions}}
  %0 = stablehlo.dynamic_slice %w, %n, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' the update has 0 numbers for 1 dimensions}}
  %0 = stablehlo.dynamic_update_slice %v, %z, %n : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.pad' interior padding must not be negative: -1}}
  %0 = stablehlo.pad %v, %z, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.pad' edge_padding_low has 2 numbers for 1 dimensions}}
  %0 = stablehlo.pad %v, %z, low = [1, 0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.iota' counts along dimension 1 of tensor<4xf32>}}
  %0 = stablehlo.iota dim = 1 : tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.get_dimension_size' asks for dimension 1 of tensor<4xf32>}}
  %0 = stablehlo.get_dimension_size %v, dim = 1 : (tensor<4xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.dot' multiplies vectors and matrices, not tensor<4xf32> and tensor<f32>}}
  %0 = stablehlo.dot %v, %z : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.dot' sums over 4 and 2 places}}
  %0 = stablehlo.dot %v, %w : (tensor<4xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' dimension 1 of the left side has 3 places, and 0 of the right side 2}}
  %0 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.dot_general' no hardware multiplies so: lhs_precision_type = f32, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false}}
  %0 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' attribute 'feature_group_count' is 0, and not from 1 on}}
  %0 = "stablehlo.convolution"(%x, %k) {batch_group_count = 1 : i64, feature_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>} : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' 2 input features in 2 groups do not fit a kernel with 2}}
  %0 = "stablehlo.convolution"(%x, %k) {batch_group_count = 1 : i64, feature_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>} : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{[b, f, 0, 0] has 0 twice}}
  %0 = "stablehlo.convolution"(%x, %k) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 0]x[o, i, 0, 1]->[b, f, 0, 1]>} : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' window_strides is 0 in dimension 0, and must be positive}}
  %0 = "stablehlo.convolution"(%x, %k) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, window_strides = array<i64: 0, 1>, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>} : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.convolution' gives a result of shape [1, 2, 3, 3], not [1, 2, 4, 4]}}
  %0 = "stablehlo.convolution"(%x, %k) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>} : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x4x4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.fft' gives tensor<3xcomplex<f32>> for result 0, not tensor<4xcomplex<f32>>}}
  %0 = stablehlo.fft %v, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.fft' IFFT does not transform tensor<4xf32>}}
  %0 = stablehlo.fft %v, type = IFFT, length = [4] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.cholesky' factors square matrices, not tensor<2x3xf32>}}
  %0 = "stablehlo.cholesky"(%w) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.triangular_solve' tensor<2x2xf32> and tensor<2x3xf32> do not fit each other}}
  %0 = "stablehlo.triangular_solve"(%q, %w) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.batch_norm_inference' tensor<4xf32> does not have the 3 features of tensor<2x3xf32>}}
  %0 = "stablehlo.batch_norm_inference"(%w, %v, %v, %v, %v) {epsilon = 1.0e-5 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.gather' an index has 1 numbers, and addresses 2 dimensions}}
  %0 = "stablehlo.gather"(%w, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 3>} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.gather' takes 2 places of dimension 0, which the window does not have}}
  %0 = "stablehlo.gather"(%w, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 2, 3>} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{offset_dims is there twice}}
  %0 = "stablehlo.gather"(%w, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], offset_dims = [0]>, slice_sizes = array<i64: 1, 3>} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.scatter' update_window_dims has 0, and not only dimensions from 0 to -1}}
  %0 = "stablehlo.scatter"(%v, %s, %z) ({^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %b : tensor<f32>}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<4xf32>, tensor<1xi32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reduce' the reduction returns 1 tensors, not 2}}
  %0 = "stablehlo.reduce"(%v, %z) ({^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %a, %b : tensor<f32>, tensor<f32>}) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reduce' the reduction takes 2 arguments, not 1}}
  %0 = "stablehlo.reduce"(%v, %z) ({^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>}) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reduce' dimensions has 1, and not only dimensions from 0 to 0}}
  %0 = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{applies stablehlo.subtract, and not one of stablehlo.add, stablehlo.multiply, stablehlo.maximum, stablehlo.minimum, stablehlo.and, stablehlo.or, stablehlo.xor}}
  %0 = stablehlo.reduce(%v init: %z) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.reduce_window' gives tensor<3xf32> for result 0, not tensor<4xf32>}}
  %0 = "stablehlo.reduce_window"(%v, %z) ({^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %a : tensor<f32>}) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.sort' the comparator returns tuple<tensor<i1>>, not tuple<tensor<f32>>}}
  %0 = "stablehlo.sort"(%v) ({^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %a : tensor<f32>}) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.map' dimensions must be 0, 1, … in order, not [1]}}
  %0 = "stablehlo.map"(%v) ({^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>}) {dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.while' the condition returns tuple<tensor<i1>>, not tuple<tensor<4xf32>>}}
  %0 = "stablehlo.while"(%v) ({^bb0(%a: tensor<4xf32>): stablehlo.return %a : tensor<4xf32>}, {^bb0(%a: tensor<4xf32>): stablehlo.return %a : tensor<4xf32>}) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.if' the branch returns tuple<tensor<4xf32>>, not tuple<tensor<f32>>}}
  %0 = "stablehlo.if"(%p) ({stablehlo.return %v : tensor<4xf32>}, {stablehlo.return %z : tensor<f32>}) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.all_reduce' program 0 is in two places}}
  %0 = "stablehlo.all_reduce"(%v) ({^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %a : tensor<f32>}) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' 4 places are not gathered into 7}}
  %0 = "stablehlo.all_gather"(%v) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<7xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.collective_permute' program 0 is no program, or sends or receives twice}}
  %0 = "stablehlo.collective_permute"(%v) {source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.uniform_quantize' gives numbers of type f32, not f64}}
  %0 = stablehlo.uniform_quantize %v : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f64, 0.5>>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.uniform_quantize' operand, result: its quantized dimension does not fit the scales: tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>}}
  %0 = stablehlo.uniform_quantize %v : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{a scale must be positive, not -0.5}}
  %0 = stablehlo.uniform_quantize %v : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, -0.5>>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{the zero point 128 is not from -128 to 127}}
  %0 = stablehlo.uniform_quantize %v : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:128>>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' backend_config must be a string, not {a = 1 : i64}}}
  %0 = stablehlo.custom_call @f(%v) {backend_config = {a = 1 : i64}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' has layouts of operands and results, or of neither}}
  %0 = stablehlo.custom_call @f(%v) {operand_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.composite' the name must have a namespace, as my_namespace.my_op, and not be "f"}}
  %0 = stablehlo.composite "f" %v {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'stablehlo.composite' refers to @nothing, which no func.func here defines}}
  %0 = stablehlo.composite "a.f" %v {decomposition = @nothing} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'chlo.lgamma' operand must be tensor*(real), not tensor<4xi32>}}
  %0 = chlo.lgamma %i : tensor<4xi32> -> tensor<4xi32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'chlo.broadcast_add' lhs, rhs, result: elements are not compatible: tensor<4xf32> and tensor<4xi32>}}
  %0 = chlo.broadcast_add %v, %i : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'chlo.top_k' takes 5 of 4}}
  %0:2 = chlo.top_k(%v, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'chlo.constant_like' the value is of type i32, and the result of tensor<4xf32>}}
  %0 = "chlo.constant_like"(%v) {value = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%v: tensor<4xf32>, %w: tensor<2x3xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>,
    %s: tensor<1xi32>, %q: tensor<2x2xf32>, %x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{'chlo.ragged_dot' the right side has 1 group dimensions, not 0}}
  %0 = "chlo.ragged_dot"(%w, %k, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>} : (tensor<2x3xf32>, tensor<2x2x2x2xf32>, tensor<1xi32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%x: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {
  // expected-error@+1 {{[b, f, 1099511627776, 1] does not have 0}}
  %0 = "stablehlo.convolution"(%x, %k) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 1099511627776, 1]x[o, i, 0, 1]->[b, f, 0, 1]>} : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{#stablehlo.comparison_directionUP is no attribute of the dialect, all of which have brackets}}
  %0 = "stablehlo.compare"(%x, %x) {comparison_direction = #stablehlo.comparison_directionUP} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'comparison_direction' is #stablehlo<precision HIGH>, and not #stablehlo<comparison_direction ...>}}
  %0 = "stablehlo.compare"(%x, %x) {comparison_direction = #stablehlo<precision HIGH>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{#stablehlo<comparison_direction UP> is none of EQ NE GE GT LE LT}}
  %0 = stablehlo.compare UP, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}
