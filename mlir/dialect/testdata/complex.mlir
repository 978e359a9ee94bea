module {
  func.func @cx(%arg0: complex<f32>, %arg1: f32) {
    %cst = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>
    %0 = complex.create %arg1, %arg1 : complex<f32>
    %1 = complex.add %arg0, %cst : complex<f32>
    %2 = complex.mul %arg0, %cst fastmath<fast> : complex<f32>
    %3 = complex.abs %arg0 : complex<f32>
    %4 = complex.re %arg0 : complex<f32>
    %5 = complex.eq %arg0, %arg0 : complex<f32>
    %6 = complex.exp %arg0 : complex<f32>
    %7 = complex.angle %arg0 fastmath<nnan> : complex<f32>
    %8 = complex.conj %arg0 : complex<f32>
    return
  }
}
