package cpu

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/environment"
)

// Entries of the auxiliary vector and bits of its words, of arch/arm64/include/uapi/asm/hwcap.h.
const (
	auxHardware, auxHardware2 = 16, 26

	capabilityDot  = 1 << 20
	capability2Mat = 1 << 13
	capability2BF  = 1 << 14
)

// system reads the auxiliary vector of the process, and the sizes of caches.
func (f *Features) system() {
	vector, _ := os.ReadFile("/proc/self/auxv")
	for ; len(vector) >= 16; vector = vector[16:] {
		switch bits := binary.LittleEndian.Uint64(vector[8:]); binary.LittleEndian.Uint64(vector) {
		case auxHardware:
			f.DotProduct = bits&capabilityDot != 0
		case auxHardware2:
			f.I8MM, f.BF16 = bits&capability2Mat != 0, bits&capability2BF != 0
		}
	}
	caches, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	for _, c := range caches {
		text := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(c, name))
			return strings.TrimSpace(string(b))
		}
		n, ok := environment.ParseBytes(text("size"))
		if !ok || n <= 0 || text("type") == "Instruction" {
			continue
		}
		level, _ := strconv.Atoi(text("level"))
		f.setCache(level, int(n))
	}
}
