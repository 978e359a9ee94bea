module {
  func.func @f(%arg0: i32, %arg1: tensor<?xf32>) -> (i32, tensor<?xf32>) attributes {tag = "t"} {
    %0:2 = call @g(%arg0, %arg1) : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>)
    call @none() : () -> ()
    %f = constant @none : () -> ()
    call_indirect %f() : () -> ()
    %f_0 = constant @g : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>)
    %1:2 = call_indirect %f_0(%0#0, %0#1) : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>)
    return %1#0, %1#1 : i32, tensor<?xf32>
  }
  func.func private @g(i32, tensor<?xf32> {a.b}) -> (i32 {c.d = 1 : i8}, tensor<?xf32>)
  func.func nested @none() {
    return
  }
}
