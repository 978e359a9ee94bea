module {
  func.func @tosa(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<2x1x1x2xf32>, %arg2: tensor<2xf32>, %arg3: tensor<i1>) {
    %0 = tosa.add %arg0, %arg0 : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %1 = tosa.conv2d %arg0, %arg1, %arg2 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
    %2 = tosa.reshape %arg0 {new_shape = array<i64: 32>} : (tensor<1x4x4x2xf32>) -> tensor<32xf32>
    %3 = tosa.while_loop (%arg4 = %arg2) : (tensor<2xf32>) -> tensor<2xf32> {
      tosa.yield %arg3 : tensor<i1>
    } do {
    ^bb0(%arg4: tensor<2xf32>):
      tosa.yield %arg4 : tensor<2xf32>
    }
    %4 = tosa.mul %arg2, %arg2 {shift = 0 : i8} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @variables(%arg0: tensor<2x4x8xi32>) -> tensor<2x4x8xi32> {
    tosa.variable @s = dense<-1> : tensor<2x4x8xi32>
    tosa.variable @u : tensor<2x4x8xi32>
    tosa.variable.write @s, %arg0 : tensor<2x4x8xi32>
    %0 = tosa.variable.read @s : tensor<2x4x8xi32>
    return %0 : tensor<2x4x8xi32>
  }
}
