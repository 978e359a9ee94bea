package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
)

// indented is a block of commands of a page; a line goes on behind a backslash at its end.
var indented = regexp.MustCompile(`(?m)(^    .*\n)+`)

// commandsOf are the commands of a page, as words.
func commandsOf(t *testing.T, page string) (list [][]string) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, block := range indented.FindAllString(string(text)+"\n", -1) {
		for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", "")) {
			list = append(list, wordsOf(line))
		}
	}
	return list
}

// quotedOrPlain is a word of a command.
var quotedOrPlain = regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`)

func wordsOf(line string) (words []string) {
	for _, m := range quotedOrPlain.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	return words
}

// TestLanguagePage runs each command of docs/llm.md on a small model. What the commands print is for other tests;
// programs of Go are for examples/stream.
func TestLanguagePage(t *testing.T) {
	model := llmtest.File(t, llmtest.Small)
	address := ""
	for _, words := range commandsOf(t, "../../docs/llm.md") {
		name := strings.Join(words, " ")
		for i, word := range words {
			if word == "model.gguf" {
				words[i] = model
			}
		}
		switch {
		case words[0] == "acap" && words[1] == "serve":
			address = served(t, words[1:])
		case words[0] == "acap":
			if words[1] == "bench-llm" {
				words = append(words, "-rounds", "1") // each reads as much memory as caches hold, ten times
			}
			out, errs, status := invoke(t, words[1:]...)
			require.Zero(t, status, "%s: %s", name, errs)
			require.NotEmpty(t, out, name)
		case words[0] == "curl":
			require.NotEmpty(t, address, "a server is started first")
			answered(t, address, words[1:])
		case words[0] == "go" && words[1] == "get":
			text, err := os.ReadFile("../../go.mod")
			require.NoError(t, err)
			require.Contains(t, string(text), "module "+words[2]+"\n")
		case words[0] == "go" && words[1] == "test":
			named(t, words[2:])
		default:
			t.Errorf("no test runs %q", name)
		}
	}
}

// served starts a server at a free address, and returns the address.
func served(t *testing.T, args []string) string {
	for i, word := range args {
		if word == "-addr" {
			args[i+1] = "127.0.0.1:0"
		}
	}
	cmd := child(args...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	address, _, found := strings.Cut(strings.TrimPrefix(line, "http://"), "/v1 serves model\n")
	require.True(t, found, line)
	return address
}

// TestServedNames: without keys a request to this machine's address that names another host gets nothing, with keys it
// is asked for one: pages whose names were made to lead here have none.
func TestServedNames(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	for _, c := range []struct {
		flags []string
		host  string
		want  int
	}{{nil, "example.com", http.StatusMisdirectedRequest}, {nil, "localhost", http.StatusOK}, {[]string{"-key", "secret"}, "example.com", http.StatusUnauthorized}} {
		address := served(t, append([]string{"serve", path, "-addr", ""}, c.flags...))
		request, err := http.NewRequest(http.MethodGet, "http://"+address+"/v1/models", nil)
		require.NoError(t, err)
		request.Host = c.host
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, c.want, answer.StatusCode, "%s %v", c.host, c.flags)
	}
}

// answered makes the request of a call of curl, which asks for a stream. Tokens are drawn: where the first one ends the
// answer, another answer is asked for.
func answered(t *testing.T, address string, args []string) {
	url := strings.Replace(args[0], "127.0.0.1:8080", address, 1)
	var text string
	for try := 0; try < 4 && strings.Count(text, "data: {") < 2; try++ {
		text = streamed(t, url, args[1:])
	}
	require.Greater(t, strings.Count(text, "data: {"), 1, text)
	if strings.HasSuffix(url, "/responses") {
		// One of the tokens may end the answer before 64 do.
		require.Regexp(t, "\nevent: response\\.(completed|incomplete)\ndata: [^\n]+\n\n$", text)
		return
	}
	require.True(t, strings.HasSuffix(text, "data: [DONE]\n\n"), text)
}

// streamed returns the answer to a request with the flags of curl.
func streamed(t *testing.T, url string, flags []string) string {
	request, err := http.NewRequest(http.MethodPost, url, nil)
	require.NoError(t, err)
	for ; len(flags) > 0; flags = flags[2:] {
		switch flags[0] {
		case "-H":
			name, value, _ := strings.Cut(flags[1], ": ")
			request.Header.Set(name, value)
		case "-d":
			request.Body = io.NopCloser(strings.NewReader(flags[1]))
		default:
			t.Fatalf("curl %s", flags[0])
		}
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode, "%s", text)
	return string(text)
}

// named: the tests and benchmarks of a call of go test exist, which runs them.
func named(t *testing.T, args []string) {
	files, err := filepath.Glob(filepath.Join("..", "..", args[0], "*_test.go"))
	require.NoError(t, err)
	var source strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		source.Write(text)
	}
	kinds := map[string]string{"-run": "Test", "-bench": "Benchmark"}
	for i, word := range args[:len(args)-1] {
		if kind := kinds[word]; kind != "" {
			require.Regexp(t, `(?m)^func `+kind+`\w*`+args[i+1], source.String())
		}
	}
}
