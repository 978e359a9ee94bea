module {
  func.func @f(%arg0: i1, %arg1: i32, %arg2: index, %arg3: index, %arg4: index, %arg5: tensor<4xf32>) -> i32 {
    cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
  ^bb1(%0: i32):  // pred: ^bb0
    cf.br ^bb3(%0 : i32)
  ^bb2:  // pred: ^bb0
    %c1_i32 = arith.constant 1 : i32
    cf.br ^bb3(%c1_i32 : i32)
  ^bb3(%1: i32):  // 2 preds: ^bb1, ^bb2
    cf.assert %arg0, "msg"
    %2 = scf.for %arg6 = %arg2 to %arg3 step %arg4 iter_args(%arg7 = %arg1) -> (i32) {
      %5 = arith.addi %arg7, %arg1 : i32
      scf.yield %5 : i32
    }
    scf.for %arg6 = %arg2 to %arg3 step %arg4 {
      %5 = arith.addi %arg6, %arg6 : index
      func.call @g(%5) : (index) -> ()
    }
    scf.for %arg6 = %arg2 to %arg3 step %arg4 {
    } {foo = 1 : i32}
    scf.for %arg6 = %arg1 to %arg1 step %arg1  : i32 {
    }
    %3 = scf.if %arg0 -> (i32) {
      scf.yield %arg1 : i32
    } else {
      scf.yield %1 : i32
    }
    scf.if %arg0 {
      func.call @g(%arg2) : (index) -> ()
    }
    scf.if %arg0 {
      func.call @g(%arg2) : (index) -> ()
    } else {
      func.call @g(%arg3) : (index) -> ()
    } {foo}
    %4:2 = scf.while (%arg6 = %arg1, %arg7 = %arg0) : (i32, i1) -> (i32, i1) {
      scf.condition(%arg7) %arg6, %arg7 : i32, i1
    } do {
    ^bb0(%arg6: i32, %arg7: i1):
      scf.yield %arg6, %arg7 : i32, i1
    } attributes {foo}
    return %3 : i32
  }
  func.func private @g(index)
}
