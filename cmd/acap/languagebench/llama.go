package languagebench

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/cmd/acap/pypeer"
)

// llamaBench runs llama-bench with as many threads: once for the prompt, and once for the answer behind it.
func llamaBench(program, path string, prompt, answer int) (t Llama, err error) {
	run := func(args ...string) (Llama, error) {
		cmd := exec.Command(program, append(args, "-m", path, "-r", "1", "-t", strconv.Itoa(bandwidth.Threads()), "-o", "csv")...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return t, fmt.Errorf("llama-bench: %w: %s", err, pypeer.LastLine(stderr.String()))
		}
		return readLlamaBench(string(out))
	}
	if t, err = run("-p", strconv.Itoa(prompt), "-n", "0"); err != nil {
		return t, err
	}
	behind, err := run("-p", "0", "-n", strconv.Itoa(answer), "-d", strconv.Itoa(prompt))
	t.Decode = behind.Decode
	return t, err
}

// readLlamaBench reads its table.
func readLlamaBench(text string) (t Llama, err error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 {
		return t, fmt.Errorf("llama-bench wrote no table: %w", err)
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	speed, answer := column("avg_ts"), column("n_gen")
	if speed < 0 || answer < 0 {
		return t, fmt.Errorf("llama-bench has no columns avg_ts and n_gen")
	}
	for _, r := range rows[1:] {
		v, err := strconv.ParseFloat(r[speed], 64)
		if err != nil {
			return t, fmt.Errorf("llama-bench: %w", err)
		}
		if r[answer] == "0" {
			t.Prefill = v
		} else {
			t.Decode = v
		}
	}
	return t, nil
}
