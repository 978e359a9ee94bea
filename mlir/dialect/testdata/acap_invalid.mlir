func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x4xi32>, %d: tensor<?x4xf32>, %s: f32) {
  // expected-error@+1 {{cannot fold by "assign"; there are add, mul, max, min, logaddexp}}
  %0 = acap.scan assign %x axis 1 : tensor<3x4xf32>
  // expected-error@+1 {{axis 2 of a tensor of rank 2}}
  %1 = acap.scan add %x axis 2 : tensor<3x4xf32>
  // expected-error@+1 {{logaddexp needs floating elements, not i32}}
  %2 = acap.scan logaddexp %i axis 1 : tensor<3x4xi32>
  // expected-error@+1 {{the operand must be a tensor of real numbers with a static shape, not tensor<?x4xf32>}}
  %3 = acap.scan add %d axis 1 : tensor<?x4xf32>
  // expected-error@+1 {{the operand must be a tensor of real numbers with a static shape, not f32}}
  %4 = acap.scan add %s axis 0 : f32
  // expected-error@+1 {{the result must be tensor<3x4xf32>, not tensor<4x3xf32>}}
  %5 = "acap.scan"(%x) {kind = "add", axis = 1 : i64} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  // expected-error@+1 {{add has no positions; max and min have}}
  %8 = acap.scan add %x axis 1 positions : tensor<3x4xf32>
  // expected-error@+1 {{the result must be tensor<3x4xi64>, not tensor<3x4xf32>}}
  %9 = "acap.scan"(%x) {kind = "max", axis = 1 : i64, positions} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  // expected-error@+1 {{needs the attribute axis}}
  %6 = "acap.scan"(%x) {kind = "add"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  // expected-error@+1 {{attribute color = "red" does not belong here}}
  %7 = "acap.scan"(%x) {kind = "add", axis = 1 : i64, color = "red"} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}
// -----
func.func @f(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{places 2 to 6 of lines of 4}}
  %0:2 = acap.sort %x axis 1 from 2 : tensor<3x4xf32>
  // expected-error@+1 {{the first result must be tensor<3x2xf32>, not tensor<2x2xf32>}}
  %1:2 = acap.sort %x axis 1 : tensor<3x4xf32> to tensor<2x2xf32>
  // expected-error@+1 {{the second result must be tensor<3x4xi64>, not tensor<3x4xi32>}}
  %2:2 = "acap.sort"(%x) {axis = 1 : i64, first = 0 : i64} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
  return
}
// -----
func.func @f(%x: tensor<3x4xf32>, %u: tensor<5x4xf32>, %i: tensor<5x1xi64>, %n: tensor<5x1xi32>, %v: tensor<5xi64>) {
  // expected-error@+1 {{cannot fold by "logaddexp"; there are assign, add, mul, max, min}}
  %0 = acap.scatter logaddexp %u at %i into %x axis 0 : tensor<5x4xf32>, tensor<5x1xi64> into tensor<3x4xf32>
  // expected-error@+1 {{the index must hold i64, not i32}}
  %1 = acap.scatter add %u at %n into %x axis 0 : tensor<5x4xf32>, tensor<5x1xi32> into tensor<3x4xf32>
  // expected-error@+1 {{dimension 0: the updates have extent 5, the target 3}}
  %2 = acap.scatter add %u at %i into %x axis 1 : tensor<5x4xf32>, tensor<5x1xi64> into tensor<3x4xf32>
  // expected-error@+1 {{must have one rank}}
  %3 = acap.scatter add %u at %v into %x axis 0 : tensor<5x4xf32>, tensor<5xi64> into tensor<3x4xf32>
  // expected-error@+1 {{dimension 0: the index has extent 5, the updates 3}}
  %4 = acap.scatter add %x at %i into %x axis 0 : tensor<3x4xf32>, tensor<5x1xi64> into tensor<3x4xf32>
  return
}
// -----
func.func @f(%k: tensor<i64>, %c: tensor<2xi64>) {
  // expected-error@+1 {{the counter must be tensor<i64>, not tensor<2xi64>}}
  %0 = "acap.rng"(%k, %c) : (tensor<i64>, tensor<2xi64>) -> tensor<4xi32>
  // expected-error@+1 {{the result must be tensor<4xi32>, not tensor<4xf32>}}
  %1 = acap.rng %k, %k : tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4x68xi8>, %f: tensor<4x68xf32>) {
  // expected-error@+1 {{there are no blocks of the format "q4"}}
  %0 = acap.unpack %x q4 : tensor<4x68xi8>
  // expected-error@+1 {{rows of 68 bytes are not whole blocks of q4_0, of 18}}
  %1 = acap.unpack %x q4_0 : tensor<4x68xi8>
  // expected-error@+1 {{blocks are rows of bytes, not tensor<4x68xf32>}}
  %2 = acap.unpack %f q8_0 : tensor<4x68xf32>
  // expected-error@+1 {{the result must be tensor<4x64xf32>, not tensor<4x64xf16>}}
  %3 = "acap.unpack"(%x) {format = "q8_0"} : (tensor<4x68xi8>) -> tensor<4x64xf16>
  return
}
// -----
func.func @f(%x: tensor<3x4xf32>, %y: tensor<2x5xf32>, %z: tensor<3x5xf16>, %s: tensor<f32>) {
  // expected-error@+1 {{the sequence tensor<2x5xf32> must have one dimension, or the dimensions of the values tensor<3x4xf32> but for the last}}
  %0 = acap.search %x in %y : tensor<3x4xf32>, tensor<2x5xf32>
  // expected-error@+1 {{must have one element type, and no half type}}
  %1 = acap.search %x in %z : tensor<3x4xf32>, tensor<3x5xf16>
  // expected-error@+1 {{must have one element type, and no half type}}
  %2 = acap.search %z in %z : tensor<3x5xf16>, tensor<3x5xf16>
  // expected-error@+1 {{the sequence tensor<f32> must have one dimension}}
  %3 = acap.search %x in %s : tensor<3x4xf32>, tensor<f32>
  // expected-error@+1 {{the result must be tensor<3x4xi64>, not tensor<3x4xi32>}}
  %4 = "acap.search"(%x, %x) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi32>
  return
}
// -----
func.func @f(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{the result must be tensor<3x4xf32>, not tensor<4x3xf32>}}
  %0 = "acap.after"(%x, %x) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<4x3xf32>
  return
}
