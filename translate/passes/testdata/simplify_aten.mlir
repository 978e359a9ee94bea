// RUN: canonicalize
func.func @reordered(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = "aten.transpose.int"(%x) {dim0 = 0 : i64, dim1 = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %1 = "aten.transpose.int"(%0) {dim0 = -1 : i64, dim1 = 0 : i64} : (tensor<4x3x2xf32>) -> tensor<2x3x4xf32>
  %2 = "aten.mT"(%0) : (tensor<4x3x2xf32>) -> tensor<4x2x3xf32>
  %3 = "aten.permute"(%x) {dims = [0, 1, 2]} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %4 = "aten.movedim.int"(%2) {source = 0 : i64, destination = 2 : i64} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1, %2, %3, %4 : tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
}
// CHECK-LABEL: func.func @reordered(%x
// CHECK-NEXT: %0 = aten.permute %x {dims = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return %x, %0, %x, %x

func.func @reshaped(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<12xf32>) {
  %0 = "aten.view"(%x) {size = [12]} : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = "aten.reshape"(%0) {shape = [3, -1]} : (tensor<12xf32>) -> tensor<3x4xf32>
  %2 = "aten.unsqueeze"(%x) {dim = 1 : i64} : (tensor<2x6xf32>) -> tensor<2x1x6xf32>
  %3 = "aten.squeeze.dim"(%2) {dim = 1 : i64} : (tensor<2x1x6xf32>) -> tensor<2x6xf32>
  %4 = "aten.view"(%x) {size = [2, 6]} : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %5 = "aten.flatten.using_ints"(%2) : (tensor<2x1x6xf32>) -> tensor<12xf32>
  return %1, %3, %4, %5 : tensor<3x4xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<12xf32>
}
// CHECK-LABEL: func.func @reshaped(%x
// CHECK-NEXT: %0 = aten.view %x {size = array<i64: 3, 4>}
// CHECK-NEXT: %1 = aten.view %x {size = array<i64: 12>}
// CHECK-NEXT: return %0, %x, %x, %1

func.func @stretched(%x: tensor<1x3xf32>, %y: tensor<2x3xf32>) -> (tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = "aten.expand"(%x) {size = [2, 3]} : (tensor<1x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.expand"(%0) {size = [4, -1, -1]} : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %2 = "aten.expand"(%y) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "aten.slice.Tensor"(%y) {dim = 1 : i64, start = 0 : i64, end = 3 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "aten.repeat"(%y) {repeats = [1, 1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %2, %3, %4 : tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
// CHECK-LABEL: func.func @stretched(%x: tensor<1x3xf32>, %y
// CHECK-NEXT: %0 = aten.expand %x {size = array<i64: 4, 2, 3>}
// CHECK-NEXT: return %0, %y, %y, %y

func.func @unary(%x: tensor<3xf32>, %i: tensor<3xi32>, %b: tensor<3xi1>) -> (tensor<3xf32>, tensor<3xi32>, tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = "aten.neg"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "aten.neg"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "aten.bitwise_not"(%i) : (tensor<3xi32>) -> tensor<3xi32>
  %3 = "aten.bitwise_not"(%2) : (tensor<3xi32>) -> tensor<3xi32>
  %4 = "aten.logical_not"(%b) : (tensor<3xi1>) -> tensor<3xi1>
  %5 = "aten.logical_not"(%4) : (tensor<3xi1>) -> tensor<3xi1>
  %6 = "aten.abs"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %7 = "aten.square"(%6) : (tensor<3xf32>) -> tensor<3xf32>
  %8 = "aten.relu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %9 = "aten.relu"(%8) : (tensor<3xf32>) -> tensor<3xf32>
  %10 = "aten.floor"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %11 = "aten.ceil"(%10) : (tensor<3xf32>) -> tensor<3xf32>
  return %1, %3, %5, %6, %7, %9, %11 : tensor<3xf32>, tensor<3xi32>, tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
// CHECK-LABEL: func.func @unary(%x: tensor<3xf32>, %i: tensor<3xi32>, %b
// CHECK-NEXT: %0 = aten.abs %x
// CHECK-NEXT: %1 = aten.square %x
// CHECK-NEXT: %2 = aten.relu %x
// CHECK-NEXT: %3 = aten.floor %x
// CHECK-NEXT: return %x, %i, %b, %0, %1, %2, %3

// A double negation of numbers is their truth, not the numbers.
func.func @truth(%i: tensor<3xi32>) -> tensor<3xi1> {
  %0 = "aten.logical_not"(%i) : (tensor<3xi32>) -> tensor<3xi1>
  %1 = "aten.logical_not"(%0) : (tensor<3xi1>) -> tensor<3xi1>
  return %1 : tensor<3xi1>
}
// CHECK-LABEL: func.func @truth
// CHECK-NEXT: aten.logical_not
// CHECK-NEXT: aten.logical_not

func.func @neutral(%x: tensor<3xf32>, %i: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>, tensor<3xf32>) {
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %0 = "aten.mul.Tensor"(%one, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = "aten.sub.Scalar"(%x) {other = 0.0 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "aten.add.Scalar"(%x) {other = -0.0 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  %3 = "aten.add.Scalar"(%i) {other = 0 : i64} : (tensor<3xi32>) -> tensor<3xi32>
  %4 = "aten.bitwise_xor.Tensor"(%i, %i) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %5 = "aten.div.Tensor"(%x, %one) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %6 = "aten.maximum"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>, tensor<3xf32>
}
// CHECK-LABEL: func.func @neutral(%x: tensor<3xf32>, %i
// CHECK-NEXT: %0 = aten.full {size = array<i64: 3>, fill_value = 0 : i64, dtype = i32} : () -> tensor<3xi32>
// CHECK-NEXT: return %x, %x, %x, %i, %0, %x, %x

// -0 + 0 is 0, NaN times 0 is NaN, and a sum of another type is a conversion.
func.func @not_neutral(%x: tensor<3xf32>, %i: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>) {
  %0 = "aten.add.Scalar"(%x) {other = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "aten.mul.Scalar"(%x) {other = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "aten.mul.Scalar"(%i) {other = 1.0 : f64} : (tensor<3xi32>) -> tensor<3xf32>
  %3 = "aten.sub.Tensor"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %4 = "aten.sub.Scalar"(%x) {other = -0.0 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  %5 = "aten.eq.Tensor"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>
}
// CHECK-LABEL: func.func @not_neutral
// CHECK-NEXT: aten.add.Scalar
// CHECK-NEXT: aten.mul.Scalar
// CHECK-NEXT: aten.mul.Scalar
// CHECK-NEXT: aten.sub.Tensor
// CHECK-NEXT: aten.sub.Scalar
// CHECK-NEXT: aten.eq.Tensor

func.func @casts(%x: tensor<3xf32>, %h: tensor<3xbf16>, %i: tensor<3xi16>) -> (tensor<3xf32>, tensor<3xbf16>, tensor<3xf16>, tensor<3xi8>) {
  %0 = "aten.to.dtype"(%x) {dtype = f64} : (tensor<3xf32>) -> tensor<3xf64>
  %1 = "aten.to.dtype"(%0) {dtype = f32} : (tensor<3xf64>) -> tensor<3xf32>
  %2 = "aten._to_copy"(%h) {dtype = f32} : (tensor<3xbf16>) -> tensor<3xf32>
  %3 = "aten.to.dtype"(%2) {dtype = bf16} : (tensor<3xf32>) -> tensor<3xbf16>
  %4 = "aten.to.dtype"(%0) {dtype = f16} : (tensor<3xf64>) -> tensor<3xf16>
  %5 = "aten.to.dtype"(%i) {dtype = i64} : (tensor<3xi16>) -> tensor<3xi64>
  %6 = "aten.to.dtype"(%5) {dtype = i8} : (tensor<3xi64>) -> tensor<3xi8>
  return %1, %3, %4, %6 : tensor<3xf32>, tensor<3xbf16>, tensor<3xf16>, tensor<3xi8>
}
// CHECK-LABEL: func.func @casts(%x: tensor<3xf32>, %h: tensor<3xbf16>, %i
// CHECK-NEXT: %0 = aten.to.dtype %x {dtype = f16}
// CHECK-NEXT: %1 = aten.to.dtype %i {dtype = i8}
// CHECK-NEXT: return %x, %h, %0, %1

// What narrows in between has lost something.
func.func @narrowing(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = "aten.to.dtype"(%x) {dtype = bf16} : (tensor<3xf32>) -> tensor<3xbf16>
  %1 = "aten.to.dtype"(%0) {dtype = f32} : (tensor<3xbf16>) -> tensor<3xf32>
  %2 = "aten.to.dtype"(%x) {dtype = i64} : (tensor<3xf32>) -> tensor<3xi64>
  %3 = "aten.to.dtype"(%2) {dtype = f32} : (tensor<3xi64>) -> tensor<3xf32>
  return %1, %3 : tensor<3xf32>, tensor<3xf32>
}
// CHECK-LABEL: func.func @narrowing
// CHECK-NEXT: aten.to.dtype
// CHECK-NEXT: aten.to.dtype
// CHECK-NEXT: aten.to.dtype
// CHECK-NEXT: aten.to.dtype

func.func @constants(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = "aten.ones"() {size = [2, 3]} : () -> tensor<2x3xf32>
  %1 = "aten.t"(%0) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = "aten.zeros_like"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = arith.constant dense<true> : tensor<2x3xi1>
  %3 = "aten.where.self"(%c, %x, %2) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "aten.cat"(%x) {dim = 0 : i64, operandSegmentSizes = array<i32: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %2, %3, %4 : tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
// CHECK-LABEL: func.func @constants(%x
// CHECK-NEXT: %0 = aten.full {size = array<i64: 3, 2>, fill_value = 1.000000e+00 : f64
// CHECK-NEXT: %1 = aten.full {size = array<i64: 2, 3>, fill_value = 0 : i64
// CHECK-NEXT: return %0, %1, %x, %x

// What gives its input back.
func.func @unchanged(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "aten.alias"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.detach"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "aten.lift_fresh"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "aten.contiguous"(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "aten.clone"(%3) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = "aten._rewritten"(%4, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = "aten.view"(%5) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = "aten.reshape"(%6) {shape = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = "aten._reshape_alias"(%7) {size = [2, 3], stride = [3, 1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = "aten._unsafe_view"(%8) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = "aten.squeeze"(%9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = "aten.squeeze.dim"(%10) {dim = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = "aten.squeeze.dims"(%11) {dim = [0, 1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %13 = "aten.expand"(%12) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = "aten.broadcast_to"(%13) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %15 = "aten.narrow"(%14) {dim = 0 : i64, start = 0 : i64, length = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %16 = "aten.flip"(%15) {dims = []} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %17 = "aten.roll"(%16) {shifts = [0], dims = [1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %18 = "aten.constant_pad_nd"(%17) {pad = [0, 0]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %19 = "aten.movedim.intlist"(%18) {source = [0], destination = [0]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %20 = "aten.moveaxis.int"(%19) {source = 1 : i64, destination = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %21 = "aten.moveaxis.intlist"(%20) {source = [0, 1], destination = [0, 1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %22 = "aten.swapaxes"(%21) {axis0 = 1 : i64, axis1 = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %23 = "aten.swapdims"(%22) {dim0 = 0 : i64, dim1 = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %24 = "aten.to.dtype_layout"(%23) {dtype = f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %25 = "aten.to.device"(%24) {device = "cpu", dtype = f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %26 = "aten.to.prim_dtype"(%25) {dtype = 6 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %27 = "aten.to.prim_device"(%26) {dtype = 6 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %28 = "aten.div.Scalar"(%27) {other = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %29 = "aten.pow.Tensor_Scalar"(%28) {exponent = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %30 = "aten.view_as"(%29, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %31 = "aten.reshape_as"(%30, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %32 = "aten.expand_as"(%31, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %33 = "aten.to.other"(%32, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %34 = "aten.type_as"(%33, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %34 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @unchanged(%x
// CHECK-NEXT: return %x

func.func @twice(%x: tensor<2x3xf32>, %v: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<1x3xf32>) {
  %0 = "aten.sign"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.sign"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "aten.round"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "aten.round"(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "aten.trunc"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = "aten.trunc"(%4) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = "aten.ceil"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = "aten.ceil"(%6) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = "aten.tril"(%x) {diagonal = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = "aten.tril"(%8) {diagonal = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = "aten.triu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = "aten.triu"(%10) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = "aten.numpy_T"(%v) : (tensor<3xf32>) -> tensor<3xf32>
  %13 = "aten.ravel"(%12) : (tensor<3xf32>) -> tensor<3xf32>
  %14 = "aten.unflatten.int"(%v) {dim = 0 : i64, sizes = [1, 3]} : (tensor<3xf32>) -> tensor<1x3xf32>
  return %1, %3, %5, %7, %9, %11, %13, %14 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<1x3xf32>
}
// CHECK-LABEL: func.func @twice(%x
// CHECK-NEXT: %0 = aten.sign %x
// CHECK-NEXT: %1 = aten.round %x
// CHECK-NEXT: %2 = aten.trunc %x
// CHECK-NEXT: %3 = aten.ceil %x
// CHECK-NEXT: %4 = aten.tril %x
// CHECK-NEXT: %5 = aten.triu %x
// CHECK-NEXT: %6 = aten.unflatten.int %v
// CHECK-NEXT: return %0, %1, %2, %3, %4, %5, %v, %6

// A triangle of another diagonal cuts again.
func.func @triangles(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "aten.tril"(%x) {diagonal = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.tril"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @triangles
// CHECK-NEXT: aten.tril
// CHECK-NEXT: aten.tril

func.func @integers(%i: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %zero = arith.constant dense<0> : tensor<2x3xi32>
  %ones = arith.constant dense<-1> : tensor<2x3xi32>
  %0 = "aten.add.Tensor"(%zero, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = "aten.sub.Tensor"(%i, %zero) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %2 = "aten.mul.Tensor"(%i, %zero) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %3 = "aten.mul.Scalar"(%i) {other = 1 : i64} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %4 = "aten.bitwise_or.Tensor"(%i, %zero) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %5 = "aten.bitwise_and.Tensor"(%i, %ones) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %6 = "aten.bitwise_xor.Tensor"(%zero, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %7 = "aten.minimum"(%i, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>
}
// CHECK-LABEL: func.func @integers(%i
// CHECK-NEXT: %0 = aten.full {{.*}}fill_value = 0
// CHECK-NEXT: return %i, %i, %0, %i, %i, %i, %i, %i

func.func @quotients(%i: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %one = arith.constant dense<1> : tensor<2x3xi32>
  %0 = "aten.floor_divide"(%i, %one) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// CHECK-LABEL: func.func @quotients(%i
// CHECK-NEXT: return %i

func.func @compared(%i: tensor<2x3xi32>) -> (tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>) {
  %0 = "aten.eq.Tensor"(%i, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %1 = "aten.ge.Tensor"(%i, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %2 = "aten.le.Tensor"(%i, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %3 = "aten.ne.Tensor"(%i, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %4 = "aten.gt.Tensor"(%i, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %5 = "aten.lt.Tensor"(%i, %i) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>
}
// CHECK-LABEL: func.func @compared(%i
// CHECK-NEXT: %0 = aten.full {{.*}}fill_value = true
// CHECK-NEXT: %1 = aten.full {{.*}}fill_value = true
// CHECK-NEXT: %2 = aten.full {{.*}}fill_value = true
// CHECK-NEXT: %3 = aten.full {{.*}}fill_value = false
// CHECK-NEXT: %4 = aten.full {{.*}}fill_value = false
// CHECK-NEXT: %5 = aten.full {{.*}}fill_value = false

func.func @like(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = "aten.ones_like"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.empty_like"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "aten.full_like"(%x) {fill_value = 2.5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = "aten.new_zeros"(%x) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = "aten.new_ones"(%x) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = "aten.new_empty"(%x) {size = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = "aten.new_full"(%x) {size = [2, 3], fill_value = 7 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
// CHECK-LABEL: func.func @like(%x
// CHECK-NEXT: %0 = aten.full {{.*}}fill_value = 1
// CHECK-NEXT: %1 = aten.full {{.*}}fill_value = 0
// CHECK-NEXT: %2 = aten.full {{.*}}fill_value = 2.5
// CHECK-NEXT: %3 = aten.full {{.*}}fill_value = 0
// CHECK-NEXT: %4 = aten.full {{.*}}fill_value = 1
// CHECK-NEXT: %5 = aten.full {{.*}}fill_value = 0
// CHECK-NEXT: %6 = aten.full {{.*}}fill_value = 7
