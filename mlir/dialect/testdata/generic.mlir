#map = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 4, d1 mod 3 - 1, -d0, d0 ceildiv 2 - d1 * 3, (d0 + d1) mod 7, d0 - d1, d0 * s0, (d0 floordiv 2) * 4)>
#map1 = affine_map<() -> ()>
#map2 = affine_map<(d0) -> (d0 - 5, 3, -1, -d0 - 1)>
#set = affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 == 0, d0 * 2 + s0 - 5 >= 0)>
module {
  "test.types"() {a = tensor<?x4xf32>, b = tensor<*xi1>, c = memref<2x?xf32, strided<[?, 1], offset: ?>>, d = memref<*xf32, 3>, e = memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, "space">, f = vector<4x[8]xf32>, g = complex<f64>, h = tuple<i32, tuple<>, f32>, i = (i32, f32) -> (), j = () -> ((i32) -> f32), k = (() -> ()) -> i1, l = none, m = index, n = si8, o = ui16, p = i4, q = !foo.bar<"x", [1, 2], (i32) -> i32>, r = !foo<"opaque">, s = tensor<0x3xf32>, t = tensor<f32>, u = tensor<4xf32, #foo.enc<a>>, v = f8E4M3FN, w = bf16, x = tensor<2x3xf32>, y = tensor<2x!foo.elem>, z = memref<f32>, aa = vector<f32>, ab = tf32, ac = f128, ad = f80} : () -> ()
  "test.attrs"() {a = #map, b = #map1, c = #map2, d = #set, e = array<i64: 1, -2>, f = array<i1: true, false>, g = array<f32: 1.000000e+00, 0x7F800000>, h = array<i8>, i, j, k = [], l = [1, 0x42374876E8020000 : f64, 2 : i32, 1.500000e+00, 2.500000e+00 : f32, [true], {x = 1 : i64}], m = {}, n = {a = 1 : i64, "b c" = 2 : i8}, o = @sym, p = @sym::@nested::@"q r", q = "str\0A\09\\\22\FF", r = loc("f.py":1:2), s = #foo.attr<1, "x">, t = #foo.bar, tt = #foo<1bar>, u = i32, v = dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.500000e+00)]> : tensor<2xcomplex<f32>>, w = dense<(1,2)> : tensor<2xcomplex<i32>>, x = dense_resource<blob> : tensor<3xi8>, y = strided<[4, 1]>, z = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, aa = -1 : i32, ab = 18446744073709551615 : ui64, ac = -128 : si8, ad = -1 : i8, ae = 3 : index, af = dense<[1732584193, -271733879]> : tensor<2xi32>, ag = dense<[255, 0]> : tensor<2xui8>, ah = dense<true> : tensor<4xi1>, ai = 1.000000e+00 : bf16, aj = dense_resource<__elided__> : tensor<4xf32>} : () -> ()
  %0:3 = "test.results"() : () -> (i32, f32, index)
  "test.operands"(%0#2, %0#0, %0#0) ({
  ^bb0(%arg0: i32, %arg1: f32):
    %1 = "test.inner"(%arg0, %0#1) : (i32, f32) -> i32
    "test.br"()[^bb1] : () -> ()
  ^bb1:  // 2 preds: ^bb0, ^bb1
    "test.cond"()[^bb1, ^bb2] : () -> ()
  ^bb2:  // pred: ^bb1
    "test.end"() : () -> ()
  }, {
  }) {tag = 1 : i64} : (index, i32, i32) -> ()
  "test.fwd"(%later) : (i32) -> ()
  %later = "test.def"() : () -> i32
  "test.loc"() : () -> ()
  "any.op"() <{kind = 1 : i64}> {other} : () -> ()
  "any.graph"() ({
    "any.use"(%soon) : (i32) -> ()
    %soon = "any.def"() : () -> i32
  }) : () -> ()
  "any.typed"() {a = #any.number<1, 2> : tensor<2xi32>, b = #any<"x"> : i8} : () -> ()
  func.func @cast(%arg0: i32) -> i64 {
    %1 = builtin.unrealized_conversion_cast %arg0 : i32 to i64
    return %1 : i64
  }
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x40000000010203"
    }
  }
#-}
