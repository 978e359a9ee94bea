module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @empty = <[]> {sym_visibility = "private"}
  func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}]> : tensor<4xf32>
    %1 = sdy.reshard %0 <@mesh, [{}], replicated={"y"}> {tag = 1 : i32} : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
