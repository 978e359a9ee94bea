// SPDX-License-Identifier: Apache-2.0

// Package guard records for which inputs a module is right.
//
// A model whose structure depends on elements, such as x[mask] or a branch on a sum, is written as a module for
// given inputs. The module is right for all inputs that agree with them in the elements that were read. Which
// elements these are, and what they were, stands in a function of the module:
//
//	func.func @guards(%x: tensor<4xf32>, %m: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>)
//	    attributes {acap.guards = ["the mask at model.py:7"]} {
//	  %was = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
//	  return %m, %was : tensor<4xi1>, tensor<4xi1>
//	}
//
// The function takes the arguments of @main, and returns two tensors for each element of acap.guards: the value for
// these arguments, and the value that was read while the module was made. Package device/compiler computes both in
// every run, and refuses inputs for which they differ.
package guard
