package cpu

// Core are facts of a core that plans count with: the facts of the slowest processor that is usual at a level (Agner
// Fog, Instruction tables; uops.info).
type Core struct {
	Products float64 // vector multiplications with additions that begin in a cycle
	Loads    float64 // vectors that are loaded in a cycle
	Issue    float64 // instructions that begin in a cycle
	Latency  float64 // cycles from a sum to the next of the same register
	L2Bytes  float64 // that come from the second-level cache in a cycle
	L3Bytes  float64 // and from the third-level cache
}

// Core returns the facts of a level. NEON: Neoverse N1. AVX2: Haswell, Zen 2. AVX-512: Ice Lake, Zen 4.
func (l Level) Core() Core {
	switch l {
	case NEON:
		return Core{Products: 2, Loads: 2, Issue: 4, Latency: 4, L2Bytes: 32, L3Bytes: 16}
	case AVX2:
		return Core{Products: 2, Loads: 2, Issue: 4, Latency: 5, L2Bytes: 32, L3Bytes: 12}
	}
	return Core{Products: 2, Loads: 2, Issue: 5, Latency: 4, L2Bytes: 64, L3Bytes: 32}
}
