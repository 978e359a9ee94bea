package program

// host issues the transfers: for every matrix of the batch and every row of
// blocks one task per stream, which folds the blocks of the row, or all rows of
// blocks when there is a single column of them; for every block where the kernel
// style restarts after each.
func (p *product) host() {
	c := p.c
	style := p.machine.Compute.Styles[p.mapping.Style]
	for batch := range c.Batch {
		switch {
		case style.Restart == "block":
			for m := range p.blocksM {
				for n := range p.blocksN {
					p.set(batch, m, n, 1, 1)
				}
			}
		case p.blocksN == 1:
			p.set(batch, 0, 0, p.blocksM, 1)
		default:
			for m := range p.blocksM {
				p.set(batch, m, 0, 1, p.blocksN)
			}
		}
	}
}

// set issues the tasks of countM × countN blocks from block (m, n) and waits for
// their results. One of the counts is one.
func (p *product) set(batch, m, n, countM, countN int) {
	g := &p.mapping
	blockM, blockN := g.PartsM*g.TM, g.PartsN*g.TN
	slices := p.rangeK / p.slice
	blocks := countM * countN
	// Operands repeat for blocks that differ in the other dimension only.
	strideA, strideB, strideC := 0, 0, blockN
	if countM > 1 {
		strideA, strideC = blockM*p.padK, blockM*p.padN
	}
	if countN > 1 {
		strideB = blockN
	}
	for i, streams := range p.outerA {
		for k, f := range streams {
			offset := (batch*p.padM+m*blockM+i*g.TM)*p.padK + k*p.rangeK
			rows := []Dim{{slices, p.slice}, {g.TM, p.padK}, {p.slice, 1}}
			if len(p.addends) == 0 || k < g.Cascade-1 {
				p.task(f, 0, offset, append([]Dim{{blocks, strideA}}, rows...)...)
				continue
			}
			for block := range blocks {
				bm, bn := m+block*min(countM-1, 1), n+block*min(countN-1, 1)
				p.task(f, 0, offset+block*strideA, rows...)
				p.sendAddends(f, batch, bm*blockM+i*g.TM, bn*blockN)
			}
		}
	}
	repeatB := blocks
	if p.holdB {
		repeatB = 1
	}
	for i, streams := range p.outerB {
		if p.holdB && m > 0 {
			break // B came with the first block of the matrix
		}
		for k, f := range streams {
			offset := (batch*p.padK+k*p.rangeK)*p.padN + n*blockN + i*g.TN
			p.task(f, 1, offset, Dim{repeatB, strideB}, Dim{slices, p.slice * p.padN},
				Dim{p.slice, p.padN}, Dim{g.TN, 1})
		}
	}
	var results []int
	for _, o := range p.outer {
		first := o.tiles[0]
		offset := (batch*p.padM+m*blockM+first[0]*g.TM)*p.padN + n*blockN + first[1]*g.TN
		part := g.TM * p.padN
		if p.across {
			part = g.TN
		}
		results = append(results, p.task(o.fifo, len(p.p.Args)-1, offset, Dim{blocks, strideC},
			Dim{len(o.tiles), part}, Dim{g.TM, p.padN}, Dim{g.TN, 1}))
	}
	p.await(results)
}

// sendAddends sends the tiles of the epilogue's inputs for one block of a row
// of cores, which starts at the given row and column.
func (p *product) sendAddends(fifo, batch, row, col int) {
	g := &p.mapping
	for _, a := range p.addends {
		base := 0
		if a.rows > 0 && a.cols > 0 {
			base = batch * p.padM * p.padN
		}
		for n := range g.PartsN {
			offset := base + row*a.rows + (col+n*g.TN)*a.cols
			if a.cols == 0 {
				p.task(fifo, a.arg, offset, Dim{a.tm, 1})
			} else {
				p.task(fifo, a.arg, offset, Dim{a.tm, a.rows}, Dim{a.tn, 1})
			}
			p.fill(fifo, a.arg, a.padding)
		}
	}
}
