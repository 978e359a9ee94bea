// SPDX-License-Identifier: Apache-2.0

// Package dialect registers every dialect of the project. Programs that parse MLIR
// import it for this effect:
//
//	import _ "github.com/go-acap/acap/mlir/dialect"
package dialect

import (
	_ "github.com/go-acap/acap/mlir/dialect/acap"
	_ "github.com/go-acap/acap/mlir/dialect/affine"
	_ "github.com/go-acap/acap/mlir/dialect/aie"
	_ "github.com/go-acap/acap/mlir/dialect/arith"
	_ "github.com/go-acap/acap/mlir/dialect/aten"
	_ "github.com/go-acap/acap/mlir/dialect/bufferization"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	_ "github.com/go-acap/acap/mlir/dialect/cf"
	_ "github.com/go-acap/acap/mlir/dialect/complex"
	_ "github.com/go-acap/acap/mlir/dialect/func"
	_ "github.com/go-acap/acap/mlir/dialect/index"
	_ "github.com/go-acap/acap/mlir/dialect/linalg"
	_ "github.com/go-acap/acap/mlir/dialect/math"
	_ "github.com/go-acap/acap/mlir/dialect/memref"
	_ "github.com/go-acap/acap/mlir/dialect/mlprogram"
	_ "github.com/go-acap/acap/mlir/dialect/quant"
	_ "github.com/go-acap/acap/mlir/dialect/scf"
	_ "github.com/go-acap/acap/mlir/dialect/sdy"
	_ "github.com/go-acap/acap/mlir/dialect/stablehlo"
	_ "github.com/go-acap/acap/mlir/dialect/tensor"
	_ "github.com/go-acap/acap/mlir/dialect/tmtensor"
	_ "github.com/go-acap/acap/mlir/dialect/torch"
	_ "github.com/go-acap/acap/mlir/dialect/tosa"
	_ "github.com/go-acap/acap/mlir/dialect/ub"
	_ "github.com/go-acap/acap/mlir/dialect/vector"
)
