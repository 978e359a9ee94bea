package tileexact

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// A cell of a packed operand has its blocks one after the other: of bfp16 an exponent, with a bias of
// 127, and 8 mantissas of a byte; of q4 a scale and 32 numbers of 4 bits, the lower ones first. Values that the format
// can represent lose nothing when they are packed. No weights come as q8 or i4. A block of sparse24 is a mask of 64
// bits, one for each byte, set where the value is not zero, and then these values, in 32 bytes.

// pack writes a block of values in the operand's format.
func pack(o *workload.Operand, to []byte, values []float64) {
	switch o.Format {
	case dtype.Sparse24:
		packSparse(o.DType, to, values)
	case dtype.BFP16:
		most := 0.0
		for _, v := range values {
			most = max(most, math.Abs(v))
		}
		e := max(math.Ilogb(most), -119)
		to[0] = byte(e + 127)
		for i, v := range values {
			to[1+i] = byte(int8(math.Ldexp(v, 6-e)))
		}
	case dtype.Q4:
		extreme := 0.0
		for _, v := range values {
			if math.Abs(v) > math.Abs(extreme) || v == -extreme && v > 0 {
				extreme = v
			}
		}
		scale := float64(float32(-extreme / 8)) // a bf16, as the extreme is 8 times one
		binary.LittleEndian.PutUint16(to, uint16(math.Float32bits(float32(scale))>>16))
		for i, v := range values {
			q := 0
			if scale != 0 {
				q = int(math.RoundToEven(v / scale))
			}
			to[2+i/2] |= byte(q&15) << (i % 2 * 4)
		}
	}
}

// unpack reads a block.
func unpack(o *workload.Operand, from []byte, values []float64) {
	switch o.Format {
	case dtype.Sparse24:
		unpackSparse(o.DType, from, values)
	case dtype.BFP16:
		for i := range values {
			values[i] = math.Ldexp(float64(int8(from[1+i])), int(from[0])-127-6)
		}
	case dtype.Q4:
		scale := float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(from)) << 16))
		one := buf.New(dtype.BF16, []int{1})
		for i := range values {
			q := int8(from[2+i/2]>>(i%2*4)<<4) >> 4
			one.SetFloat64(0, float64(q)*scale)
			values[i] = one.Float64(0)
		}
	}
}

// cellsOf visits the blocks of a matrix that is stored in cells. A cell has o's number of values along the contracted
// dimension and along the other dimension. Consecutive cells lie along the other dimension if across, and along the
// contracted dimension otherwise. start is the first byte of a block.
func cellsOf(o *workload.Operand, k, other int, across bool, visit func(k, other, start int)) {
	ck, co, bytes := o.Cell()
	each := bytes / co // of a block
	for i := range k / ck {
		for j := range other / co {
			cell := j*(k/ck) + i
			if across {
				cell = i*(other/co) + j
			}
			for b := range co {
				visit(i*ck, j*co+b, cell*bytes+b*each)
			}
		}
	}
}

// unpacked returns the values of a tile of cells, row by row: M × K, or K × N if it is the right
// operand.
func unpacked(o *workload.Operand, tile *buf.Buffer, k, other int, right bool) ([]float64, error) {
	if want := o.Bytes(k, other); len(tile.Bytes()) != want {
		return nil, fmt.Errorf("a tile of %d bytes for %d x %d packed as %v, which are %d", len(tile.Bytes()), k,
			other, o.Format, want)
	}
	out := make([]float64, k*other)
	ck, _, _ := o.Cell()
	block := make([]float64, ck)
	cellsOf(o, k, other, right, func(first, j, start int) {
		unpack(o, tile.Bytes()[start:], block)
		for i, v := range block {
			if right {
				out[(first+i)*other+j] = v
			} else {
				out[j*k+first+i] = v
			}
		}
	})
	return out, nil
}

// packing fills an argument with the cells of a matrix of the kernel, which has the given rows and columns for each
// entry of a batch.
type packing struct {
	operand    *workload.Operand
	arg        int // and port
	matrix     *kernel.Matrix
	batch      []int
	rows, cols int
	shape      []int // of the argument, padded to whole tiles
}

// pack writes the cells. Values that the format cannot represent are an error.
func (p *packing) pack(to []byte, from *buf.Buffer) error {
	o, m, right := p.operand, p.matrix, p.arg == 1
	ck, co, bytes := o.Cell()
	words := bytes / 4
	k, other := p.shape[2]/words*ck, p.shape[1]*co
	if right {
		k, other = p.shape[1]*ck, p.shape[2]/words*co
	}
	block, again := make([]float64, ck), make([]float64, ck)
	var err error
	at := 0
	odometer(p.batch, func(point []int) {
		base := m.Offset + dot(point, m.Batch)
		cellsOf(o, k, other, right, func(first, j, start int) {
			for i := range block {
				row, col := j, first+i
				if right {
					row, col = first+i, j
				}
				block[i] = 0
				if row < p.rows && col < p.cols {
					block[i] = from.Float64(base + row*m.Row + col*m.Col)
				}
			}
			pack(o, to[at+start:], block)
			unpack(o, to[at+start:], again)
			for i, v := range block {
				if again[i] != v && err == nil {
					err = fmt.Errorf("%g is no value of %v: packed, it is %g", v, o.Format, again[i])
				}
			}
		})
		at += o.Bytes(k, other)
	})
	return err
}
