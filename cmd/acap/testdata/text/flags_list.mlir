// What there is.
// RUN: acap opt -list | check
// RUN: acap opt -show-dialects | check DIALECTS

// CHECK: canonicalize {{.*}}fold
// CHECK-NEXT: {max-iterations=
// CHECK: cse
// CHECK: inference {{.*}}fold-dropout
// DIALECTS: Available Dialects: acap,affine,aie,aiex,arith,aten,
// DIALECTS-SAME: memref,
// DIALECTS-SAME: vector
