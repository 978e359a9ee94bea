// SPDX-License-Identifier: Apache-2.0

// Package cpu says what the processor can do for generated code: instruction sets, by CPUID and
// XGETBV or, on arm64, by what the system reports, and cache sizes.
//
// Detect returns the facts once and for all. Two environment variables change what it returns; a value
// that this machine cannot follow is an error. ACAP_KERNELS lowers the level:
//
//	ACAP_KERNELS=avx512     AVX-512 (the default where the processor and the system have it)
//	ACAP_KERNELS=avx2       AVX2 and FMA
//	ACAP_KERNELS=neon       the vectors of arm64 (the default there)
//	ACAP_KERNELS=portable   no generated code at all
//
// ACAP_PROCESSOR describes another processor, with other caches and another number of cores, as
// [Features.As] reads it. All tests can be run as on that one:
//
//	ACAP_PROCESSOR=avx2,l2=256K,cores=4 go test ./...
package cpu
