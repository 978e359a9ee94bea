package engine

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
)

var update = flag.Bool("update", false, "write testdata/kernels.txt")

// TestKernels: programs become the kernels, and take the memory, that testdata/kernels.txt says. Whoever changes how
// programs are compiled sees there what that does, and writes it anew with -update.
func TestKernels(t *testing.T) {
	const file = "testdata/kernels.txt"
	var names []string
	have := map[string]string{}
	add := func(name string, f *mlir.Operation, consts []bool) {
		p, err := Compile(f, Options{ConstInputs: consts, Backend: portable.Compile})
		require.NoError(t, err, name)
		defer p.Close()
		names = append(names, name)
		have[name] = p.KernelText() + p.account() + "\n"
	}
	for _, c := range fusions {
		n := newNet()
		add(c.name, c.build(n), n.consts)
	}
	for _, name := range slices.Sorted(maps.Keys(attentions)) {
		n := newNet()
		add("attention: "+name, attentionOf(n, name), n.consts)
	}
	for _, set := range []map[string]string{forms, texts} {
		for _, name := range slices.Sorted(maps.Keys(set)) {
			m, err := mlir.Parse("test.mlir", []byte(set[name]))
			require.NoError(t, err)
			add(name, m.Funcs()[0], nil)
		}
	}
	if *update {
		var all strings.Builder
		for _, name := range names {
			all.WriteString("# " + name + "\n" + have[name])
		}
		require.NoError(t, os.WriteFile(file, []byte(all.String()), 0o644))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	want, name := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		if after, ok := strings.CutPrefix(line, "# "); ok {
			name = strings.TrimSpace(after)
		} else {
			want[name] += line
		}
	}
	require.Len(t, have, len(want))
	for _, name := range names {
		w, h := strings.Split(want[name], "\n"), strings.Split(have[name], "\n")
		for i := range max(len(w), len(h)) {
			if i >= len(w) || i >= len(h) || w[i] != h[i] {
				t.Errorf("%s, line %d:\n%s\nbut should be\n%s", name, i+1, strings.Join(h[min(i, len(h)):], "\n"), strings.Join(w[min(i, len(w)):], "\n"))
				break
			}
		}
	}
}

// account lists what each kernel does, and where what it reads and writes lies, from the first step that uses it to
// the last.
func (p *Program) account() string {
	var b strings.Builder
	for i, k := range p.Kernels() {
		fmt.Fprintf(&b, "%s: %s, %d multiply-adds, %d others, %d bytes in, %d out:", k.Name, k.Kind, k.MACs, k.Work, k.BytesIn, k.BytesOut)
		for _, n := range p.Steps[i].Slots {
			s := p.Slots[n]
			fmt.Fprintf(&b, " %s.%d@%d+%d[%d,%d]", [...]string{"arena", "argument", "result", "fixed"}[s.Kind], s.Index, s.Offset, s.Bytes, s.First, s.Last)
		}
		b.WriteString("\n")
	}
	for _, l := range p.Lifetimes() {
		fmt.Fprintf(&b, "%s %d[%d,%d] ", l.Use, l.Bytes, l.First, l.Last)
	}
	forecast := p.Forecast()
	fmt.Fprintf(&b, "\n%d bytes of results, %d of constants, largest:", forecast.Results, forecast.Constants)
	for _, v := range forecast.Largest {
		fmt.Fprintf(&b, " %s %s %d", v.Op, v.DType, v.Bytes)
	}
	stats := p.Stats()
	fmt.Fprintf(&b, "\n%d kernels, %d bytes of arena, %d fixed\n", stats.Kernels, stats.ArenaBytes, stats.FixedBytes)
	return b.String()
}
