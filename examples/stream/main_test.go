package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
)

// TestProgramOfPage runs the program of docs/llm.md, which has its text.
func TestProgramOfPage(t *testing.T) {
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "llm.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), "```go\n"+string(source)+"```\n")
	_, body, _ := strings.Cut(string(source), "func main() {\n")
	require.LessOrEqual(t, strings.Count(body, "\n"), 11, "ten lines and a brace")

	path := llmtest.File(t, llmtest.Small)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	args, stdout := os.Args, os.Stdout
	defer func() { os.Args, os.Stdout = args, stdout }()
	os.Args, os.Stdout = []string{"stream", path}, write
	main()
	require.NoError(t, write.Close())
	text, err := io.ReadAll(read)
	require.NoError(t, err)
	require.Greater(t, len(text), 20, "%q", text)
}
