func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.load' has 0 indices for 1 dimensions}}
  %0 = memref.load %m[] : memref<4xf32>
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{'memref.alloc' has 1 sizes for 0 extents that are not known}}
  %0 = memref.alloc(%n) : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.subview' static_offsets has 1 entries for 2 dimensions}}
  %0 = memref.subview %m[0] [2] [1] : memref<4x4xf32> to memref<2xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.cast' cannot make memref<5xf32> of memref<4xf32>}}
  %0 = memref.cast %m : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{refers to @g, which no memref.global here defines}}
  %0 = memref.get_global @g : memref<2xf32>
  return
}
