// RUN: elide
%0 = arith.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F20"> : tensor<33xi8>
%1 = arith.constant dense<[1, 2, 3]> : tensor<3xi8>
// CHECK: arith.constant dense_resource<__elided__> : tensor<33xi8>
// CHECK: arith.constant dense<[1, 2, 3]> : tensor<3xi8>
