module @named attributes {a.b = 1 : i32} {
  func.func private @decl(tensor<4xf32> {bufferization.access = "read"}, i32) -> (f32, i32) attributes {llvm.emit_c_interface}
  func.func public @pub(%arg0: i32 {x.y}, %arg1: f32) -> (i32 {q.r = [1, 2.000000e+00, "s", @decl, i32, unit]}, f32) {
    return %arg0, %arg1 : i32, f32
  }
  func.func @calls(%arg0: tensor<4xf32>, %arg1: i32) -> i32 {
    %3:2 = call @decl(%arg0, %arg1) : (tensor<4xf32>, i32) -> (f32, i32)
    call @none() {tag} : () -> ()
    return %3#1 : i32
  }
  func.func private @none()
  func.func @"needs quotes"() -> i32 {
    %c1_i32 = arith.constant 1 : i32
    return %c1_i32 : i32
  }
  func.func private @x() -> i32
  module {
    func.func @inner() {
      return
    }
  }
  %0 = unrealized_conversion_cast to tensor<2xf32>
  %1 = unrealized_conversion_cast %0 : tensor<2xf32> to tensor<?xf32>
  %2:2 = unrealized_conversion_cast %0, %1 : tensor<2xf32>, tensor<?xf32> to i32, f32 {tag}
}
