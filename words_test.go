package acap_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// banned is a word that only this project had for what the field has a word for: a part of it in lower case, the whole
// as an expression, and the word of today, which docs/glossary.md has.
type banned struct {
	part    string
	word    *regexp.Regexp
	instead string
}

func ban(part, word, instead string) banned { return banned{part, regexp.MustCompile(word), instead} }

var private = []banned{
	ban("shel", `(?i)\bshel(f|ves|ve)`, "retention, or weight residency"),
	ban("crowd", `(?i)\bcrowd`, "contention"),
	ban("slab", `(?i)\bslabs?\b`, "tile"),
	ban("stock", `(?i)\bstock(s|ed)?\b|_stock\b`, "resident, or unmodified"),
	ban("joint", `(?i)\bjoint\b`, "fan-out, or of all parts"),
	ban("withoutshelves", `WithoutShelves`, "Config"),
	ban("inrow", `(?i)\bInRow\b`, "Pipelined"),
	ban("another", `\bAnother\(`, "NewHandle"),
	ban("gradienttolerant", `GradientTolerant\b`, "GradientTolerance"),
}

// ofArray are words that the simulated array had a meaning of its own for; elsewhere they are plain English.
var ofArray = []banned{
	ban("stay", `(?i)\bstay(s|ed|ing)?\b|[a-z]Stays?\b|\b[sS]tays?[A-Z]`, "resident, or remain"),
	ban("room", `(?i)\brooms?\b|[a-z]Room\b|\broomy\b`, "memory budget, or space"),
	ban("st", `(?i)\b(stand|stands|standing|stood)\b( (for|still)\b)?|[a-z]Stand[A-Z]`, "placed, lie, or be"),
}

// changes is where the words of earlier versions are told.
const changes = "CHANGELOG.md"

// TestWords: code, pages and printed text use the words of the field, which docs/glossary.md lists.
func TestWords(t *testing.T) {
	for _, path := range textFiles(t) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		list := private
		if strings.HasPrefix(path, filepath.Join("device", "acap")) || path == filepath.Join("docs", "machines.md") {
			list = append(list[:len(list):len(list)], ofArray...)
		}
		lower := strings.ToLower(string(text))
		for _, b := range list {
			if !strings.Contains(lower, b.part) {
				continue
			}
			for _, found := range b.word.FindAllString(string(text), -1) {
				assert.True(t, strings.HasSuffix(found, " for") || strings.HasSuffix(found, " still"), "%s says %q: the word is %s", path, found, b.instead)
			}
		}
	}
}

// textFiles are the files of code and the pages, but for this test and the changes.
func textFiles(t *testing.T) (list []string) {
	require.NoError(t, filepath.WalkDir(".", func(path string, e os.DirEntry, err error) error {
		switch ext := filepath.Ext(path); {
		case err != nil:
			return err
		case e.IsDir() && path != "." && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case !e.IsDir() && (ext == ".go" || ext == ".md" || ext == ".html" || ext == ".js") && path != "words_test.go" && path != changes:
			list = append(list, path)
		}
		return nil
	}))
	require.Greater(t, len(list), 1000)
	return list
}
