// Package cpu says what the processor can do for generated code: instruction sets, by CPUID and
// XGETBV, and cache sizes.
//
// Detect returns the facts once and for all. The environment variable ACAP_KERNELS lowers the level
// that Detect reports; a value that this machine cannot follow is an error:
//
//	ACAP_KERNELS=avx512     AVX-512 (the default where the processor and the system have it)
//	ACAP_KERNELS=avx2       AVX2 and FMA
//	ACAP_KERNELS=portable   no generated code at all
package cpu
