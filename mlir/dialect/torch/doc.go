// SPDX-License-Identifier: Apache-2.0

// Package torch defines the part of torch-mlir's dialect that its backend contract uses:
// operators on tensors with values, constants and lists.
//
//	%int1 = torch.constant.int 1
//	%0 = torch.aten.add.Tensor %a, %b, %int1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
package torch
