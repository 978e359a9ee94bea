// SPDX-License-Identifier: Apache-2.0

// Package irdl writes the dialects aten and torch as definitions in IRDL, generated from the
// schemas of the operators. With them an unmodified mlir-opt checks the number and the types of the
// operands and results of what we print, without a build of its own:
//
//	acap emit -stage aten-irdl >aten.irdl.mlir
//	acap emit model.pt -stage aten-generic | mlir-opt-19 --irdl-file=aten.irdl.mlir
//
//	acap emit -stage torch-irdl >torch.irdl.mlir
//	acap emit model.pt -stage torch-generic | mlir-opt-19 --irdl-file=torch.irdl.mlir
//
// Later versions of LLVM refuse definitions of operations whose names begin with an underscore, such as
// aten._convolution.
//
// The generic stages carry what IRDL wants to know: see [Annotate], and Spell of package
// mlir/dialect/torch. IRDL has no optional attributes, so that arguments of aten that are
// attributes are not checked; in the torch dialect every argument is an operand.
package irdl
