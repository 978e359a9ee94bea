// SPDX-License-Identifier: Apache-2.0

// Package aten defines the dialect of PyTorch's operators: "aten.add.Tensor" with
// operands for tensors and attributes for everything that is known when a program
// is recorded.
//
//	%1 = aten.add.Tensor %a, %b {alpha = 2 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
//
// The dialect takes any name. Package ops knows what an operator means, and lends its checks through [SetVerifier].
package aten
