module {
  func.func @f(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xi8>, %arg2: tensor<5x4xf32>, %arg3: tensor<5x1xi64>, %arg4: tensor<2x4xi64>, %arg5: tensor<2x4xf32>, %arg6: tensor<i64>, %arg7: tensor<4x68xi8>, %arg8: tensor<6xi64>) -> tensor<3x4xf32> {
    %0 = acap.scan add %arg0 axis 1 : tensor<3x4xf32>
    %1 = acap.scan logaddexp %0 axis 0 : tensor<3x4xf32>
    %2 = acap.scan max %arg1 axis 0 unsigned : tensor<3x4xi8>
    %3:2 = acap.sort %1 axis 1 : tensor<3x4xf32>
    %4:2 = acap.sort %1 axis 0 descending : tensor<3x4xf32> to tensor<2x4xf32>
    %5:2 = acap.sort %2 axis 1 descending unsigned from 1 : tensor<3x4xi8> to tensor<3x2xi8>
    %6:2 = acap.sort %2 axis 1 unsigned from 4 : tensor<3x4xi8> to tensor<3x0xi8>
    %7 = acap.scatter add %arg2 at %arg3 into %3#0 axis 0 : tensor<5x4xf32>, tensor<5x1xi64> into tensor<3x4xf32>
    %8 = acap.scatter assign %arg5 at %arg4 into %7 axis 1 : tensor<2x4xf32>, tensor<2x4xi64> into tensor<3x4xf32>
    %9 = acap.scatter max %2 at %3#1 into %arg1 axis 1 unsigned : tensor<3x4xi8>, tensor<3x4xi64> into tensor<3x4xi8>
    %10 = acap.rng %arg6, %arg6 : tensor<2x3xi32>
    %11 = acap.scan min %arg1 axis 0 positions unsigned : tensor<3x4xi8>
    %12 = acap.unpack %arg7 q8_0 : tensor<4x68xi8>
    %13 = acap.unpack %arg7 mxfp4 rounds : tensor<4x68xi8>
    %14 = acap.search %arg0 in %1 right : tensor<3x4xf32>, tensor<3x4xf32>
    %15 = acap.search %arg3 in %arg8 right unsigned : tensor<5x1xi64>, tensor<6xi64>
    %16 = acap.after %arg0, %arg3 : tensor<3x4xf32>, tensor<5x1xi64>
    return %8 : tensor<3x4xf32>
  }
}
