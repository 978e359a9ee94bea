// SPDX-License-Identifier: Apache-2.0

// Package stablehlo defines the dialects stablehlo (version 1.11 of OpenXLA's specification,
// https://openxla.org/stablehlo/spec) and chlo, client operations on top of it, so that their
// text is read in the custom and the generic form.
//
// Operations are kept as the specification names them; the custom forms are read into the
// attributes of the generic form. What they mean is the business of the pass that lowers them,
// package translate/passes/stablehlo.
package stablehlo
