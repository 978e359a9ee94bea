package gguf

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// kind is an element type of the format. Those of blocks are read as f32.
type kind struct {
	name   string
	dtype  dtype.DType  // that they are read as
	format dtype.Format // of blocks; Plain if elements are stored as they are
}

// kinds are the types by their numbers.
var kinds = map[uint32]kind{
	0: {"F32", dtype.F32, 0}, 1: {"F16", dtype.F16, 0}, 24: {"I8", dtype.I8, 0}, 25: {"I16", dtype.I16, 0}, 26: {"I32", dtype.I32, 0},
	27: {"I64", dtype.I64, 0}, 28: {"F64", dtype.F64, 0}, 30: {"BF16", dtype.BF16, 0},
	2: blocks(dtype.Q4_0), 3: blocks(dtype.Q4_1), 6: blocks(dtype.Q5_0), 7: blocks(dtype.Q5_1), 8: blocks(dtype.Q8_0),
	10: blocks(dtype.Q2_K), 11: blocks(dtype.Q3_K), 12: blocks(dtype.Q4_K), 13: blocks(dtype.Q5_K), 14: blocks(dtype.Q6_K),
	16: blocks(dtype.IQ2_XXS), 17: blocks(dtype.IQ2_XS), 18: blocks(dtype.IQ3_XXS), 19: blocks(dtype.IQ1_S),
	20: blocks(dtype.IQ4_NL), 21: blocks(dtype.IQ3_S), 22: blocks(dtype.IQ2_S), 23: blocks(dtype.IQ4_XS), 29: blocks(dtype.IQ1_M),
	34: blocks(dtype.TQ1_0), 35: blocks(dtype.TQ2_0), 39: blocks(dtype.MXFP4), 40: blocks(dtype.NVFP4),
}

func blocks(f dtype.Format) kind { return kind{strings.ToUpper(f.String()), dtype.F32, f} }

// block returns the elements and the bytes of a block.
func (k *kind) block() (elements, bytes int) {
	if k.format == dtype.Plain {
		return 1, k.dtype.Size()
	}
	return k.format.Block(), k.format.Bytes()
}
