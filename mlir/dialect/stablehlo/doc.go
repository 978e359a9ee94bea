// SPDX-License-Identifier: Apache-2.0

// Package stablehlo defines the dialects stablehlo (https://openxla.org/stablehlo/spec) and chlo, client
// operations on top of it: their text in the custom and the generic form, and what is valid.
//
// Operations are kept as the specification names them; the custom forms are read into the
// attributes of the generic form. What they mean is the business of the pass that lowers them,
// package translate/importer/stablehlo.
//
// table.go and chlo.go have a row for each operation: classes of its operands and results, attributes, relations
// between types. compatible.go defines the classes and relations; verify_*.go has the checks that follow from
// values of attributes, by kind of operation; attributes.go checks attributes themselves.
package stablehlo
