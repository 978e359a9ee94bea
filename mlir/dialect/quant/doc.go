// SPDX-License-Identifier: Apache-2.0

// Package quant defines MLIR's quant dialect: element types that store integers and stand for real numbers, and the
// casts between the two.
//
//	!quant.uniform<i8:f32, 5.000000e-01:-3>
//	!quant.uniform<i8<-127:127>:f32:1, {1.000000e-01,2.000000e-01:5}>
package quant
