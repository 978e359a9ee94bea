package gemm

// packedRow returns the bytes between the rows of a packed panel.
func (p *plan) packedRow() int { return p.width() * p.arith.cell() * p.arith.pieces[1] }

// correctionBytes is the bytes before the cells of a packed panel: the start of each column's sum, or the largest
// magnitudes.
func (p *plan) correctionBytes() int {
	if p.splits() {
		return maximaBytes
	}
	if p.correctsColumns() {
		return p.width() * 4
	}
	return 0
}

// correctsColumns reports whether panels have the start of each column's sum.
func (p *plan) correctsColumns() bool { return p.arith.shiftedA || p.arith.crossed }

// rowStarts returns where a copied row of A has the start of its sums, if it has one: behind its steps.
func (p *plan) rowStarts() int { return p.steps * p.copiedStep() }

// rowBytes returns the distance of the rows of a copied A, an odd number of cache lines, or a row's part of rows that
// lie together.
func (p *plan) rowBytes() int {
	bytes := p.rowStarts()
	switch {
	case p.interleaved() > 1:
		return bytes
	case p.arith.crossed:
		bytes += 4
	}
	return ((bytes+63)/64 | 1) * 64
}

// aStride returns the bytes between rows of A as the code reads it, aStep the bytes between steps.
func (p *plan) aStride() int {
	if p.a.mode == direct {
		return p.a.Row * p.arith.a.Size()
	}
	return p.rowBytes()
}

func (p *plan) aStep() int {
	if p.a.mode == direct {
		return p.a.Col * p.arith.a.Size() * p.arith.group
	}
	return p.copiedStep() * p.interleaved()
}

// copiedStep returns the bytes of a step in a copied row of A.
func (p *plan) copiedStep() int { return p.arith.a.Size() * p.arith.group * p.arith.pieces[0] }

// bStep returns the bytes between the rows of B as the code reads it.
func (p *plan) bStep() int {
	if p.b.mode == direct {
		return p.bRow()
	}
	return p.packedRow()
}

// panelBytes returns the distance of panels of B as the code reads them.
func (p *plan) panelBytes() int {
	if p.inPlace() {
		return p.width() * p.b.DType.Size()
	}
	return p.panel
}

// bRow returns the bytes between the rows of B in place.
func (p *plan) bRow() int { return p.b.Row * p.b.DType.Size() }
