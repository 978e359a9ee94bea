// SPDX-License-Identifier: Apache-2.0

// Package funcdialect defines MLIR's func dialect: functions, calls and returns.
//
//	func.func @twice(%arg0: tensor<4xf32>) -> tensor<4xf32> {
//	  %0 = arith.addf %arg0, %arg0 : tensor<4xf32>
//	  return %0 : tensor<4xf32>
//	}
//
// The attributes of a func.func are those of upstream: sym_name, function_type,
// sym_visibility, arg_attrs and res_attrs. A function without blocks is a
// declaration.
package funcdialect
