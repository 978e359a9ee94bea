package cpu

import "encoding/binary"

// cpuid executes CPUID with the given leaf and subleaf.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the low half of extended control register 0: the state the system saves.
func xgetbv() uint32

// The bits are from Intel's manual, volume 2, CPUID, leaves 1 and 7.
const (
	leaf1FMA     = 1 << 12 // ecx
	leaf1OSXSAVE = 1 << 27
	leaf1F16C    = 1 << 29

	leaf7BMI1     = 1 << 3 // ebx
	leaf7AVX2     = 1 << 5
	leaf7BMI2     = 1 << 8
	leaf7AVX512F  = 1 << 16
	leaf7AVX512DQ = 1 << 17
	leaf7AVX512CD = 1 << 28
	leaf7AVX512BW = 1 << 30
	leaf7AVX512VL = 1 << 31
	leaf7VNNI     = 1 << 11 // ecx
	leaf7AMXBF16  = 1 << 22 // edx
	leaf7AMXTile  = 1 << 24
	leaf7AMXInt8  = 1 << 25
	leaf71AVXVNNI = 1 << 4 // subleaf 1, eax
	leaf71BF16    = 1 << 5

	stateAVX    = 1<<1 | 1<<2
	stateAVX512 = stateAVX | 1<<5 | 1<<6 | 1<<7
	stateTiles  = 1<<17 | 1<<18
)

func has(word, bits uint32) bool { return word&bits == bits }

// Emulated reports whether QEMU emulates the processor, which CPUID tells at the place where hypervisors have their names.
func Emulated() bool {
	const hypervisor, names = 1 << 31, 0x40000000
	if _, _, c, _ := cpuid(1, 0); !has(c, hypervisor) {
		return false
	}
	_, b, c, d := cpuid(names, 0)
	var name []byte
	for _, word := range []uint32{b, c, d} {
		name = binary.LittleEndian.AppendUint32(name, word)
	}
	return string(name) == "TCGTCGTCGTCG"
}

func detect() Features {
	f := Features{L1D: 32 << 10, L2: 512 << 10, L3: 8 << 20}
	top, _, _, _ := cpuid(0, 0)
	if top < 7 {
		return f
	}
	f.caches()
	_, _, c1, _ := cpuid(1, 0)
	if !has(c1, leaf1FMA|leaf1OSXSAVE|leaf1F16C) || !has(xgetbv(), stateAVX) {
		return f
	}
	sub, b7, c7, d7 := cpuid(7, 0)
	if !has(b7, leaf7AVX2|leaf7BMI1|leaf7BMI2) {
		return f
	}
	f.Level = AVX2
	var a71 uint32
	if sub >= 1 {
		a71, _, _, _ = cpuid(7, 1)
	}
	f.AVXVNNI = has(a71, leaf71AVXVNNI)
	f.VNNI = f.AVXVNNI
	avx512 := uint32(leaf7AVX512F | leaf7AVX512DQ | leaf7AVX512CD | leaf7AVX512BW | leaf7AVX512VL)
	if !has(b7, avx512) || !has(xgetbv(), stateAVX512) {
		return f
	}
	f.Level = AVX512
	f.VNNI = has(c7, leaf7VNNI)
	f.Tiles = has(d7, leaf7AMXTile|leaf7AMXBF16|leaf7AMXInt8) && has(xgetbv(), stateTiles) && allowTiles()
	f.BF16 = has(a71, leaf71BF16)
	return f
}

// caches reads the deterministic cache parameters: leaf 4 on Intel, 0x8000001D on AMD, which have
// the same fields. Where neither answers, the defaults stay.
func (f *Features) caches() {
	for _, leaf := range []uint32{0x8000001D, 4} {
		if leaf>>31 == 1 {
			if top, _, _, _ := cpuid(0x80000000, 0); top < leaf {
				continue
			}
		}
		found := false
		for i := range uint32(8) {
			a, b, c, _ := cpuid(leaf, i)
			kind, level := a&31, a>>5&7
			if kind == 0 {
				break
			}
			size := int(b>>22+1) * int(b>>12&0x3FF+1) * int(b&0xFFF+1) * int(c+1)
			if kind == 2 || size <= 0 { // instructions
				continue
			}
			found = true
			f.setCache(int(level), size)
		}
		if found {
			return
		}
	}
}
