package ops_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
)

var update = flag.Bool("update", false, "write testdata/refusals.txt")

// particulars are what messages of one kind differ in: numbers, types and lists.
var particulars = regexp.MustCompile(`\[[-\d ]*\]|bool|bf16|[fciu]\d+|-?\d+(\.\d+)?(e\+\d+)?`)

// refusals lists the variations of an operator's samples that it refuses: of each kind of message one, with
// the variation that has it, and the names of the others. Samples are counted from 0.
func refusals(t *testing.T, op *ops.Op) string {
	var kinds []string
	first, others := map[string]string{}, map[string][]string{}
	infer := func(s ops.Sample) error {
		_, err := op.NewCall(typedArgs(s)...)
		return err
	}
	for i, s := range op.Samples() {
		for _, v := range variations(op, s, func(s ops.Sample) bool { return infer(s) == nil }) {
			err := infer(v.args)
			if err == nil {
				continue
			}
			if !isTyped(err) {
				t.Errorf("%s/%d %s: %v", op.Name(), i, v.name, err)
			}
			name := fmt.Sprintf("%d %s", i, v.name)
			text := strings.TrimPrefix(err.Error(), op.Name()+": ")
			kind := particulars.ReplaceAllString(text, "0")
			if first[kind] == "" {
				kinds = append(kinds, kind)
				first[kind] = name + ": " + text
			} else {
				others[kind] = append(others[kind], name)
			}
		}
	}
	var b strings.Builder
	for _, kind := range kinds {
		fmt.Fprintf(&b, "  %s\n", first[kind])
		if len(others[kind]) > 0 {
			fmt.Fprintf(&b, "    also %s\n", strings.Join(others[kind], "; "))
		}
	}
	return b.String()
}

// TestRefusals: operators accept and refuse what testdata/refusals.txt says, with its messages.
func TestRefusals(t *testing.T) {
	const file = "testdata/refusals.txt"
	var names []string
	have := map[string]string{}
	for _, op := range ops.All() {
		if !op.IsInplace() {
			names = append(names, op.Name())
			have[op.Name()] = refusals(t, op)
		}
	}
	if *update {
		var all strings.Builder
		for _, name := range names {
			all.WriteString(name + "\n" + have[name])
		}
		require.NoError(t, os.WriteFile(file, []byte(all.String()), 0o644))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	want, name := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		if line[0] != ' ' {
			name = strings.TrimSpace(line)
			want[name] = ""
		} else {
			want[name] += line
		}
	}
	for _, name := range names {
		assert.Equal(t, want[name], have[name], name)
	}
	require.Len(t, have, len(want))
}
