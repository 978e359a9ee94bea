// expected-error@+1 {{expected '<'}}
sdy.mesh @mesh = "x"
// -----
sdy.mesh @mesh = <["x"=2]>
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{gives tensor<5xf32> of tensor<4xf32>}}
  %0 = "sdy.reshard"(%x) {sharding = #sdy.sharding<@mesh, [{}]>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{needs a sharding}}
  %0 = "sdy.sharding_constraint"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{here is one: export}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%y: tensor<2xf32>) { sdy.return %y : tensor<2xf32> } : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error@+1 {{has a sharding along the axis "z"; the mesh "mesh" has ["x" "y"]}}
func.func @f(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}]>}) {
  return
}
// -----
sdy.mesh @mesh = <["x"=2]>
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{has a sharding along the axis "z"; the mesh "mesh" has ["x"]}}
  %0 = sdy.reshard %x <@mesh, [{"x"}], replicated={"z"}> : tensor<4xf32>
  return
}
// -----
sdy.mesh @empty = <[]>
sdy.mesh @mesh = <["x"=2]>
func.func @f(%x: tensor<4xf32>) {
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<4xf32>
  // expected-error@+1 {{has a sharding along the axis "x"; the mesh "empty" has []}}
  %1 = sdy.sharding_constraint %x <@empty, [{"x"}]> : tensor<4xf32>
  return
}
// -----
// expected-error@+1 {{has a sharding of the mesh "mesh", which no sdy.mesh here defines}}
func.func @f(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  return
}
// -----
sdy.mesh @mesh = <["x"=2]>
// expected-error@+1 {{has a sharding of the mesh "mash", which no sdy.mesh here defines}}
func.func @f(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mash, [{"x"}]>}) {
  return
}
// -----
func.func @mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{has a sharding of the mesh "mesh", which no sdy.mesh here defines}}
  %0 = sdy.reshard %x <@mesh, [{}]> : tensor<4xf32>
  return
}
