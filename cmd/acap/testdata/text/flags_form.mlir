// The forms in which operations are printed.
// RUN: acap opt %s -generic | check GENERIC
// RUN: acap opt %s -mlir-print-op-generic | check GENERIC
// RUN: acap opt %s -pretty | check PRETTY
// RUN: acap opt %s -locations | check WHERE
// RUN: acap opt %s -mlir-print-debuginfo | check WHERE
// RUN: acap opt %s -aten-to-acap-2019 -acap-2019 | check OLD
// RUN: acap opt %s -elide-elementsattrs-if-larger 2 | check SHORT
// RUN: acap opt %s -mlir-elide-elementsattrs-if-larger=2 | check SHORT
// RUN: acap opt %s -elide-elementsattrs-if-larger 3 | check LONG

// GENERIC: "func.func"() ({
// GENERIC: "arith.constant"() {value = dense<
// PRETTY: aten.relu %x : (tensor<3xf32>) -> tensor<3xf32>
// WHERE: "aten.relu"{{.*}} loc("model.py":7:1)
// OLD: func @main(
// SHORT: dense_resource<__elided__> : tensor<3xf32>
// LONG: dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = "aten.relu"(%x) : (tensor<3xf32>) -> tensor<3xf32> loc("model.py":7:1)
  %1 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
