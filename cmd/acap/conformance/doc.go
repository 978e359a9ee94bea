// SPDX-License-Identifier: Apache-2.0

// Package conformance runs recorded tests: programs of operators, modules that check themselves,
// and models with inputs and outputs beside them.
//
//	suite, err := conformance.Open("stablehlo", []string{"testdata"}, "")
//	for _, test := range suite.Tests() {
//		rows, err := suite.Run(dev, test)
//	}
package conformance
