package dtype

import (
	"encoding/binary"
	"math"
)

// Floats writes elements of [F32], [F16] or [BF16], with the lowest byte first, to out as f32, as many as out has room
// for. It reports false for another type.
func Floats(out []float32, d DType, data []byte) bool {
	switch d {
	case F32:
		for k := range out {
			out[k] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*k:]))
		}
	case F16:
		for k := range out {
			out[k] = Float16(binary.LittleEndian.Uint16(data[2*k:])).Float32()
		}
	case BF16:
		for k := range out {
			out[k] = BFloat16(binary.LittleEndian.Uint16(data[2*k:])).Float32()
		}
	default:
		return false
	}
	return true
}
