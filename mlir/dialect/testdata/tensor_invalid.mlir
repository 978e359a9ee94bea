func.func @f(%t: tensor<2x3xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{needs 2 indices or extents, not 1}}
  %0 = tensor.extract %t[%i] : tensor<2x3xf32>
  // expected-error@+1 {{needs 1 indices or extents, not 0}}
  %1 = tensor.empty() : tensor<?x4xf32>
  // expected-error@+1 {{cannot cast tensor<2x3xf32> to tensor<2x4xf32>}}
  %2 = tensor.cast %t : tensor<2x3xf32> to tensor<2x4xf32>
  // expected-error@+1 {{2 elements do not make a tensor<3xf32>}}
  %3 = tensor.from_elements %x, %x : tensor<3xf32>
  return
}
// -----
func.func @f(%t: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 1: 3 elements from 1 by 1 do not lie in an extent of 3}}
  %0 = tensor.extract_slice %t[0, 1] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
  // expected-error@+1 {{dimension 1: 2 elements from 1 by 2 do not lie in an extent of 3}}
  %1 = tensor.extract_slice %t[0, 1] [1, 2] [1, 2] : tensor<2x3xf32> to tensor<1x2xf32>
  // expected-error@+1 {{the slice is tensor<1x2xf32>, not tensor<2x2xf32>}}
  %2 = tensor.extract_slice %t[0, 1] [1, 2] [1, 1] : tensor<2x3xf32> to tensor<2x2xf32>
  // expected-error@+1 {{negative offset -1}}
  %3 = tensor.extract_slice %t[-1, 1] [1, 2] [1, 1] : tensor<2x3xf32> to tensor<1x2xf32>
  // expected-error@+1 {{static_sizes must hold 2 integers}}
  %4 = tensor.extract_slice %t[0, 1] [1] [1, 1] : tensor<2x3xf32> to tensor<1x2xf32>
  // expected-error@+1 {{dimension 0: 9223372036854775807 elements}}
  %5 = tensor.extract_slice %t[0, 0] [9223372036854775807, 1] [9223372036854775807, 1] : tensor<2x3xf32> to tensor<1x2xf32>
  return
}
// -----
func.func @f(%t: tensor<2x3xf32>, %s: tensor<2x2xf32>) {
  // expected-error@+1 {{do not lie in an extent of 3}}
  %0 = tensor.insert_slice %s into %t[0, 2] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x3xf32>
  return
}
// -----
func.func @f(%t: tensor<2x3xf32>, %x: f32, %d: f64) {
  // expected-error@+1 {{dimension 1 is 6 after padding, not 5}}
  %0 = tensor.pad %t low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<2x3xf32> to tensor<2x5xf32>
  // expected-error@+1 {{the element must be f32, not f64}}
  %1 = tensor.pad %t low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %d : f64
  } : tensor<2x3xf32> to tensor<2x6xf32>
  return
}
// -----
func.func @f(%t: tensor<2x3xf32>) {
  // expected-error@+1 {{group 0 has 6 elements}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<5xf32>
  // expected-error@+1 {{the groups must list the dimensions}}
  %1 = tensor.collapse_shape %t [[1, 0]] : tensor<2x3xf32> into tensor<6xf32>
  // expected-error@+1 {{the groups leave out dimensions}}
  %2 = tensor.collapse_shape %t [[0]] : tensor<2x3xf32> into tensor<2xf32>
  // expected-error@+1 {{group 1 has 4 elements}}
  %3 = tensor.expand_shape %t [[0], [1, 2]] output_shape [2, 2, 2] : tensor<2x3xf32> into tensor<2x2x2xf32>
  // expected-error@+1 {{the parts make an extent of 4 along dimension 0, not 5}}
  %4 = tensor.concat dim(0) %t, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}
// -----
func.func @f(%t: tensor<4x5x6xf32>, %i: tensor<1x2x2xindex>) {
  // expected-error@+1 {{gather_dims lists dimensions of tensor<4x5x6xf32> in their order, not [1 0]}}
  %0 = tensor.gather %t[%i] gather_dims([1, 0]) : (tensor<4x5x6xf32>, tensor<1x2x2xindex>) -> tensor<1x2x1x1x6xf32>
  return
}
// -----
func.func @f(%t: tensor<4x5x6xf32>, %i: tensor<1x2x2xindex>) {
  // expected-error@+1 {{the slices have the extents [1 2 1 1 6], not the type tensor<1x2x5xf32>}}
  %0 = tensor.gather %t[%i] gather_dims([0, 1]) : (tensor<4x5x6xf32>, tensor<1x2x2xindex>) -> tensor<1x2x5xf32>
  return
}
// -----
func.func @f(%s: tensor<1x2x6xf32>, %t: tensor<4x5x6xf32>, %i: tensor<1x2x2xindex>) {
  // expected-error@+1 {{requires attribute 'unique'}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0, 1]) : (tensor<1x2x6xf32>, tensor<4x5x6xf32>, tensor<1x2x2xindex>) -> tensor<4x5x6xf32>
  return
}
// -----
func.func @f(%t: tensor<?x20xf32>) {
  // expected-error@+1 {{group 0 has extents that are not known, but dimension 0 of tensor<20xf32> is}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x20xf32> into tensor<20xf32>
  return
}
// -----
func.func @f(%t: tensor<f32>, %i: index) {
  // expected-error@+1 {{needs a tensor that has dimensions, not tensor<f32>}}
  %0 = tensor.dim %t, %i : tensor<f32>
  return
}
// -----
func.func @f(%t: tensor<8x8xf32>, %p: tensor<1x1xf32>) {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x8xf32>) {
    scf.forall.in_parallel {
      // expected-error@+1 {{the slice is tensor<1x5xf32>, not tensor<1x1xf32>}}
      tensor.parallel_insert_slice %p into %o[%i, 0] [1, 5] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  }
  return
}
