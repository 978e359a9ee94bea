module {
  func.func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<2x3xui8>) {
    %0 = aten.add.Tensor %arg0, %arg1 {alpha = 2 : i64} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %1:2 = aten.max.dim %0 {dim = 1 : i64, keepdim = false} : (tensor<1x2x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xi64>)
    %2 = aten.zeros {dtype = "uint8", size = [2, 3]} : () -> tensor<2x3xui8>
    aten.add_.Scalar %arg0 {other = 1.000000e+00 : f64} : (tensor<1x2x3xf32>) -> ()
    return %0, %2 : tensor<1x2x3xf32>, tensor<2x3xui8>
  }
}
