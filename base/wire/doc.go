// SPDX-License-Identifier: Apache-2.0

// Package wire writes values as bytes and reads them back.
//
// A type says once which fields it has, in a function of a [Coder], and that function
// both writes and reads:
//
//	func (p *point) fields(c *wire.Coder) {
//		c.Int(&p.x)
//		c.Int(&p.y)
//	}
//
//	data := wire.Write(p.fields)
//	err := wire.Read(data, q.fields)
//
// Equal values have equal bytes, so that these are a key as well. Bytes from outside are
// safe to read: lengths are believed as far as there are bytes, and the first
// mistake ends the reading.
package wire
