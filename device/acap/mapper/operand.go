package mapper

import "github.com/go-acap/acap/device/acap/mapping"

// tileA and tileB are the bytes of a tile of an operand, by its rows and columns.
func (p *product) tileA(m, k int) int { return p.c.A.Bytes(k, m) }
func (p *product) tileB(k, n int) int { return p.c.B.Bytes(k, n) }

// operands is the bytes of a core's tiles of both operands, converted tiles included.
func (p *product) operands(g *mapping.Mapping, tk int) int {
	bytes := g.Depth * (p.tileA(g.TM, tk) + p.tileB(tk, g.TN))
	if p.convA != nil {
		bytes += p.convA.Bytes(tk, g.TM)
	}
	if p.convB != nil {
		bytes += p.convB.Bytes(tk, g.TN)
	}
	return bytes
}
