package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// peer is another runtime.
type peer interface {
	// measure runs a case, or reports that the runtime does not have it.
	measure(b *benchmark, threads int) (measurement, bool)
}

// installed returns the runtimes that can be run here: gonum always, and the
// programs that ACAP_PEERS names as NAME=COMMAND, separated by semicolons. A
// command gets the case and the number of threads and prints one JSON line.

func installed() []peer {
	list := []peer{gonumPeer{}}
	for _, entry := range strings.Split(os.Getenv("ACAP_PEERS"), ";") {
		if name, command, ok := strings.Cut(entry, "="); ok {
			list = append(list, program{name, strings.Fields(command)})
		}
	}
	return list
}

// program is a peer that is a command.
type program struct {
	name    string
	command []string
}

func (p program) measure(b *benchmark, threads int) (measurement, bool) {
	args := append(p.command[1:len(p.command):len(p.command)], b.name, fmt.Sprint(threads))
	cmd := exec.Command(p.command[0], args...)
	cmd.Env = cleanEnvironment(threads)
	out, err := cmd.Output()
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var m measurement
	if err != nil || json.Unmarshal(lines[len(lines)-1], &m) != nil || m.Median <= 0 {
		return m, false
	}
	m.Peer = p.name
	return m, true
}

// cleanEnvironment drops settings that make the libraries slower than they are.
func cleanEnvironment(threads int) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "OPENBLAS_") && !strings.HasPrefix(e, "OMP_") {
			env = append(env, e)
		}
	}
	return append(env, fmt.Sprintf("OMP_NUM_THREADS=%d", threads), "ATEN_CPU_CAPABILITY=avx512")
}

// gonumPeer multiplies with gonum's float32 BLAS, in this process.
type gonumPeer struct{}

func (gonumPeer) measure(b *benchmark, threads int) (measurement, bool) {
	var m, k, n int
	switch {
	case strings.HasSuffix(b.name, "_dyn"):
		return measurement{}, false
	case b.name == "gemv_4096":
		m, k, n = 1, 4096, 4096
	default:
		if c, _ := fmt.Sscanf(b.name, "mm_%dx%dx%d", &m, &k, &n); c == 3 {
			break
		}
		if c, _ := fmt.Sscanf(b.name, "mm_%d", &m); c != 1 {
			return measurement{}, false
		}
		k, n = m, m
	}
	x, y, z := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	for i := range y {
		y[i] = float32(i%5) - 2
	}
	median, least := sample(func() {
		gonum.Implementation{}.Sgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, x, k, y, n, 0, z, n)
	}, budget())
	return measurement{Peer: "gonum", Case: b.name, Threads: threads, Median: median * 1e3,
		Min: least * 1e3}, true
}
