func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.load' memref, indices: 0 indices for 1 dimensions}}
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
  // expected-error@+1 {{'memref.subview' needs offsets, sizes and strides for 2 dimensions}}
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
// -----
func.func @f(%m: memref<8x16xf32, strided<[16, 1]>>) {
  // expected-error@+1 {{'memref.cast' cannot make memref<8x16xf32, strided<[32, 1]>> of memref<8x16xf32, strided<[16, 1]>>}}
  %0 = memref.cast %m : memref<8x16xf32, strided<[16, 1]>> to memref<8x16xf32, strided<[32, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{selects memref<2x4xf32, strided<[16, 2], offset: 19>>, which memref<2x4xf32, strided<[16, 1], offset: 19>> is not}}
  %0 = memref.subview %m[1, 3][2, 4][1, 2] : memref<8x16xf32> to memref<2x4xf32, strided<[16, 1], offset: 19>>
  return
}
// -----
func.func @f(%m: memref<?xf32>) {
  // expected-error@+1 {{the offset, sizes and strides do not agree with memref<10xf32, strided<[2]>>}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, strided<[2]>>
  return
}
// -----
func.func @f(%m: memref<4x5xf32, strided<[6, 1]>>) {
  // expected-error@+1 {{dimension 0 of memref<4x5xf32, strided<[6, 1]>> does not follow the next without a gap}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x5xf32, strided<[6, 1]>> into memref<20xf32, strided<[1]>>
  return
}
// -----
func.func @f(%m: memref<20xf32>) {
  // expected-error@+1 {{dimension 0 of memref<20xf32> is not group [0 1] of memref<4x6xf32>}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [4, 6] : memref<20xf32> into memref<4x6xf32>
  return
}
// -----
// expected-error@+1 {{the layout has 1 dimensions, and the memref 2}}
func.func private @f(memref<2x3xf32, affine_map<(d0) -> (d0)>>)
// -----
memref.global "private" @g : memref<3xi32>
func.func @f() {
  // expected-error@+1 {{gives memref<3xf32>, and the memory is memref<3xi32>}}
  %0 = memref.get_global @g : memref<3xf32>
  return
}
// -----
func.func @f(%m: memref<10xi32>, %v: i32, %i: index) {
  // expected-error@+1 {{addf works on floats, not on i32}}
  %0 = memref.atomic_rmw addf %v, %m[%i] : (i32, memref<10xi32>) -> i32
  return
}
// -----
func.func @f(%m: memref<?x4xf32>, %n: index) {
  // expected-error@+1 {{static_offsets has 1 entries that are operands, and there are 0 offsets}}
  %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> : (memref<?x4xf32>) -> memref<1x4xf32, strided<[4, 1], offset: ?>>
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.load' memref, indices: 2 indices for 1 dimensions}}
  %0 = memref.load %m[%i, %i] : memref<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{an alignment is a power of two, not -1}}
  %0 = memref.alloc() {alignment = -1 : i64} : memref<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{an alignment is a power of two, not 3}}
  %0 = memref.alloc() {alignment = 3 : i64} : memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{an alignment is a power of two, not 3}}
  memref.assume_alignment %m, 3 : memref<4x4xf32>
  return
}

// -----

func.func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{5 elements from 0 by 1 do not lie in the extent 4 of dimension 0}}
  %0 = memref.subview %m[0, 0] [5, 4] [1, 1] : memref<4x4xf32> to memref<5x4xf32, strided<[4, 1]>>
  return
}

// -----

func.func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{3 elements from 1 by -1 do not lie in the extent 4 of dimension 0}}
  %0 = memref.subview %m[1, 0] [3, 4] [-1, 1] : memref<4x4xf32> to memref<3x4xf32, strided<[-4, 1], offset: 4>>
  return
}

// -----

func.func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{has a negative size among [-2]}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [-2], strides: [1] : memref<4x4xf32> to memref<16xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32, 1>) {
  // expected-error@+1 {{gives tuple<memref<f32, 1>, index, index, index>, not tuple<memref<f32, 1>, index, index, i128>}}
  %0:4 = memref.extract_strided_metadata %m : memref<4xf32, 1> -> memref<f32, 1>, index, index, i128
  return
}
