package emit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// TestInstructionsAreUsed fails for an instruction of the assembler's table that neither a rule nor Go code emits.
func TestInstructionsAreUsed(t *testing.T) {
	used := map[string]bool{}
	for _, o := range vector.Ops() {
		for _, r := range rules().Rules(o) {
			for _, p := range r.Code {
				for k := range vector.Kind(vector.Kinds) {
					if r.Takes(k) {
						used[strings.ToLower(asm.Op(p.Number[k]).String())] = true
					}
				}
			}
		}
	}
	constant := regexp.MustCompile(`\basm\.([A-Z]+[0-9A-Z]*)\b`)
	for _, folder := range []string{".", "../peak"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, name := range constant.FindAllStringSubmatch(string(source), -1) {
				used[strings.ToLower(name[1])] = true
			}
		}
	}
	table, err := os.ReadFile("../asm/instructions.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		if name, _, ok := strings.Cut(line, " "); ok && name != "#" {
			name, _, _ = strings.Cut(name, "=")
			if !used[strings.ToLower(name)] {
				t.Errorf("nothing emits %s: remove its lines from kernel/x86/asm/instructions.txt", name)
			}
		}
	}
}
