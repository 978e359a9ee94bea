package emit

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// interpreter runs programs in the slowest way: a lane at a time, on memory whose addresses are places in a slice.
type interpreter struct {
	p     *vector.Program
	args  []uint64
	data  []byte
	lanes map[vector.Value][]uint64
	// floats are the elements that were written, by their places.
	floats map[int]dtype.DType
	fault  bool
}

func (n *interpreter) run(b *vector.Block) {
	for _, i := range b.Instrs {
		if i.Op != vector.Loop {
			n.do(i)
			continue
		}
		of := i // whose body it is
		if i.Again != nil {
			of = i.Again
		}
		for k, p := range of.Params {
			n.lanes[p] = n.lanes[i.Init[k]]
		}
		end, step := uint64(i.Times), uint64(1)
		if i.Times == 0 {
			end, step = n.lanes[i.Args[0]][0], uint64(i.Imm)
		}
		for c := uint64(0); c < end; c += step {
			n.lanes[i.Counter] = []uint64{c} // -1 for a body that is repeated
			n.run(of.Body)
			var next [][]uint64
			for _, y := range of.Body.Yield {
				next = append(next, n.lanes[y])
			}
			for k, p := range of.Params {
				n.lanes[p] = next[k]
			}
		}
		for k, r := range i.Results {
			n.lanes[r] = n.lanes[of.Params[k]]
		}
	}
}

func float(k vector.Kind, b uint64) float64 {
	if k == vector.F64 {
		return math.Float64frombits(b)
	}
	return float64(math.Float32frombits(uint32(b)))
}

func bitsOf(k vector.Kind, x float64) uint64 {
	if k == vector.F64 {
		return math.Float64bits(x)
	}
	return uint64(math.Float32bits(float32(x)))
}

// signed is an integer of a size.
func signed(size int, b uint64) int64 { return int64(b<<(64-8*size)) >> (64 - 8*size) }

// elementTypes are the types of floats; the types of integers do not matter.
var elementTypes = map[vector.Kind]dtype.DType{vector.F32: dtype.F32, vector.F64: dtype.F64}

var memoryTypes = map[vector.Mem]dtype.DType{vector.Half: dtype.F16, vector.Brain: dtype.BF16}

func (n *interpreter) read(i *vector.Instr, at int) uint64 {
	size := i.Mem.Size(i.Kind)
	var room [8]byte
	copy(room[:], n.data[at:at+size])
	b := binary.LittleEndian.Uint64(room[:])
	switch i.Mem {
	case vector.S8, vector.S16:
		return uint64(uint32(signed(size, b)))
	case vector.Half, vector.Brain:
		return bitsOf(vector.F32, kernel.Value(memoryTypes[i.Mem], b))
	}
	return b
}

func (n *interpreter) do(i *vector.Instr) {
	get := func(arg, lane int) uint64 { return n.lanes[i.Args[arg]][lane] }
	of := i.Kind
	if i.From != vector.None {
		of = i.From
	}
	size, width := of.Size(), n.p.Lanes
	if i.Count > 0 {
		width = int(i.Count)
	}
	limit := uint64(math.MaxUint64) >> (64 - 8*min(8, i.Kind.Size()))
	address := func() int {
		a := get(0, 0) + uint64(i.Imm)
		if i.Scale > 0 {
			a += get(len(i.Args)-1, 0) * uint64(i.Scale)
		}
		return int(a)
	}
	out := make([]uint64, n.p.Lanes)
	if i.Def >= 0 {
		defer func() { n.lanes[i.Def] = out }()
	}
	switch i.Op {
	case vector.Arg:
		out = []uint64{n.args[i.Imm]}
		return
	case vector.WordConst:
		out = []uint64{uint64(i.Imm)}
		return
	case vector.WordAdd:
		out = []uint64{get(0, 0) + get(1, 0)}
		return
	case vector.WordSub:
		out = []uint64{get(0, 0) - get(1, 0)}
		return
	case vector.WordAddImm:
		out = []uint64{get(0, 0) + uint64(i.Imm)}
		return
	case vector.WordMulAdd:
		out = []uint64{get(0, 0)*get(1, 0) + get(2, 0)}
		return
	case vector.WordAlong:
		out = []uint64{get(0, 0) + get(1, 0)*uint64(i.Imm)}
		return
	case vector.WordIndex:
		out = []uint64{get(0, 0) + get(1, 0)<<i.Imm}
		return
	case vector.WordShift:
		out = []uint64{get(0, 0) << i.Imm}
		return
	case vector.WordTable:
		out = []uint64{uint64(i.Imm)}
		return
	case vector.Choose:
		for l := range out {
			at := get(1, l) % 32
			out[l] = n.p.Tables[get(0, 0)][at/2] >> (at % 2 * 32) & math.MaxUint32
		}
		return
	case vector.WordLane:
		out = []uint64{get(0, 0)}
		return
	case vector.WordBelow:
		if out = []uint64{0}; get(0, 0) < get(1, 0) {
			out[0] = 1
		}
		return
	case vector.WordMax:
		largest := int64(math.MinInt64)
		for _, b := range n.lanes[i.Args[0]] {
			largest = max(largest, int64(b))
		}
		out = []uint64{uint64(largest)}
		return
	case vector.Fault:
		n.fault = n.fault || slices.ContainsFunc(n.lanes[i.Args[0]], func(b uint64) bool { return b != 0 })
		return
	case vector.Load, vector.LoadSplat, vector.LoadStrided, vector.Lookup:
		for l := range width {
			at := address()
			switch i.Op {
			case vector.Load:
				at += l * i.Mem.Size(i.Kind)
			case vector.LoadStrided:
				at += l * i.Stride
			case vector.Lookup:
				at += int(get(1, l)) * i.Mem.Size(i.Kind)
			}
			out[l] = n.read(i, at)
		}
		return
	case vector.Store, vector.StoreStrided:
		for l := range width {
			size, b := i.Mem.Size(i.Kind), get(1, l)
			t := elementTypes[i.Kind]
			switch i.Mem {
			case vector.Half:
				t, b = dtype.F16, kernel.Bits(dtype.F16, float(vector.F32, b))
			case vector.Brain:
				t, b = dtype.BF16, b>>16
			case vector.Long:
				b = uint64(signed(4, b))
			}
			at := address() + l*(size+i.Stride)
			if i.Stride != 0 {
				at -= l * size
			}
			copy(n.data[at:], binary.LittleEndian.AppendUint64(nil, b)[:size])
			n.floats[at] = t
		}
		return
	}
	for l := range out {
		var x, y uint64
		if len(i.Args) > 0 && n.p.Kind(i.Args[0]) != vector.Word {
			x = get(0, l)
		}
		if len(i.Args) > 1 {
			y = get(1, l)
		}
		truth := func(t bool) uint64 {
			if t {
				return limit
			}
			return 0
		}
		v := uint64(0)
		if of.IsFloat() {
			a, b := float(of, x), float(of, y)
			switch i.Op {
			case vector.Add:
				v = bitsOf(of, a+b)
			case vector.Sub:
				v = bitsOf(of, a-b)
			case vector.Mul:
				v = bitsOf(of, a*b)
			case vector.Div:
				v = bitsOf(of, a/b)
			case vector.Abs:
				v = bitsOf(of, math.Abs(a))
			case vector.MulAdd:
				v = bitsOf(of, float64(a*b)+float(of, get(2, l)))
			case vector.MulSub:
				v = bitsOf(of, float64(a*b)-float(of, get(2, l)))
			case vector.NegMul:
				v = bitsOf(of, float(of, get(2, l))-float64(a*b))
			case vector.RoundEven:
				v = bitsOf(of, math.RoundToEven(a))
			case vector.RoundDown:
				v = bitsOf(of, math.Floor(a))
			case vector.RoundUp:
				v = bitsOf(of, math.Ceil(a))
			case vector.RoundZero:
				v = bitsOf(of, math.Trunc(a))
			case vector.RoundAway:
				v = bitsOf(of, math.Round(a))
			case vector.Neg:
				v = bitsOf(of, -a)
			case vector.Sqrt:
				v = bitsOf(of, math.Sqrt(a))
			case vector.MinNum, vector.MaxNum:
				switch {
				case a != a:
					v = y
				case b != b:
					v = x
				case i.Op == vector.MinNum:
					v = bitsOf(of, min(a, b))
				default:
					v = bitsOf(of, max(a, b))
				}
			case vector.ToInteger:
				v = uint64(int64(a))
			case vector.HalfBits:
				v = kernel.Bits(dtype.F16, a)
			case vector.Less:
				v = truth(a < b)
			case vector.Min, vector.MinOrdered:
				v = bitsOf(of, min(a, b))
			case vector.Max, vector.MaxOrdered:
				v = bitsOf(of, max(a, b))
			case vector.Equal:
				v = truth(a == b)
			case vector.LessEqual:
				v = truth(a <= b)
			case vector.Unordered:
				v = truth(a != a || b != b)
			case vector.Widen, vector.Narrow:
				v = bitsOf(i.Kind, a)
			case vector.RoundHalf:
				v = bitsOf(of, kernel.Value(dtype.F16, kernel.Bits(dtype.F16, a)))
			case vector.RoundBrain:
				v = bitsOf(of, kernel.Value(dtype.BF16, kernel.Bits(dtype.BF16, a)))
			}
		} else {
			a, b := signed(size, x), signed(size, y)
			switch i.Op {
			case vector.Add:
				v = x + y
			case vector.Sub:
				v = x - y
			case vector.Mul:
				v = x * y
			case vector.ToFloat:
				v = bitsOf(i.Kind, float64(a))
			case vector.Merge:
				v = x&y | get(2, l)&^x
			case vector.OfHalfBits:
				v = bitsOf(i.Kind, kernel.Value(dtype.F16, x&0xffff))
			case vector.Narrow:
				v = x
			case vector.Neg:
				v = -x
			case vector.Abs:
				v = uint64(max(a, -a))
			case vector.CountOnes:
				v = uint64(bits.OnesCount64(x))
			case vector.ShiftLeftBy:
				v = x << y
			case vector.ShiftRightBy:
				v = x >> y
			case vector.ShiftSignedBy:
				v = uint64(a >> y)
			case vector.LessEqual:
				v = truth(a <= b)
			case vector.Below:
				v = truth(x < y)
			case vector.MulLower:
				v = uint64(uint32(x)) * uint64(uint32(y))
			case vector.Min:
				v = uint64(min(a, b))
			case vector.Max:
				v = uint64(max(a, b))
			case vector.MinUnsigned:
				v = min(x, y)
			case vector.MaxUnsigned:
				v = max(x, y)
			case vector.Xor3:
				v = x ^ y ^ get(2, l)
			case vector.AndOr:
				v = x&y | get(2, l)
			case vector.ShiftLeft:
				v = x << i.Imm
			case vector.ShiftRight:
				v = x >> i.Imm
			case vector.ShiftSigned:
				v = uint64(a >> i.Imm)
			case vector.Equal:
				v = truth(a == b)
			case vector.Less:
				v = truth(a < b)
			case vector.Widen:
				v = uint64(a)
			}
		}
		switch i.Op {
		case vector.And:
			v = x & y
		case vector.AndNot:
			v = x &^ y
		case vector.Or:
			v = x | y
		case vector.Xor:
			v = x ^ y
		case vector.Not:
			v = ^x
		case vector.DupLane:
			v = get(0, int(i.Imm))
		case vector.Const:
			v = uint64(i.Imm)
		case vector.Iota:
			v = uint64(l)
		case vector.Dup:
			v = get(0, 0)
		case vector.Spread:
			v = get(0, int(i.Imm))
		case vector.Rotate:
			v = get(0, (l+int(i.Imm))%len(out))
		case vector.RotateEach:
			each := 16 / i.Kind.Size()
			v = get(0, l/each*each+(l+int(i.Imm))%each)
		case vector.Slide:
			if v = get(1, (l-int(i.Imm)+len(out))%len(out)); l >= int(i.Imm) {
				v = get(0, l-int(i.Imm))
			}
		case vector.Permute2:
			n := int(get(2, l))
			v = get(n/len(out), n%len(out))
		case vector.Zip1: // of halves
			half := len(out) / 2
			v = get(l/half, l%half)
		case vector.Select:
			if v = get(2, l); x != 0 {
				v = y
			}
		case vector.Unzip1, vector.Unzip2: // of four bytes, in each 16
			part := l &^ 3
			from := 2*(l%4)%4 + part + bits.Len(uint(i.Op-vector.Unzip1))
			v = get(l%4/2, from)
		}
		out[l] = v & limit
	}
}
