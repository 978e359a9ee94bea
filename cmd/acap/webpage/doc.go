// SPDX-License-Identifier: Apache-2.0

// Package webpage serves a page on this machine, to this machine alone where the address is its own: [Listen], [Serve].
package webpage
