module {
  func.func @f(%arg0: tensor<2x?xf32>, %arg1: f32, %arg2: tensor<*x!quant.uniform<u8:f32, 5.000000e-01:128>>, %arg3: tensor<2x?xi8>) {
    %0 = quant.qcast %arg0 : tensor<2x?xf32> to tensor<2x?x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
    %1 = quant.scast %0 : tensor<2x?x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>> to tensor<2x?xi8>
    %2 = quant.scast %arg3 : tensor<2x?xi8> to tensor<2x?x!quant.uniform<u8:f32:1, {5.000000e-01,2.500000e-01}>>
    %3 = quant.qcast %arg1 : f32 to !quant.uniform<i8:f32, 5.000000e-01>
    %4 = quant.dcast %3 : !quant.uniform<i8:f32, 5.000000e-01> to f32
    %5 = quant.dcast %arg2 : tensor<*x!quant.uniform<u8:f32, 5.000000e-01:128>> to tensor<*xf32>
    return
  }
}
