package compiler

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// GroupLine begins a line of the stages kernel, vector and asm that names the group of the kernels behind it.
const GroupLine = "// group @"

// kernelsOf returns the kernels of a group in text of the stage kernel. Lines of other groups are empty, so that lines
// keep their numbers.
func kernelsOf(text, group string) string {
	lines, of := strings.Split(text, "\n"), ""
	for i, line := range lines {
		if name, ok := strings.CutPrefix(line, GroupLine); ok {
			of = strings.TrimSpace(name)
		}
		if of != group {
			lines[i] = ""
		}
	}
	if text = strings.Join(lines, "\n"); strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// checkKernels refuses a text of kernels that would replace nothing: it has no name of a group, names a group that the
// program has not, or the device compiles kernels of its own.
func (b *builder) checkKernels(jobs []*job) error {
	text := b.target.config.Kernels()
	if text == "" {
		return nil
	}
	if !b.target.isNative() {
		return fmt.Errorf("kernels: the device %s compiles kernels of its own, which a text cannot replace", b.target.backend.Name())
	}
	if strings.TrimSpace(kernelsOf(text, "")) != "" {
		return fmt.Errorf("kernels: the text begins with a line that names the group, such as %smain, as in text of the stage kernel (acap emit MODEL -stage kernel)", GroupLine)
	}
	if line := laterStage(text); line > 0 {
		return fmt.Errorf("kernels: line %d: this is text of the stage vector or asm, and text of the stage kernel is wanted: acap emit MODEL -stage kernel writes it", line)
	}
	if !slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
		line = strings.TrimSpace(line)
		return line != "" && !strings.HasPrefix(line, "//")
	}) {
		return errors.New("kernels: the text has no kernels")
	}
	var names []string
	for _, j := range jobs {
		names = append(names, j.g.name)
	}
	for i, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(line, GroupLine); ok && !slices.Contains(names, strings.TrimSpace(name)) {
			return fmt.Errorf("kernels: line %d: the program has no group %s: its groups are %s", i+1, strings.TrimSpace(name), strings.Join(names, ", "))
		}
	}
	return nil
}

// laterStage is the number of the first line of code in a text if the line is of a stage behind the stage kernel; 0
// elsewhere.
func laterStage(text string) int {
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		if strings.HasPrefix(line, "program ") || strings.HasPrefix(line, "portable: ") || strings.ContainsAny(line[:1], ";0123456789") {
			return i + 1
		}
		return 0
	}
	return 0
}
