// SPDX-License-Identifier: Apache-2.0

// Package longtest keeps the test command short. Tests that take long, and samples of a property that are larger than a
// usual run needs, are for runs that ask for them:
//
//	ACAP_LONG=1 go test ./...
//
// A usual run has a smaller sample of the same property, with the same tolerance. The module's TestLong lists what asks
// this package, and why. A test that imports the package also collects garbage less often: see package heap.
package longtest
