package tileexact

import (
	"encoding/binary"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// A mask of sparse24 has a bit for every byte of the values that it is of; behind it lie the values that are not zero.
const maskBytes, most = 8, 32

// packSparse writes values of a type; of every four values at least two are zero. Values for which there is no space
// are lost.
func packSparse(d dtype.DType, to []byte, values []float64) {
	from := buf.New(d, []int{len(values)})
	for i, v := range values {
		from.SetFloat64(i, v)
	}
	mask, next := uint64(0), to[maskBytes:maskBytes+most]
	for i := range values {
		v := from.Bytes()[i*d.Size() : (i+1)*d.Size()]
		if values[i] != 0 && len(next) > 0 {
			mask |= (1<<d.Size() - 1) << (i * d.Size())
			next = next[copy(next, v):]
		}
	}
	binary.LittleEndian.PutUint64(to, mask)
}

// unpackSparse reads them.
func unpackSparse(d dtype.DType, from []byte, values []float64) {
	mask, next := binary.LittleEndian.Uint64(from), from[maskBytes:]
	to := buf.New(d, []int{len(values)})
	for i := range values {
		if mask>>(i*d.Size())&1 == 1 {
			next = next[copy(to.Bytes()[i*d.Size():(i+1)*d.Size()], next):]
		}
		values[i] = to.Float64(i)
	}
}
