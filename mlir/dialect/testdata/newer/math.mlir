module {
  func.func @tests(%arg0: f32, %arg1: tensor<2x?xf64>) {
    %0 = math.isnan %arg0 : f32
    %1 = math.isinf %arg1 {tag} : tensor<2x?xf64>
    %2 = math.isfinite %arg0 : f32
    %3 = math.isnormal %arg1 : tensor<2x?xf64>
    %sin, %cos = math.sincos %arg0 fastmath<fast> : f32
    %sin_0, %cos_1 = math.sincos %arg1 : tensor<2x?xf64>
    %4 = math.clampf %arg0 to [%arg0, %arg0] fastmath<nnan> : f32
    %5 = math.clampf %arg1 to [%arg1, %arg1] {tag} : tensor<2x?xf64>
    return
  }
}
