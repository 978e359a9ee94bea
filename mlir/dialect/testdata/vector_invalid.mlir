func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract' position 7 in dimension 0 of vector<4xf32>}}
  %0 = vector.extract %v[7] : f32 from vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' cannot make vector<2x3xf32> of vector<4xf32>}}
  %0 = vector.shape_cast %v : vector<4xf32> to vector<2x3xf32>
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error@+1 {{'vector.broadcast' cannot make vector<4xf64> of f32}}
  %0 = vector.broadcast %x : f32 to vector<4xf64>
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{has the unknown kind #vector.kind<plus>}}
  %0 = vector.reduction <plus>, %v : vector<4xf32> into f32
  return
}

// -----
func.func @f(%a: vector<2x3xf32>, %b: vector<4x5xf32>, %c: vector<2x5xf32>) {
  // expected-error@+1 {{operand 1 has 4 elements along loop 2, not 3}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<4x5xf32> into vector<2x5xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>, %i: index, %mask: vector<4xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{mask, result: shapes must be the same, not vector<4xi1> and vector<8xf32>}}
  %0 = vector.maskedload %m[%i], %mask, %v : memref<8xf32>, vector<4xi1>, vector<8xf32> into vector<8xf32>
  return
}
// -----
func.func @f(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{has 1 indices for 2 dimensions}}
  %0 = vector.transfer_read %m[%i], %x {permutation_map = affine_map<(i, j) -> (j)>} : memref<8x8xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%m: memref<8x8xf32>, %i: index, %v: vector<4xf32>) {
  // expected-error@+1 {{cannot write one element to several places}}
  vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(i, j) -> (0)>} : vector<4xf32>, memref<8x8xf32>
  return
}
// -----
func.func @f(%a: vector<[4]xf32>, %b: vector<8xf32>) {
  // expected-error@+1 {{the first vector is scalable only if the second one is}}
  %0 = vector.outerproduct %a, %b : vector<[4]xf32>, vector<8xf32>
  return
}
// -----
func.func @f(%m: vector<8xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{vector.reduction takes a mask vector<4xi1>, not vector<8xi1>}}
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<8xi1> -> f32
  return
}
// -----
func.func @f(%v: vector<1x[4]xf32>) {
  // expected-error@+1 {{2 elements from 0 in dimension 1 of vector<1x[4]xf32>}}
  %0 = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [1, 2], strides = [1, 1]} : vector<1x[4]xf32> to vector<1x[2]xf32>
  return
}
// -----
func.func @f(%v: vector<4x8xf32>) {
  // expected-error@+1 {{[0 0] is no permutation of 2 dimensions}}
  %0 = vector.transpose %v, [0, 0] : vector<4x8xf32> to vector<4x4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{xor does not work on f32}}
  %0 = vector.reduction <xor>, %v : vector<4xf32> into f32
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{result must be vector(1 index), not vector<4xi32>}}
  %0 = vector.step : vector<4xi32>
  return
}
// -----
func.func @f(%m: memref<4x4xf32, strided<[4, 2]>>, %i: index) {
  // expected-error@+1 {{base: the last dimension must have unit stride}}
  %0 = vector.load %m[%i, %i] : memref<4x4xf32, strided<[4, 2]>>, vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4x8xf32>, %acc: vector<4xf32>) {
  // expected-error@+1 {{there is no dimension -1 in vector<4x8xf32>}}
  %0 = "vector.multi_reduction"(%v, %acc) {kind = #vector.kind<add>, reduction_dims = [-1]} : (vector<4x8xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%d: f64, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert' cannot put f64 among elements of type f32}}
  %0 = vector.insert %d, %v[0] : f64 into vector<4xf32>
  return
}
