module {
  func.func @f(%arg0: tensor<2x?xf32>, %arg1: i1) -> tensor<2x?xf32> {
    %cst = arith.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
    %c = tensor.cast %cst : tensor<2x1xf32> to tensor<2x?xf32>
    %m = memref.alloc() {alignment = 64 : i64} : memref<4xi8>
    memref.dealloc %m : memref<4xi8>
    cf.cond_br %arg1, ^bb1(%c : tensor<2x?xf32>), ^bb2
  ^bb1(%0: tensor<2x?xf32>):
    %1 = arith.addf %0, %arg0 : tensor<2x?xf32>
    return %1 : tensor<2x?xf32>
  ^bb2:
    return %arg0 : tensor<2x?xf32>
  }
}
