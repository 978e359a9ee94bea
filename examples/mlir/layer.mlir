// relu(x · w + b): the compiler makes one kernel of it.
#row = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  %product = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x4xf32>)
    outs(%init : tensor<2x4xf32>) -> tensor<2x4xf32>
  %result = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
    ins(%product, %b : tensor<2x4xf32>, tensor<4xf32>) outs(%empty : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sum = arith.addf %p, %q : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<2x4xf32>
  return %result : tensor<2x4xf32>
}
