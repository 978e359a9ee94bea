package environment

// Variable is an environment variable that programs read.
type Variable struct{ Name, Doc string }

// Variables lists the environment variables that programs read, by name. Tests read others, which CONTRIBUTING.md has.
func Variables() []Variable {
	return []Variable{
		{"ACAP_CACHE", "a folder that keeps compiled programs for later processes"},
		{"ACAP_CACHE_LIMIT", "most bytes in that folder, such as 512M (default 256M)"},
		{"ACAP_CACHE_SHARED", "1 uses the folder although other users can write it"},
		{"ACAP_CODE", "how machine code lies in memory: shared, or fresh (default shared, and fresh where QEMU emulates the processor)"},
		{"ACAP_COMPILE_PARALLELISM", "goroutines that compile at once, or COMPILE_PARALLELISM (default: as many as processors)"},
		{"ACAP_DEBUG", "1 to 4: lines for programs, for barriers, files of every form, comparison with the reference"},
		{"ACAP_DUMP", "the folder of those files (default acap-debug)"},
		{"ACAP_INT4_LAYOUT", "how PyTorch packed weights of 4 bits in a file: avx512, avx2 or none"},
		{"ACAP_KERNELS", "what kernels become at most: avx512, avx2, neon or portable"},
		{"ACAP_MEMORY", "most bytes that a tensor or a run may need, such as 8G (default: three quarters of the machine's)"},
		{"ACAP_NAN", "stop has a barrier fail that computes a NaN"},
		{"ACAP_PRINT_IR", "before, after or change: print modules between passes to standard error"},
		{"ACAP_PYTHON", "the Python interpreter of the runtimes that acap bench-model and bench run beside this one"},
		{"ACAP_PROCESSOR", "a processor to compile and run as, such as avx2,l2=256K,cores=4"},
		{"ACAP_THREADS", "threads of a program (default: as many as processors)"},
		{"ACAP_TUNE", "1 times forms of kernels that are close by estimate"},
	}
}
