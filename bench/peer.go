package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/cmd/acap/pypeer"
	"github.com/go-acap/acap/kernel/cpu"
)

// ours is our name among the runtimes.
const ours = "acap"

// peer is another runtime.
type peer interface {
	// measure runs a case, or reports that the runtime does not have it.
	measure(b *benchmark, threads int) (measurement, bool)
}

// installed returns the runtimes that can be run here: gonum always, PyTorch and
// ONNX Runtime if Python finds them, and the programs that ACAP_PEERS names as
// NAME=COMMAND, separated by semicolons. A command gets a case and a number of
// threads and prints one JSON line.
func installed() ([]peer, error) {
	named, err := commands(os.Getenv("ACAP_PEERS"))
	if err != nil {
		return nil, err
	}
	found, err := scripts()
	return slices.Concat([]peer{gonumPeer{}}, found, named), err
}

// commands returns the peers that are commands.
func commands(peers string) (list []peer, err error) {
	for _, entry := range strings.Split(peers, ";") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, line, _ := strings.Cut(entry, "=")
		command := strings.Fields(line)
		if name == "" || len(command) == 0 {
			return nil, &environment.Error{Variable: "ACAP_PEERS", Value: peers,
				Want: "NAME=COMMAND, separated by semicolons"}
		}
		list = append(list, program{name: name, command: command})
	}
	return list, nil
}

// program is a peer that is a command.
type program struct {
	name    string
	command []string
	input   string // what the command reads
	suffix  string // of the names of cases
}

func (p program) measure(b *benchmark, threads int) (measurement, bool) {
	args := append(p.command[1:len(p.command):len(p.command)], b.name+p.suffix, fmt.Sprint(threads))
	cmd := exec.Command(p.command[0], args...)
	cmd.Env = pypeer.Environment(threads, cpu.Detect())
	cmd.Stdin = strings.NewReader(p.input)
	out, err := cmd.Output()
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var m measurement
	if err != nil || json.Unmarshal(lines[len(lines)-1], &m) != nil || m.Median <= 0 {
		return m, false
	}
	m.Peer, m.Case, m.Threads = p.name, b.name, threads
	b.rates(&m)
	return m, true
}

// gonumPeer multiplies with gonum's float32 BLAS, in this process.
type gonumPeer struct{}

func (gonumPeer) measure(b *benchmark, threads int) (measurement, bool) {
	m, k, n, ok := matrixCase(b.name)
	if !ok {
		return measurement{}, false
	}
	x, y, z := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	for i := range y {
		y[i] = float32(i%5) - 2
	}
	steps, _ := work{step: func() {
		gonum.Implementation{}.Sgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, x, k, y, n, 0, z, n)
	}}.sample(budget)
	out := measurement{Peer: "gonum", Case: b.name, Threads: threads,
		Median: steps.median() * 1e3, Min: steps.least() * 1e3}
	b.rates(&out)
	return out, true
}

// matrixCase reads the extents of a case of one f32 product; gonum distinguishes no
// constant operands, so its time counts for both cases of a pair.
func matrixCase(name string) (m, k, n int, ok bool) {
	name = strings.TrimSuffix(name, "_dyn")
	if name == "gemv_4096" {
		return 1, 4096, 4096, true
	}
	if c, _ := fmt.Sscanf(name, "mm_%dx%dx%d", &m, &k, &n); c == 3 {
		return m, k, n, true
	}
	if c, _ := fmt.Sscanf(name, "mm_%d", &m); c == 1 && name == fmt.Sprintf("mm_%d", m) {
		return m, m, m, true
	}
	return 0, 0, 0, false
}
