package llm

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTemplates makes prompts by templates of real models, which the module of the template engine has among its tests, and compares
// them with those that transformers makes; testdata/templates.py records.
func TestTemplates(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/ardanlabs/jinja").Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "testdata", "templates")
	if _, statErr := os.Stat(dir); err != nil || statErr != nil {
		t.Skip("the module's tests are not here")
	}
	data, err := os.ReadFile("testdata/templates.json")
	require.NoError(t, err)
	var recorded struct {
		Chats []struct {
			Messages []Message
			Tools    []json.RawMessage
		}
		Prompts map[string][]*string
	}
	require.NoError(t, json.Unmarshal(data, &recorded))
	compared := 0
	for name, prompts := range recorded.Prompts {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		template, err := newTemplate(string(text), map[string]string{"bos_token": "<s>", "eos_token": "</s>"})
		require.NoError(t, err, name)
		for i, want := range prompts {
			if want == nil {
				continue
			}
			var tools []any
			for _, tool := range recorded.Chats[i].Tools {
				tools = append(tools, tool)
			}
			got, err := template.render(recorded.Chats[i].Messages, TemplateOptions{Tools: tools})
			require.NoError(t, err, "%s, chat %d", name, i)
			if *want != got {
				t.Errorf("%s, chat %d:\n%q\nwant\n%q", name, i, got, *want)
			}
			compared++
		}
	}
	require.Greater(t, compared, 20)
}
