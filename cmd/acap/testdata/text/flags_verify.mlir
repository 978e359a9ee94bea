// What a pass leaves is verified, unless that is not wanted.
// RUN: not acap opt %s -cse 2>&1 | check
// RUN: not acap opt %s -cse -verify-each 2>&1 | check
// RUN: acap opt %s -cse -verify-each=false | check LEFT
// RUN: acap opt %s -cse -no-verify | check LEFT

// CHECK: returns
// LEFT: "func.return"(%x) : (tensor<2xf32>) -> ()
func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {
  return %x : tensor<2xf32>
}
