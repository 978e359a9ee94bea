package kernel

// Account counts what a run of a kernel computes and moves.
type Account struct {
	What string // what the kernel mainly does
	// MACs counts multiply-adds of contractions, convolutions and attention; Work
	// counts the other arithmetic operations, each instruction at each point once.
	MACs, Work int64
	// BytesIn and BytesOut count each element that is read or written once.
	BytesIn, BytesOut int64
}

// wholes is the account of a kernel that reads and writes its ports as a whole.
func wholes(what string, work int64, ports []Port) Account {
	a := Account{What: what, Work: work}
	for _, p := range ports {
		a.add(p, []int{p.Len}, []int{1})
	}
	return a
}

// add counts the elements that an access touches.
func (a *Account) add(p Port, extents, strides []int) {
	n := int64(1)
	for i, e := range extents {
		if strides[i] != 0 {
			n *= int64(e)
		}
	}
	if n = min(n, int64(p.Len)) * int64(p.DType.Size()); p.Write {
		a.BytesOut += n
	} else {
		a.BytesIn += n
	}
}

func (a *Account) matrix(m *Matrix, batch []int, rows, cols int) {
	a.add(m.Port, append(append([]int(nil), batch...), rows, cols), append(append([]int(nil), m.Batch...), m.Row, m.Col))
}

func (a *Account) epilogue(e *Epilogue, points []int) {
	a.Work += work(e.Body) * product(points)
	for _, access := range e.Access {
		a.add(access.Port, points, access.Outer)
	}
}

func product(extents []int) int64 {
	n := int64(1)
	for _, e := range extents {
		n *= int64(e)
	}
	return n
}

// work counts the arithmetic instructions of a body.
func work(b Body) int64 {
	n := int64(0)
	for _, i := range b {
		switch i.Op {
		case Const, Load, LoadAt, Index, Acc, Kept, Input, Store, Bitcast:
		default:
			n++
		}
	}
	return n
}
