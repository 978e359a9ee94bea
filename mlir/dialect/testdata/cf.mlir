module {
  func.func @f(%arg0: i1, %arg1: i32, %arg2: f32, %arg3: i64) -> i32 {
    cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
  ^bb1(%0: i32):  // pred: ^bb0
    cf.br ^bb3(%0, %arg2 : i32, f32)
  ^bb2:  // 2 preds: ^bb0, ^bb2
    cf.assert %arg0, "a \22quoted\22 text"
    cf.switch %arg1 : i32, [
      default: ^bb4,
      4294967295: ^bb3(%arg1, %arg2 : i32, f32),
      7: ^bb2,
      42: ^bb3(%arg1, %arg2 : i32, f32)
    ]
  ^bb3(%1: i32, %2: f32):  // 4 preds: ^bb1, ^bb2, ^bb2, ^bb3
    cf.cond_br %arg0, ^bb3(%1, %2 : i32, f32), ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    return %arg1 : i32
  }
}
