module {
  func.func @f() -> (i32, tensor<2xf32>, index) {
    %0 = ub.poison : i32
    %1 = ub.poison : tensor<2xf32>
    %2 = ub.poison {tag = 1 : i32} : index
    return %0, %1, %2 : i32, tensor<2xf32>, index
  }
}
