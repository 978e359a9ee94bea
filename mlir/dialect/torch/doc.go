// SPDX-License-Identifier: Apache-2.0

// Package torch defines torch-mlir's dialect: operators of ATen on tensors, constants, lists, control flow, globals and
// classes, and torch_c, casts between it and the types of MLIR:
//
//	%int1 = torch.constant.int 1
//	%0 = torch.aten.add.Tensor %a, %b, %int1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
package torch
