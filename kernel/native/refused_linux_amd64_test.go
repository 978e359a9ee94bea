package native

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// refuseExecutable makes the system refuse executable memory to this process, as systemd's
// MemoryDenyWriteExecute does: a filter of system calls answers EPERM to mmap, mprotect and pkey_mprotect
// with PROT_EXEC.
func refuseExecutable() syscall.Errno {
	type instruction struct { // struct sock_filter of linux/filter.h
		code   uint16
		jt, jf uint8
		k      uint32
	}
	const (
		load, equal, bits, result = 0x20, 0x15, 0x45, 0x06 // BPF_LD|W|ABS, JMP|JEQ|K, JMP|JSET|K, RET|K
		number, arch, third       = 0, 4, 32               // offsets in struct seccomp_data
		amd64                     = 0xC000003E
		allow, refuse             = 0x7FFF0000, 0x00050000 | uint32(syscall.EPERM)
	)
	filter := []instruction{
		{load, 0, 0, arch},
		{equal, 0, 6, amd64},
		{load, 0, 0, number},
		{equal, 2, 0, syscall.SYS_MMAP},
		{equal, 1, 0, syscall.SYS_MPROTECT},
		{equal, 0, 2, 329}, // pkey_mprotect
		{load, 0, 0, third},
		{bits, 1, 0, syscall.PROT_EXEC},
		{result, 0, 0, allow},
		{result, 0, 0, refuse},
	}
	program := struct {
		n      uint16
		filter *instruction
	}{uint16(len(filter)), &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const noNewPrivileges, seccomp, setFilter, allThreads = 38, 317, 1, 1
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	_, _, errno := syscall.RawSyscall(seccomp, setFilter, allThreads, uintptr(unsafe.Pointer(&program)))
	return errno
}

// TestRefused runs itself in a process that may make no memory executable: kernels are portable there, and one
// sentence says why.
func TestRefused(t *testing.T) {
	kerneltest.LevelsHere(t)
	const child, skipped = "ACAP_TEST_CHILD", "no filters of system calls"
	if os.Getenv(child) == "" {
		for _, setting := range []string{"shared", "fresh"} {
			cmd := emulator.Again("-test.run=^TestRefused$")
			cmd.Env = append(os.Environ(), child+"=1", exec.Variable+"="+setting)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			require.NoError(t, err, "%s%s", out, &stderr)
			if strings.Contains(string(out), skipped) {
				t.Skip(skipped)
			}
			require.Regexp(t, `^acap: kernels run as portable Go, which is many times slower, because of exec: `+
				`make executable \d+ bytes: the system refuses executable memory: operation not permitted; `+
				"ACAP_KERNELS=portable asks for that without this sentence\n$", stderr.String())
		}
		return
	}
	if errno := refuseExecutable(); errno != 0 {
		os.Stdout.WriteString(skipped + "\n")
		return
	}
	_, err := exec.Load(make([]byte, 10))
	require.ErrorIs(t, err, exec.ErrRefused)
	require.ErrorIs(t, err, syscall.EPERM)
	r := rand.New(rand.NewPCG(1, 2))
	require.NoError(t, Refused())
	product := contraction(r)
	for product.Acc != dtype.F32 {
		product = contraction(r)
	}
	apart := *product // sums and their epilogue
	withIndex(&apart.Epilogue, len(apart.Batch)+2, apart.Acc)
	for _, k := range []kernel.Kernel{&apart, product, convolution(r), randomAttention(r),
		lookup(4, 3, 5, dtype.F32)} {
		code, err := Compile(k)
		require.NoError(t, err)
		if _, gathers := k.(*kernel.Nest); !gathers { // whose indices Check would draw
			require.NoError(t, kerneltest.Check(r, k, code, 16))
		}
		code.Close()
	}
	require.ErrorIs(t, Refused(), exec.ErrRefused)
	_, err = generate(lookup(4, 3, 5, dtype.F32), cpu.Detect())
	require.ErrorIs(t, err, exec.ErrRefused)
}
