// SPDX-License-Identifier: Apache-2.0

// Package exec holds generated machine code in executable memory and calls it.
//
// Load copies code into memory that is mapped twice, writable at one address and executable at another, and Close
// gives it back. Where Linux does not allow that, where QEMU emulates the processor or the environment has ACAP_CODE=fresh (see [Variable]), on macOS,
// Windows and FreeBSD, and on arm64, code gets pages of its own, which are first writable and then executable. Where that is not
// allowed either, the error is [ErrRefused]. Call enters the code through an assembly trampoline with one pointer:
//
//	code, err := exec.Load(assembled.Bytes)
//	defer code.Close()
//	code.Call(unsafe.Pointer(&arguments))
//
// # What the code must keep to
//
// It is entered with the argument pointer in RDI and leaves by RET. It may use every register but
// RSP and must not touch the stack beyond its return address; what it must spill goes to memory
// that an argument points to. It calls nothing, and executes VZEROUPPER before it returns if it
// used a vector register longer than 16 bytes.
//
// # Why this is safe
//
// On arm64 the argument pointer is in X0, and code may use every register but SP, X18 (of the system), X28 (the
// goroutine), X29 and X30. Its instruction cache does not see what is written: Load cleans the one cache to memory and
// drops the lines of the other, and code always lies in new pages, which no other processor has executed from.
//
// The trampoline is an ABI0 function, so the compiler keeps nothing in registers over the call and
// restores X15 and R14 (the zero and the goroutine of Go's internal ABI) after it; its frame
// saves RBP. A goroutine in generated code is at no safe point: it cannot be preempted, its stack
// cannot move, and a garbage collection waits for it. One call should therefore stay below about
// 0.2 ms: generators divide their work into units and calls of about that length, package engine cuts
// rows that would take longer (its callRow), and what is left over goes to Go code. The profiler sees such code as external. The collector finds the operands through the
// argument block, which must hold them as unsafe.Pointer and stay reachable: Call does not let it
// escape, so it may live on the stack.
//
// The race detector does not see the memory accesses of generated code.
package exec
