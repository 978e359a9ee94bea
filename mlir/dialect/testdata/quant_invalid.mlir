func.func @f(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{casts between !quant.uniform<i8:f32, 5.000000e-01>, which stands for f32, and f64}}
  %0 = quant.dcast %x : tensor<4x!quant.uniform<i8:f32, 0.5>> to tensor<4xf64>
  return
}
// -----
func.func @f(%x: tensor<4xf16>) {
  // expected-error@+1 {{which stands for f32, and f16}}
  %0 = quant.qcast %x : tensor<4xf16> to tensor<4x!quant.uniform<i8:f32:0, {0.5,1.0,2.0,4.0}>>
  return
}
// -----
func.func @f(%x: f64) {
  // expected-error@+1 {{which stands for f32, and f64}}
  %0 = quant.qcast %x : f64 to !quant.uniform<i8:f32, 0.5>
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{input must be opaque | tensor*(opaque), not tensor<4xf32>}}
  %0 = quant.dcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
func.func @f(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{to another shape, tensor<5xf32>}}
  %0 = quant.dcast %x : tensor<4x!quant.uniform<i8:f32, 0.5>> to tensor<5xf32>
  return
}
// -----
func.func @f(%x: tensor<?x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{to another shape, tensor<4xf32>}}
  %0 = quant.dcast %x : tensor<?x!quant.uniform<i8:f32, 0.5>> to tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{to another shape, f32}}
  %0 = quant.dcast %x : tensor<4x!quant.uniform<i8:f32, 0.5>> to f32
  return
}
// -----
func.func @f(%x: tensor<4x!quant.uniform<i8:f32:0, {0.5,0.25}>>) {
  // expected-error@+1 {{has 2 scales along dimension 0 of tensor<4x!quant}}
  %0 = quant.dcast %x : tensor<4x!quant.uniform<i8:f32:0, {0.5,0.25}>> to tensor<4xf32>
  return
}
// -----
func.func @f(%x: !quant.uniform<i8:f32:0, {0.5,0.25}>) {
  // expected-error@+1 {{has 2 scales along dimension 0 of !quant}}
  %0 = quant.dcast %x : !quant.uniform<i8:f32:0, {0.5,0.25}> to f32
  return
}
// -----
func.func @f(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{has 2 scales along dimension 2 of tensor<2x4}}
  %0 = quant.qcast %x : tensor<2x4xf32> to tensor<2x4x!quant.uniform<i8:f32:2, {0.5,0.25}>>
  return
}
// -----
func.func @f(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{which stores i8, and i16}}
  %0 = quant.scast %x : tensor<4x!quant.uniform<i8:f32, 0.5>> to tensor<4xi16>
  return
}
// -----
func.func @f(%x: tensor<4xi16>) {
  // expected-error@+1 {{which stores i8, and i16}}
  %0 = quant.scast %x : tensor<4xi16> to tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
func.func @f(%x: tensor<4xui8>) {
  // expected-error@+1 {{input must be}}
  %0 = quant.scast %x : tensor<4xui8> to tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
// expected-error@+1 {{a value of type f64 needs a decimal point}}
func.func @f(%x: tensor<4x!quant.uniform<i8:f32, 2>>) {
  return
}
