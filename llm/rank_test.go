package llm

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
)

// RecordedRank is a file with what llama-server answers at /v1/rerank.
type RecordedRank struct {
	recordedFile
	Query     string
	Documents []string
	Scores    []float32
	Tokens    int
}

// Write makes the file and returns its path.
func (r *RecordedRank) Write(t *testing.T) string { return r.write(t) }

// RecordedRanks are encoders with heads of one layer and of two.
func RecordedRanks(t *testing.T) (list map[string]RecordedRank) {
	data, err := os.ReadFile("testdata/rank.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

// TestRank compares scores of pairs of texts with llama-server's.
func TestRank(t *testing.T) {
	for name, c := range RecordedRanks(t) {
		m, err := Load(c.write(t), LoadOptions{Exact: true})
		require.NoError(t, err, name)
		count := 0
		for _, text := range c.Documents {
			tokens, err := m.EncodePair(c.Query, text)
			require.NoError(t, err)
			count += len(tokens)
		}
		require.Equal(t, c.Tokens, count, name)
		scores, err := m.Rank(context.Background(), c.Query, c.Documents...)
		require.NoError(t, err)
		for i := range scores {
			require.InDelta(t, c.Scores[i], scores[i], 1e-3, "%s %d", name, i) // llama.cpp looks GELU up in a table of f16 numbers
		}
		_, err = m.Embed(context.Background(), "a")
		require.ErrorContains(t, err, "makes no vectors")
		require.NoError(t, m.Close())
	}
	dir := t.TempDir()
	require.NoError(t, llmtest.WriteFolder(dir, llmtest.Small))
	m, err := Load(dir, LoadOptions{})
	require.NoError(t, err)
	defer m.Close()
	_, err = m.Rank(context.Background(), "a", "b")
	require.ErrorIs(t, err, ErrNoRank)
}

// TestRankFolders compares scores of folders with those of transformers; testdata/recordscores.py records.
func TestRankFolders(t *testing.T) {
	data, err := os.ReadFile("testdata/scores.json")
	require.NoError(t, err)
	list := map[string]struct {
		recorded
		Score float32
	}{}
	require.NoError(t, json.Unmarshal(data, &list))
	for name, r := range list {
		dir := folderOf(t, r.recorded)
		tokens, err := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(strings.TrimSuffix(string(tokens), "}")+
			`,"post_processor":{"type":"BertProcessing","sep":["w2",2],"cls":["w1",1]}}`), 0o644))
		m, err := Load(dir, LoadOptions{Exact: true})
		require.NoError(t, err, name)
		require.True(t, m.Ranks(), name)
		score, err := m.RankTokens(r.Tokens)
		require.NoError(t, err, name)
		require.InDelta(t, r.Score, score, 2e-5, name)
		require.NoError(t, m.Close())
	}
}
