//go:build !(amd64 || arm64 || loong64 || mips64le || ppc64le || riscv64 || wasm)

package dtype

// Tensors lie in memory as they lie in files, which is little end first, and their sizes are an int, which
// has to have 64 bits.
var _ = acap_needs_a_64_bit_little_endian_processor
