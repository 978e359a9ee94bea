module {
  func.func @unsigned(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
    %0 = scf.for unsigned %arg3 = %arg0 to %arg1 step %arg2 iter_args(%arg4 = %arg0) -> (i32)  : i32 {
      %1 = arith.addi %arg4, %arg3 : i32
      scf.yield %1 : i32
    }
    return %0 : i32
  }
  func.func @index(%arg0: index) {
    scf.for unsigned %arg1 = %arg0 to %arg0 step %arg0 {
    } {a}
    return
  }
}
