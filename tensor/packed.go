package tensor

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Packed is a matrix of f32 numbers that stays in blocks of a packed format, such as the formats of GGUF files:
// products read the blocks where they lie, and the numbers are in no memory. It may be used by many goroutines.
type Packed struct {
	rows   *Tensor
	format dtype.Format
	rounds bool
}

// Pack takes a tensor of bytes, u8 [rows, bytes of a row], for a matrix in blocks of a format, whose values are along
// the rows. The bytes are not copied. Rows of no whole blocks are a typed panic.
func Pack(rows *Tensor, f dtype.Format) *Packed {
	if f.Bytes() == 0 {
		trace.Raise(&ops.ArgError{Op: "pack", Detail: f.String() + " does not say what bytes are"})
	}
	if _, whole := f.RowBytes(0); !whole || rows.DType() != dtype.U8 || rows.Dim() != 2 || rows.Size(1)%f.Bytes() != 0 {
		trace.Raise(&ops.ShapeError{Op: "pack", Detail: "wants rows of whole blocks in bytes, u8"})
	}
	return &Packed{rows: rows, format: f}
}

// Rounded returns the matrix for products that may round the rows of their other operand to 8 bits, in blocks of 32
// that share a scale, where that is faster: for few rows, and for many rows if the numbers of the format have no sign.
// Embeddings and values are as before.
func (p *Packed) Rounded() *Packed { return &Packed{p.rows, p.format, true} }

// Format returns the format of the blocks.
func (p *Packed) Format() dtype.Format { return p.format }

// Shape returns the extents of the matrix.
func (p *Packed) Shape() []int {
	return []int{p.rows.Size(0), p.rows.Size(1) / p.format.Bytes() * p.format.Block()}
}

// Bytes returns the blocks, u8 [rows, bytes of a row].
func (p *Packed) Bytes() *Tensor { return p.rows }

// To returns the matrix on a device.
func (p *Packed) To(d device.Device) *Packed { return &Packed{p.rows.To(d), p.format, p.rounds} }

// Values returns the numbers, f32. In a lazy program products read the blocks instead; what else uses the numbers has
// them written to memory.
func (p *Packed) Values() *Tensor {
	return Call("_unpack_blocks", p.rows, p.format.String(), p.rounds)[0]
}

// Linear returns x·Mᵀ of the matrix M: floats [..., columns] to floats [..., rows]. bias, [rows], may be nil. An x of
// 16 bits is multiplied as f32; for one of f64 the values are written to memory as f64.
func (p *Packed) Linear(x, bias *Tensor) *Tensor {
	return Call("_packed_linear", x, p.rows, p.format.String(), bias, p.rounds)[0]
}

// Embedding returns the rows at some places, f32 [..., columns].
func (p *Packed) Embedding(indices *Tensor) *Tensor {
	return Call("_unpack_blocks", Embedding(p.rows, indices), p.format.String(), false)[0]
}
