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

// source is where a stream of an operand reads in the operand's array, for one set of blocks.
type source struct {
	offset         int
	blocks, stride int // how often dims are read, and from one time to the next
	dims           []program.Dim
}

// send issues the tasks of the operands.
func (p *product) send(s blockSet) {
	fanOutA, fanOutB := p.mapping.FanOuts()
	p.sendOperand(&p.a, s, fanOutA, p.sourceA)
	if p.holdB && s.m > 0 { // the cores hold B already
		return
	}
	p.sendOperand(&p.b, s, fanOutB, p.sourceB)
}

// sendOperand sends the parts of an operand that share a stream, for each range of K: one task for all blocks, or one
// for each block where addends follow.
func (p *product) sendOperand(in *incoming, s blockSet, fanOut int, from func(s blockSet, part, fanOut, k int) source) {
	onB := in == &p.b
	for i, streams := range in.outer {
		for k, f := range streams {
			src := from(s, i*fanOut, fanOut, k)
			if !p.carries(onB) || k < p.mapping.Cascade-1 {
				p.task(f, in.arg, src.offset, append([]program.Dim{dim(src.blocks, src.stride)}, src.dims...)...)
				continue
			}
			for block := range s.blocks() {
				m, n := s.at(block)
				p.task(f, in.arg, src.offset+block*src.stride, src.dims...)
				p.sendAddends(f, onB, resultPart{batch: s.batch, m: m, i: i * fanOut, n: n, j: i * fanOut}, fanOut)
			}
		}
	}
}

// sourceA is where parts of M, from i on, and range k of K lie in A.
func (p *product) sourceA(s blockSet, i, fanOut, k int) source {
	g := &p.mapping
	rowsM, rowK := p.a.left(p.padM, p.padK) // of the whole matrix
	tileM, slice := p.a.left(g.TM, p.a.slice)
	_, rangeK := p.a.left(0, p.rangeK)
	blockM := g.PartsM * tileM
	src := source{offset: (s.batch*rowsM+s.m*blockM+i*tileM)*rowK + k*rangeK, blocks: s.blocks(),
		dims: []program.Dim{dim(p.rangeK/p.a.slice, slice), dim(fanOut*tileM, rowK), dim(slice, 1)}}
	if p.conv != nil {
		src.offset, src.dims = p.conv.strip(s.batch, s.m, i, fanOut)
	}
	if s.countM > 1 { // blocks along N use the same rows again
		src.stride = blockM * rowK
	} else if g.Hold > 0 {
		src.blocks = 1
	}
	return src
}

// sourceB is where parts of N, from i on, and range k of K lie in B.
func (p *product) sourceB(s blockSet, i, fanOut, k int) source {
	g := &p.mapping
	rowsK, rowN := p.b.right(p.padK, p.padN) // of the whole matrix
	slice, tileN := p.b.right(p.b.slice, g.TN)
	rangeK, _ := p.b.right(p.rangeK, 0)
	blockN := g.PartsN * tileN
	src := source{offset: (s.batch*rowsK+k*rangeK)*rowN + s.n*blockN + i*tileN, blocks: s.blocks(),
		dims: []program.Dim{dim(p.rangeK/p.b.slice, slice*rowN), dim(fanOut, tileN), dim(slice, rowN), dim(tileN, 1)}}
	if p.holdB {
		src.blocks = 1
	}
	if s.countN > 1 {
		src.stride = blockN
	}
	return src
}
