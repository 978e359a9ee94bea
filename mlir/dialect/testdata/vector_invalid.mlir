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
