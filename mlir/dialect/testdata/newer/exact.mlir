module {
  func.func @f(%arg0: i32, %arg1: vector<2xi64>, %arg2: i1, %arg3: tensor<?x2xf32>) -> i32 {
    %0 = arith.shrui %arg0, %arg0 exact : i32
    %1 = arith.divsi %arg1, %arg1 exact {tag} : vector<2xi64>
    %2 = arith.trunci %arg0 overflow<nsw, nuw> : i32 to i8
    %3 = bufferization.to_buffer %arg3 read_only : tensor<?x2xf32> to memref<?x2xf32>
    cf.cond_br %arg2 weights([3, 0]), ^bb1(%0 : i32), ^bb2
  ^bb1(%4: i32):  // pred: ^bb0
    return %4 : i32
  ^bb2:  // pred: ^bb0
    return %0 : i32
  }
}
