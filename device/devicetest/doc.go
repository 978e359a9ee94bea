// SPDX-License-Identifier: Apache-2.0

// Package devicetest checks that a device keeps the rules of package device: the vendor of a device calls [Run] in a
// test.
//
//	func TestDevice(t *testing.T) {
//		devicetest.Run(t, device.Named("mine"))
//	}
//
// Programs of every operator's samples, of random groups and with control flow must give what
// the reference evaluator of linalg gives, whatever of them the device takes. Inputs must stay
// as they are, runs in several goroutines must not disturb each other, errors must be errors, and
// what is closed must stay closed.
package devicetest
