// What passes get and leave goes to standard error.
// RUN: acap opt %s -cse -dce -print-ir-before cse -o %t 2>&1 | check BEFORE
// RUN: acap opt %s -cse -dce -print-ir-after dce -o %t 2>&1 | check AFTER
// RUN: acap opt %s -cse -dce -print-ir-before-all -o %t 2>&1 | check EACHBEFORE
// RUN: acap opt %s -cse -dce -print-before -o %t 2>&1 | check EACHBEFORE
// RUN: acap opt %s -cse -dce -print-ir-after-all -o %t 2>&1 | check EACHAFTER
// RUN: acap opt %s -cse -dce -print-after -o %t 2>&1 | check EACHAFTER
// RUN: acap opt %s -cse -dce -print-ir-after-change -o %t 2>&1 | check CHANGE

// BEFORE: IR Dump Before cse
// BEFORE: aten.relu
// BEFORE: aten.relu
// BEFORE-NOT: IR Dump

// AFTER-NOT: cse
// AFTER: IR Dump After dce
// AFTER: aten.relu
// AFTER-NOT: aten.relu

// EACHBEFORE: IR Dump Before cse
// EACHBEFORE: IR Dump Before dce
// EACHBEFORE-NOT: IR Dump

// EACHAFTER: IR Dump After cse
// EACHAFTER: IR Dump After dce
// EACHAFTER-NOT: IR Dump

// CHANGE: IR Dump After cse
// CHANGE-NOT: IR Dump
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
