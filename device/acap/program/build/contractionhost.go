package build

import "github.com/go-acap/acap/device/acap/program"

// host issues the transfers set by set, and waits for the results of one before the
// next; sets that are whole matrices of a batch it issues all at once.
func (p *product) host() {
	style := p.machine.Compute.Styles[p.mapping.Style]
	together := style.Matrices(p.c.Batch, p.blocksM, p.blocksN)
	var results []int
	matrices := 0
	p.sets(func(set []blockSet) {
		if p.err != nil {
			return
		}
		if matrices++; matrices > together {
			p.await(results)
			results, matrices = results[:0], 1
		}
		for _, s := range set {
			p.send(s)
		}
		for _, s := range set {
			results = append(results, p.receive(s)...)
		}
	})
	p.await(results)
}

// sets visits what the host issues at once, in parts for which a task of every stream
// suffices: rows of blocks, or a column where the set is no wider.
func (p *product) sets(visit func([]blockSet)) {
	style := p.machine.Compute.Styles[p.mapping.Style]
	countM, countN := style.SetOf(p.blocksM, p.blocksN)
	for batch := range p.c.Batch {
		for m := 0; m < p.blocksM; m += countM {
			for n := 0; n < p.blocksN; n += countN {
				if countN == 1 && p.conv == nil {
					visit([]blockSet{{batch, m, n, countM, 1}})
					continue
				}
				// Strips of a convolution do not fold: a task each.
				rows := make([]blockSet, countM)
				for i := range rows {
					rows[i] = blockSet{batch, m + i, n, 1, countN}
				}
				visit(rows)
			}
		}
	}
}

// blockSet is countM × countN blocks from block (m, n) of a matrix of the batch;
// one of the counts is one.
type blockSet struct{ batch, m, n, countM, countN int }

func (s blockSet) blocks() int { return s.countM * s.countN }

// at returns block i of the set.
func (s blockSet) at(i int) (m, n int) {
	if s.countM > 1 {
		return s.m + i, s.n
	}
	return s.m, s.n + i
}

// send issues the tasks of the operands.
func (p *product) send(s blockSet) {
	fanOutA, fanOutB := p.mapping.FanOuts()
	for i, streams := range p.outerA {
		for k, f := range streams {
			p.sendA(f, s, i*fanOutA, fanOutA, k)
		}
	}
	for i, streams := range p.outerB {
		for k, f := range streams {
			p.sendB(f, s, i*fanOutB, fanOutB, k)
		}
	}
}

// sendA sends parts of M, from i on, and range k of K: one task for all blocks, or one for
// each when addends follow.
func (p *product) sendA(f int, s blockSet, i, fanOut, k int) {
	g := &p.mapping
	rowsM, rowK := p.inA.left(p.padM, p.padK) // of the whole matrix
	tileM, slice := p.inA.left(g.TM, p.sliceA)
	_, rangeK := p.inA.left(0, p.rangeK)
	blockM := g.PartsM * tileM
	offset := (s.batch*rowsM+s.m*blockM+i*tileM)*rowK + k*rangeK
	rows := []program.Dim{dim(p.rangeK/p.sliceA, slice), dim(fanOut*tileM, rowK), dim(slice, 1)}
	if p.conv != nil {
		offset, rows = p.conv.strip(s.batch, s.m, i, fanOut)
	}
	stride, strips := 0, s.blocks() // blocks along N use the same rows again
	if s.countM > 1 {
		stride = blockM * rowK
	} else if g.Hold > 0 {
		strips = 1
	}
	if !p.carries(false) || k < g.Cascade-1 {
		p.task(f, 0, offset, append([]program.Dim{dim(strips, stride)}, rows...)...)
		return
	}
	for block := range s.blocks() {
		m, n := s.at(block)
		p.task(f, 0, offset+block*stride, rows...)
		p.sendAddends(f, false, s.batch, m, n, i, fanOut)
	}
}

// sendB sends parts of N and range k of K likewise; nothing when the cores hold
// them already.
func (p *product) sendB(f int, s blockSet, i, fanOut, k int) {
	g := &p.mapping
	if p.holdB && s.m > 0 || g.Resident > 0 {
		return
	}
	rowsK, rowN := p.inB.right(p.padK, p.padN) // of the whole matrix
	slice, tileN := p.inB.right(p.slice, g.TN)
	rangeK, _ := p.inB.right(p.rangeK, 0)
	blockN, repeat := g.PartsN*tileN, s.blocks()
	if p.holdB {
		repeat = 1
	}
	offset := (s.batch*rowsK+k*rangeK)*rowN + s.n*blockN + i*tileN
	rows := []program.Dim{dim(p.rangeK/p.slice, slice*rowN), dim(fanOut, tileN), dim(slice, rowN), dim(tileN, 1)}
	stride := 0
	if s.countN > 1 {
		stride = blockN
	}
	if !p.carries(true) || k < g.Cascade-1 {
		p.task(f, 1, offset, append([]program.Dim{dim(repeat, stride)}, rows...)...)
		return
	}
	for block := range s.blocks() {
		m, n := s.at(block)
		p.task(f, 1, offset+block*stride, rows...)
		p.sendAddends(f, true, s.batch, m, n, i, fanOut)
	}
}
